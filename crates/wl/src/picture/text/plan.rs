//! A part with everything in its place, and how it gets onto the canvas. Not which of several ways is taken.

use super::{
    boxes::{Sheet, widest},
    cable::Cable,
    canvas::{Canvas, Weight},
    channel::{Hop, Net, tracks},
    paint,
};
use crate::picture::{
    Charset,
    layout::{Mesh, Part},
};
use anstyle::Style;
use std::collections::BTreeMap;

/// More rows than that between two layers are a tangle.
const MOST_TRACKS: usize = 9;

/// A part with everything that is needed to draw it.
pub(super) struct Plan<'a> {
    pub(super) sheet: &'a Sheet<'a>,
    pub(super) part: &'a Part,
    pub(super) mesh: &'a Mesh,
    /// For each layer the lines that leave it.
    pub(super) nets: Vec<BTreeMap<Net, Vec<Hop>>>,
    pub(super) labels: Vec<Vec<String>>,
    pub(super) widths: Vec<usize>,
    pub(super) centre: Vec<usize>,
    pub(super) width: usize,
}

impl Plan<'_> {
    /// The drawing, unless its lines are a tangle.
    pub(super) fn draw(&self) -> Option<Canvas> {
        let cables: Vec<Vec<Cable>> = self.nets.iter().map(|it| self.cables(it)).collect();
        let rows: Vec<Vec<Option<usize>>> = cables
            .iter()
            .map(|it| tracks(&it.iter().map(Cable::ends).collect::<Vec<_>>()))
            .collect::<Option<_>>()?;
        let used: Vec<usize> =
            rows.iter().map(|it| it.iter().flatten().max().map_or(0, |it| it + 1)).collect();
        if used.iter().any(|it| *it > MOST_TRACKS) {
            return None;
        }
        // Each layer is followed by the rows in which lines turn, and one for the heads of arrows.
        let mut tops = vec![0];
        for (layer, used) in used.iter().enumerate() {
            tops.push(tops[layer] + self.height(layer) + used + 1);
        }
        let mut canvas = Canvas::new(self.width, tops[tops.len() - 1] - 1);
        for (layer, points) in self.mesh.layers.iter().enumerate() {
            let bottom = tops[layer] + self.height(layer) - 1;
            for point in points {
                self.point(&mut canvas, *point, (tops[layer], bottom));
            }
            for (net, (cable, row)) in cables[layer].iter().zip(&rows[layer]).enumerate() {
                let turn = bottom + 1 + row.unwrap_or(0);
                self.cable(&mut canvas, cable, [bottom, turn, tops[layer + 1]], net);
            }
        }
        Some(canvas)
    }

    /// The rows of a layer: its highest box.
    fn height(&self, layer: usize) -> usize {
        let labels = self.mesh.layers[layer].iter().filter_map(|it| self.labels.get(*it));
        2 + labels.map(Vec::len).max().unwrap_or(1)
    }

    fn point(&self, canvas: &mut Canvas, point: usize, rows: (usize, usize)) {
        let x = self.centre[point];
        if self.mesh.is_bend(point) {
            let heavy = |it: &Hop| it.upper == point && it.weight == Weight::Heavy;
            let is_heavy = self.nets.iter().flat_map(BTreeMap::values).flatten().any(heavy);
            let weight = if is_heavy { Weight::Heavy } else { Weight::Light };
            canvas.down(x, rows.0, rows.1, weight, point);
            return;
        }
        let (left, width) = (x - self.widths[point] / 2, self.widths[point]);
        let node = self.part.nodes[point];
        let weight = if self.sheet.chain.has(node) { Weight::Heavy } else { Weight::Light };
        canvas.frame((left, left + width - 1), rows, weight);
        let indent = left + 2 + (width - 4 - widest(&self.labels[point])) / 2;
        let style = paint(self.sheet.picture.nodes[node].look());
        for (line, row) in self.labels[point].iter().zip(rows.0 + 1..) {
            canvas.write(indent, row, line, style);
        }
    }

    /// Draws a line from the last row of a layer by the row where it turns to the first row of the next layer.
    fn cable(&self, canvas: &mut Canvas, cable: &Cable, [from, turn, to]: [usize; 3], net: usize) {
        for (upper, lower, hop) in &cable.steps {
            canvas.tie(*upper, from, hop.weight);
            canvas.down(*upper, from + 1, turn, hop.weight, net);
            canvas.across(turn, *upper.min(lower), *upper.max(lower), hop.weight, net);
            canvas.down(*lower, turn, to - 1, hop.weight, net);
        }
        for (_, lower, hop) in &cable.steps {
            if self.mesh.is_bend(hop.lower) {
                canvas.tie(*lower, to - 1, hop.weight);
            } else {
                let head = if self.sheet.charset == Charset::Ascii { "v" } else { "▼" };
                canvas.write(*lower, to - 1, head, Style::new());
            }
        }
    }
}
