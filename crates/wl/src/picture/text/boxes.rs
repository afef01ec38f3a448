//! Ways to show one connected part of the graph as boxes with lines between them. Not how one of them is drawn.

use super::{
    canvas::{Canvas, Weight},
    channel::{Hop, Net, nets},
    mark,
    plan::Plan,
};
use crate::picture::{
    Charset, Picture,
    chain::Chain,
    layout::{Mesh, Part, Spacing, centres},
    words,
};
use std::collections::BTreeMap;
use unicode_width::UnicodeWidthStr;

/// How many boxes a layer may have, and how many columns the text in a box: what is tried, best first.
const TRIES: [(usize, &[usize]); 7] = [
    (usize::MAX, &[44, 36, 30, 26, 22, 19]),
    (6, &[24]),
    (5, &[24]),
    (4, &[24]),
    (3, &[30, 24]),
    (2, &[30, 24, 18]),
    (1, &[30]),
];

/// What is the same for all parts.
pub(super) struct Sheet<'a> {
    pub(super) picture: &'a Picture,
    pub(super) chain: &'a Chain,
    pub(super) charset: Charset,
    pub(super) width: usize,
}

impl Sheet<'_> {
    /// A part as boxes, if there is a way that fits and can be read.
    pub(super) fn draw(&self, part: &Part) -> Option<Canvas> {
        let mut depth = None;
        TRIES.iter().find_map(|(room, columns)| {
            let mesh = Mesh::of(part.nodes.len(), &part.edges, *room);
            // Broken into many more layers than it has, a graph is not itself any more.
            let natural = *depth.get_or_insert(mesh.layers.len());
            if mesh.layers.len() > natural + natural / 2 + 1 {
                return None;
            }
            columns.iter().find_map(|it| self.plan(part, &mesh, *it)?.draw())
        })
    }

    fn plan<'a>(&'a self, part: &'a Part, mesh: &'a Mesh, columns: usize) -> Option<Plan<'a>> {
        let hops = self.hops(part, mesh);
        let nets: Vec<BTreeMap<Net, Vec<Hop>>> = hops.iter().map(|it| nets(it)).collect();
        let mut ports = vec![0; mesh.nodes];
        for hops in nets.iter().flat_map(BTreeMap::values) {
            let mut lower: Vec<usize> = hops.iter().map(|it| it.lower).collect();
            lower.sort_unstable();
            lower.dedup();
            for point in lower.into_iter().filter(|it| !mesh.is_bend(*it)) {
                ports[point] += 1;
            }
        }
        let labels: Vec<Vec<String>> = part.nodes.iter().map(|it| self.label(*it, columns)).collect();
        let widths = labels.iter().zip(ports).map(|(label, ports)| (widest(label) + 4).max(2 * ports + 3));
        let widths: Vec<usize> = widths.collect();
        let breadth: Vec<i64> = widths.iter().map(|it| i64::try_from(*it).unwrap_or(i64::MAX)).collect();
        let most = i64::try_from(self.width).unwrap_or(i64::MAX);
        let centre = centres(mesh, &breadth, Spacing { nodes: 2, bends: 2, most });
        let centre: Vec<usize> = centre.into_iter().map(|it| usize::try_from(it).unwrap_or(0)).collect();
        let last = |point: usize| centre[point] + widths.get(point).map_or(1, |it| it - it / 2);
        let width = (0..centre.len()).map(last).max().unwrap_or(0);
        (width <= self.width).then_some(Plan { sheet: self, part, mesh, nets, labels, widths, centre, width })
    }

    /// For each layer the steps that leave it.
    fn hops(&self, part: &Part, mesh: &Mesh) -> Vec<Vec<Hop>> {
        let layer_of = mesh.layer_of();
        let mut hops: Vec<BTreeMap<(usize, usize), Weight>> = vec![BTreeMap::new(); mesh.layers.len()];
        for wire in &mesh.wires {
            let (from, to) = (part.nodes[wire.arrow.from], part.nodes[wire.arrow.to]);
            let weight = if self.chain.has_step(from, to) { Weight::Heavy } else { Weight::Light };
            for step in wire.path.windows(2) {
                let found = hops[layer_of[step[0]]].entry((step[0], step[1])).or_default();
                *found = (*found).max(weight);
            }
        }
        let plain = |it: BTreeMap<(usize, usize), Weight>| {
            it.into_iter().map(|((upper, lower), weight)| Hop { upper, lower, weight }).collect()
        };
        hops.into_iter().map(plain).collect()
    }

    /// What stands in a box: the mark, and one or two lines beside it.
    fn label(&self, node: usize, columns: usize) -> Vec<String> {
        let it = &self.picture.nodes[node];
        let text = format!("#{} {}", it.id, it.subject);
        let mark = mark(it.look());
        let room = columns - words::columns(mark) - 1;
        let lines = words::wrap(&text, room, super::cut_mark(self.charset), UnicodeWidthStr::width);
        let marks = [mark, "   "].into_iter();
        marks.zip(lines).map(|(mark, line)| format!("{mark} {line}")).collect()
    }
}

pub(super) fn widest(lines: &[String]) -> usize {
    lines.iter().map(|it| words::columns(it)).max().unwrap_or(0)
}
