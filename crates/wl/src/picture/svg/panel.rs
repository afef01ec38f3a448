//! One connected part of the graph on paper: its cards, and its lines in the alleys between them. Not the whole page.

use super::{Card, Course, Line, Stop, Tip};
use crate::picture::layout::{Mesh, Part, Size, Spacing, Wire, centres};

pub(super) const CARD: Size = Size { width: 236, height: 72 };
/// How long the head of an arrow is.
const HEAD: i64 = 7;
/// How far apart lines end at a card, at most, and how far from its corners, at least.
const PORT: i64 = 14;
const CORNER: i64 = 14;

/// Which way the layers follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Right,
    Down,
}

impl Direction {
    /// A card's extent along the direction and across it.
    fn card(self) -> (i64, i64) {
        match self {
            Direction::Right => (CARD.width, CARD.height),
            Direction::Down => (CARD.height, CARD.width),
        }
    }

    /// From (along, across) to (x, y).
    fn turn(self, (along, across): (i64, i64)) -> (i64, i64) {
        match self {
            Direction::Right => (along, across),
            Direction::Down => (across, along),
        }
    }

    fn spacing(self) -> Spacing {
        match self {
            Direction::Right => Spacing { nodes: 24, bends: 16, most: i64::MAX },
            Direction::Down => Spacing { nodes: 32, bends: 20, most: i64::MAX },
        }
    }
}

/// A part with everything in its place.
#[derive(Debug, Default)]
pub(super) struct Panel {
    pub(super) size: Size,
    pub(super) cards: Vec<Card>,
    pub(super) lines: Vec<Line>,
}

impl Panel {
    pub(super) fn of(part: &Part, mesh: &Mesh, direction: Direction) -> Panel {
        let plan = Plan::of(mesh, direction);
        let card = |node: usize| {
            let at = (plan.starts[plan.layer[node]], plan.centre[node] - direction.card().1 / 2);
            let (x, y) = direction.turn(at);
            Card { node: part.nodes[node], x, y }
        };
        let lines = mesh.wires.iter().enumerate().map(|(at, wire)| plan.line(part, at, wire)).collect();
        let (width, height) = direction.turn(plan.extent());
        Panel { size: Size { width, height }, cards: (0..mesh.nodes).map(card).collect(), lines }
    }
}

/// Where layers begin and points lie, along the direction and across it.
struct Plan<'a> {
    mesh: &'a Mesh,
    direction: Direction,
    layer: Vec<usize>,
    centre: Vec<i64>,
    starts: Vec<i64>,
    /// For each wire how far from the middle of its cards it leaves and arrives.
    ports: Vec<(i64, i64)>,
}

impl Plan<'_> {
    fn of(mesh: &Mesh, direction: Direction) -> Plan<'_> {
        let breadth = vec![direction.card().1; mesh.nodes];
        let centre = centres(mesh, &breadth, direction.spacing());
        let layer = mesh.layer_of();
        let starts = starts(mesh, direction, &layer, &centre);
        let ports = ports(mesh, direction.card().1, &centre);
        Plan { mesh, direction, layer, centre, starts, ports }
    }

    fn extent(&self) -> (i64, i64) {
        let (along, across) = self.direction.card();
        let nodes = self.centre[..self.mesh.nodes].iter().map(|it| it + across - across / 2);
        let bends = self.centre[self.mesh.nodes..].iter().map(|it| it + 1);
        (self.starts.last().unwrap_or(&0) + along, nodes.chain(bends).max().unwrap_or(0))
    }

    /// The line of a wire: curves in the alleys between the layers, straight where it passes a layer.
    fn line(&self, part: &Part, at: usize, wire: &Wire) -> Line {
        let thick = self.direction.card().0;
        let (from, to) = (wire.path[0], wire.path[wire.path.len() - 1]);
        let first = (self.starts[self.layer[from]] + thick, self.centre[from] + self.ports[at].0);
        let last = (self.starts[self.layer[to]], self.centre[to] + self.ports[at].1);
        let (mut begin, mut end) = (first, last);
        let (tip, towards) = if wire.arrow.turned {
            begin.0 += HEAD;
            (first, (-1, 0))
        } else {
            end.0 -= HEAD;
            (last, (1, 0))
        };
        let mut stops = vec![Stop::At(begin.0, begin.1)];
        let mut here = begin;
        for bend in &wire.path[1..wire.path.len() - 1] {
            let enter = (self.starts[self.layer[*bend]], self.centre[*bend]);
            stops.push(curve(here, enter));
            here = (enter.0 + thick, enter.1);
            stops.push(Stop::At(here.0, here.1));
        }
        stops.push(curve(here, end));
        let stops = stops.into_iter().map(|it| it.map(|at| self.direction.turn(at))).collect();
        let tip = Tip { at: self.direction.turn(tip), towards: self.direction.turn(towards) };
        let course = if wire.arrow.turned { Course::Back } else { Course::Forward };
        let (from, to) = (part.nodes[wire.arrow.from], part.nodes[wire.arrow.to]);
        let (from, to) = if wire.arrow.turned { (to, from) } else { (from, to) };
        Line { from, to, course, stops, tip }
    }
}

/// From one point to another, leaving and arriving along the direction.
fn curve(from: (i64, i64), to: (i64, i64)) -> Stop {
    if from.1 == to.1 {
        return Stop::At(to.0, to.1);
    }
    let pull = (to.0 - from.0) / 2;
    Stop::Curve([(from.0 + pull, from.1), (to.0 - pull, to.1), to])
}

/// Where each layer begins. The alley before it is wider where lines go far across.
fn starts(mesh: &Mesh, direction: Direction, layer: &[usize], centre: &[i64]) -> Vec<i64> {
    let least = if direction == Direction::Right { 64 } else { 52 };
    let mut alley = vec![least; mesh.layers.len()];
    for step in mesh.wires.iter().flat_map(|it| it.path.windows(2)) {
        let (from, to) = (step[0], step[1]);
        if layer[to] == layer[from] + 1 {
            let wanted = least + ((centre[to] - centre[from]).abs() / 7).min(120);
            alley[layer[to]] = alley[layer[to]].max(wanted);
        }
    }
    let mut at = 0;
    let mut starts = Vec::new();
    for (layer, alley) in alley.iter().enumerate() {
        at += if layer == 0 { 0 } else { direction.card().0 + alley };
        starts.push(at);
    }
    starts
}

/// Lines at one side of a card do not all end in one point: each has its own, in the order of where they go.
fn ports(mesh: &Mesh, breadth: i64, centre: &[i64]) -> Vec<(i64, i64)> {
    let mut ports = vec![(0, 0); mesh.wires.len()];
    let (mut leaving, mut arriving) = (vec![Vec::new(); mesh.nodes], vec![Vec::new(); mesh.nodes]);
    for (at, wire) in mesh.wires.iter().enumerate() {
        let (from, to) = (wire.path[0], wire.path[wire.path.len() - 1]);
        leaving[from].push((centre[wire.path[1]] - centre[from], at));
        arriving[to].push((centre[wire.path[wire.path.len() - 2]] - centre[to], at));
    }
    for wires in &mut leaving {
        spread(wires, breadth, |at, port| ports[at].0 = port);
    }
    for wires in &mut arriving {
        spread(wires, breadth, |at, port| ports[at].1 = port);
    }
    ports
}

/// Spreads the ends of wires around the middle of a card. Each comes with how far aside it goes; those that go the same
/// way at first have one end together.
fn spread(wires: &mut [(i64, usize)], breadth: i64, mut set: impl FnMut(usize, i64)) {
    wires.sort_unstable();
    let ways: Vec<i64> = wires.chunk_by(|one, other| one.0 == other.0).map(|it| it[0].0).collect();
    let gaps = i64::try_from(ways.len()).unwrap_or(i64::MAX) - 1;
    let room = (breadth - 2 * CORNER).min(gaps * PORT);
    let port = |at: i64| if gaps > 0 { at * room / gaps - room / 2 } else { 0 };
    // If one of them can be straight, it shall be.
    let shift = ways.iter().zip(0..).map(|(way, at)| way - port(at)).min_by_key(|it| it.abs()).unwrap_or(0);
    let slack = (breadth - 2 * CORNER - room) / 2;
    let shift = if shift.abs() <= slack.min(PORT) { shift } else { 0 };
    for (own, at) in wires.chunk_by(|one, other| one.0 == other.0).zip(0..) {
        for (_, wire) in own {
            set(*wire, port(at) + shift);
        }
    }
}
