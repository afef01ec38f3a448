//! Nodes in layers, and lines that cross one layer at a time. Not where they are drawn.

use super::{
    acyclic::{Arrow, arrows},
    order::untangle,
    rank::ranks,
};
use std::collections::HashMap;

/// How many layers all lines together may pass. The longest ones beyond that go straight, behind the cards.
const MOST_PASSED: usize = 120_000;

/// Nodes and bends, together called points: the nodes come first.
#[derive(Debug, Default)]
pub(crate) struct Mesh {
    /// How many of the points are nodes.
    pub(crate) nodes: usize,
    /// For each layer its points in their order.
    pub(crate) layers: Vec<Vec<usize>>,
    /// For each point those it is tied to in the layer before.
    pub(super) up: Vec<Vec<usize>>,
    /// The same in the layer behind.
    pub(super) down: Vec<Vec<usize>>,
    pub(crate) wires: Vec<Wire>,
    /// Per node and direction the bends of its longest line so far.
    trunks: HashMap<(usize, bool), Vec<usize>>,
    /// How many layers the lines pass so far.
    passed: usize,
}

/// One edge as a line.
#[derive(Debug)]
pub(crate) struct Wire {
    pub(crate) arrow: Arrow,
    /// The points it goes through, both ends included, from the first layer to the last.
    pub(crate) path: Vec<usize>,
}

impl Mesh {
    /// The layers of a graph, with at most `room` nodes in each, and lines that cross as little as is easily had.
    pub(crate) fn of(count: usize, edges: &[(usize, usize)], room: usize) -> Mesh {
        let mut arrows = arrows(count, edges);
        let rank = ranks(count, &arrows, room);
        let mut layers = vec![Vec::new(); rank.iter().max().map_or(0, |it| it + 1)];
        for (node, layer) in rank.iter().enumerate() {
            layers[*layer].push(node);
        }
        let (up, down) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        let mut mesh = Mesh { nodes: count, layers, up, down, ..Mesh::default() };
        arrows.sort_by_key(|it| (rank[it.to] - rank[it.from], it.from, it.to));
        for arrow in arrows {
            mesh.lay(arrow, &rank);
        }
        untangle(&mut mesh);
        mesh
    }

    pub(crate) fn is_bend(&self, point: usize) -> bool {
        point >= self.nodes
    }

    /// Points and lines together: what one look at everything costs.
    pub(super) fn weight(&self) -> usize {
        self.up.len() + self.up.iter().map(Vec::len).sum::<usize>()
    }

    /// For each point its layer.
    pub(crate) fn layer_of(&self) -> Vec<usize> {
        let mut layer_of = vec![0; self.up.len()];
        for (layer, points) in self.layers.iter().enumerate() {
            for point in points {
                layer_of[*point] = layer;
            }
        }
        layer_of
    }

    /// For each point its place within its layer.
    pub(super) fn places(&self) -> Vec<usize> {
        let mut places = vec![0; self.up.len()];
        for layer in &self.layers {
            for (place, point) in layer.iter().enumerate() {
                places[*point] = place;
            }
        }
        places
    }

    /// Lays a line. All long lines from one node share a trunk, which the shorter ones leave earlier.
    fn lay(&mut self, arrow: Arrow, rank: &[usize]) {
        let (from, to) = (rank[arrow.from], rank[arrow.to]);
        let mut trunk = self.trunks.remove(&(arrow.from, arrow.turned)).unwrap_or_default();
        let mut path = vec![arrow.from];
        let between = to - from - 1;
        if self.passed + between <= MOST_PASSED {
            self.passed += between;
            for layer in from + 1 + trunk.len()..to {
                let bend = self.bend(layer);
                self.tie(trunk.last().copied().unwrap_or(arrow.from), bend);
                trunk.push(bend);
            }
            path.extend(&trunk[..between]);
            self.tie(path[path.len() - 1], arrow.to);
        }
        path.push(arrow.to);
        self.trunks.insert((arrow.from, arrow.turned), trunk);
        self.wires.push(Wire { arrow, path });
    }

    fn bend(&mut self, layer: usize) -> usize {
        let bend = self.up.len();
        self.up.push(Vec::new());
        self.down.push(Vec::new());
        // In the middle, so that lines leave a trunk to both sides.
        let middle = self.layers[layer].len() / 2;
        self.layers[layer].insert(middle, bend);
        bend
    }

    fn tie(&mut self, upper: usize, lower: usize) {
        self.down[upper].push(lower);
        self.up[lower].push(upper);
    }
}
