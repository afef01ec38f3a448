//! Where everything is on the page, its head left out. Not how it looks.

use super::{
    Card, Course, Line, Stop, Tip,
    panel::{CARD, Direction, Panel},
};
use crate::picture::{
    Picture,
    layout::{Mesh, Part, Size, pack, parts},
};

/// Between parts that do not hang together.
const BETWEEN: i64 = 56;
/// Between cards that hang together with nothing.
const GAP: i64 = 24;
/// Room for a line of text above those.
const HEADING: i64 = 30;

#[derive(Debug, Default)]
pub(super) struct Scene {
    pub(super) size: Size,
    pub(super) cards: Vec<Card>,
    pub(super) lines: Vec<Line>,
    /// Where the cards without any edge begin, if there are others too.
    pub(super) alone_at: Option<i64>,
}

impl Scene {
    pub(super) fn of(picture: &Picture) -> Scene {
        let (edges, loops) = picture.plain_edges();
        let (parts, alone) = parts(picture.nodes.len(), &edges);
        let mut scene = connected(&parts);
        scene.add_alone(&alone);
        scene.add_loops(&loops);
        scene
    }

    /// The cards without edges, as a grid below the rest.
    fn add_alone(&mut self, alone: &[usize]) {
        if alone.is_empty() {
            return;
        }
        let (wide, high) = (CARD.width + GAP, CARD.height + GAP);
        let count = i64::try_from(alone.len()).unwrap_or(i64::MAX);
        let width = self.size.width.max((count * wide * high * 8 / 5).isqrt());
        let columns = ((width + GAP) / wide).clamp(1, count);
        let top = if self.cards.is_empty() { 0 } else { self.size.height + BETWEEN + HEADING };
        self.alone_at = (top > 0).then(|| top - HEADING);
        for (node, place) in alone.iter().zip(0..) {
            let (x, y) = (place % columns * wide, top + place / columns * high);
            self.cards.push(Card { node: *node, x, y });
            self.size.width = self.size.width.max(x + CARD.width);
            self.size.height = y + CARD.height;
        }
    }

    /// An arc below each card that waits for itself.
    fn add_loops(&mut self, loops: &[usize]) {
        let cards = self.cards.iter().filter(|it| loops.contains(&it.node));
        let arc = |it: &Card| {
            let (left, right, bottom) = (it.x + 26, it.x + 58, it.y + CARD.height);
            let pull = bottom + 22;
            let arc = Stop::Curve([(right, pull), (left, pull), (left, bottom + 6)]);
            let tip = Tip { at: (left, bottom), towards: (0, -1) };
            let stops = vec![Stop::At(right, bottom), arc];
            Line { from: it.node, to: it.node, course: Course::Back, stops, tip }
        };
        let arcs: Vec<Line> = cards.map(arc).collect();
        self.size.height += if arcs.is_empty() { 0 } else { 20 };
        self.lines.extend(arcs);
    }
}

/// All parts with edges, in the direction that gives the handier page.
fn connected(parts: &[Part]) -> Scene {
    let mesh = |part: &Part| Mesh::of(part.nodes.len(), &part.edges, room(part.nodes.len()));
    let meshes: Vec<Mesh> = parts.iter().map(mesh).collect();
    let scene = |direction| {
        let panels = parts.iter().zip(&meshes).map(|(part, mesh)| Panel::of(part, mesh, direction));
        compose(panels.collect())
    };
    let (right, down) = (scene(Direction::Right), scene(Direction::Down));
    if unhandy(right.size) <= unhandy(down.size) { right } else { down }
}

/// How many cards a layer may have.
fn room(count: usize) -> usize {
    (count.isqrt() * 5 / 4).max(6)
}

/// How far a page must be made smaller to fit a screen, up to a constant factor.
fn unhandy(size: Size) -> i64 {
    (size.width * 5 / 8).max(size.height)
}

/// The panels on one page, as wide as makes it handiest.
fn compose(panels: Vec<Panel>) -> Scene {
    let sizes: Vec<Size> = panels.iter().map(|it| it.size).collect();
    let area: i64 = sizes.iter().map(|it| (it.width + BETWEEN) * (it.height + BETWEEN)).sum();
    let widest = sizes.iter().map(|it| it.width).max().unwrap_or(0);
    let widths = (4..=8).map(|it| widest.max(area.isqrt() * it / 4));
    let packed = widths.map(|it| pack(&sizes, it, BETWEEN)).min_by_key(|it| unhandy(it.1));
    let (places, size) = packed.unwrap_or_default();
    let mut scene = Scene { size, ..Scene::default() };
    for (panel, (right, down)) in panels.into_iter().zip(places) {
        let cards = panel.cards.into_iter().map(|it| Card { x: it.x + right, y: it.y + down, ..it });
        scene.cards.extend(cards);
        scene.lines.extend(panel.lines.into_iter().map(|it| it.moved((right, down))));
    }
    scene
}
