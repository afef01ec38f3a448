//! The columns of lines between two layers: where each leaves one box and arrives at another. Not the rows.

use super::{
    channel::{Ends, Hop, Net},
    plan::Plan,
};
use std::collections::BTreeMap;

/// Columns between two lines that arrive at one box.
const APART: usize = 2;

/// A net with the columns of its steps.
pub(super) struct Cable {
    /// Where each step begins and ends, and which it is.
    pub(super) steps: Vec<(usize, usize, Hop)>,
}

impl Cable {
    pub(super) fn ends(&self) -> Ends {
        let (upper, lower) = self.steps.iter().map(|it| (it.0, it.1)).unzip();
        Ends { upper, lower }
    }
}

impl Plan<'_> {
    /// The nets of one layer with their columns.
    pub(super) fn cables(&self, nets: &BTreeMap<Net, Vec<Hop>>) -> Vec<Cable> {
        let mut begins: BTreeMap<usize, Net> = BTreeMap::new();
        let mut ending: BTreeMap<usize, Vec<(usize, Net)>> = BTreeMap::new();
        for (net, hops) in nets {
            for hop in hops {
                begins.insert(self.upper_port(*net, hop, hops), *net);
            }
            let mut lower: Vec<usize> = hops.iter().map(|it| it.lower).collect();
            lower.dedup();
            for point in lower {
                let from = self.upper_port(*net, &hops[0], hops);
                let from = if matches!(net, Net::To(_)) { self.centre[point] } else { from };
                ending.entry(point).or_default().push((from, *net));
            }
        }
        let mut ends: BTreeMap<(usize, Net), usize> = BTreeMap::new();
        for (point, mut nets) in ending {
            nets.sort_unstable();
            let ports = self.lower_ports(point, &nets, &begins);
            ends.extend(nets.iter().zip(ports).map(|((_, net), port)| ((point, *net), port)));
        }
        let cable = |(net, hops): (&Net, &Vec<Hop>)| {
            let step = |it: &Hop| (self.upper_port(*net, it, hops), ends[&(it.lower, *net)], *it);
            Cable { steps: hops.iter().map(step).collect() }
        };
        nets.iter().map(cable).collect()
    }

    /// The column at which a step of a net begins: below the middle, or straight above the only end.
    fn upper_port(&self, net: Net, hop: &Hop, hops: &[Hop]) -> usize {
        let below = self.centre[hop.lower];
        let is_only = matches!(net, Net::From(_)) && hops.len() == 1 && self.mesh.is_bend(hop.lower);
        if is_only && self.is_inside(hop.upper, below) { below } else { self.centre[hop.upper] }
    }

    /// The columns at which nets end at a point, in their order: straight where they come from, or around the middle,
    /// and if possible not where another one begins.
    fn lower_ports(&self, point: usize, nets: &[(usize, Net)], begins: &BTreeMap<usize, Net>) -> Vec<usize> {
        let middle = self.centre[point];
        if self.mesh.is_bend(point) {
            return vec![middle; nets.len()];
        }
        let (first, last) = self.inside(point);
        let step = ((last - first) / nets.len()).clamp(APART, 6);
        let start = middle - (step * (nets.len() - 1) / 2).min(middle - first);
        let wish =
            |(at, from): (usize, usize)| if self.is_inside(point, from) { from } else { start + at * step };
        let mut ports: Vec<usize> = nets.iter().map(|it| it.0).enumerate().map(wish).collect();
        push_apart(&mut ports, first, last);
        for at in 0..ports.len() {
            let least = if at == 0 { first } else { ports[at - 1] + APART };
            let most = ports.get(at + 1).map_or(last, |it| it - APART);
            let is_free = |it: &usize| begins.get(it).is_none_or(|net| *net == nets[at].1);
            let nearest = (least..=most).filter(is_free).min_by_key(|it| it.abs_diff(ports[at]));
            ports[at] = nearest.unwrap_or(ports[at]);
        }
        ports
    }

    /// The columns between the corners of a box.
    fn inside(&self, point: usize) -> (usize, usize) {
        let left = self.centre[point] - self.widths[point] / 2;
        (left + 1, left + self.widths[point] - 2)
    }

    fn is_inside(&self, point: usize, column: usize) -> bool {
        let inside = |(first, last): (usize, usize)| (first..=last).contains(&column);
        !self.mesh.is_bend(point) && inside(self.inside(point))
    }
}

/// Moves columns so that they are in order, apart, and within bounds that have room for all of them.
fn push_apart(columns: &mut [usize], first: usize, last: usize) {
    let mut least = first;
    for column in columns.iter_mut() {
        *column = (*column).max(least);
        least = *column + APART;
    }
    let mut most = last;
    for column in columns.iter_mut().rev() {
        *column = (*column).min(most);
        most = column.saturating_sub(APART);
    }
}
