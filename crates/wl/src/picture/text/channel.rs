//! Lines between two layers: who shares one, at which column each begins and ends, and in which row it turns.
//! Knows no signs.

use super::canvas::Weight;
use std::collections::{BTreeMap, HashMap};

/// A step of a line from a point of one layer to a point of the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hop {
    pub(super) upper: usize,
    pub(super) lower: usize,
    pub(super) weight: Weight,
}

/// Steps that are drawn as one line: all from one point, or all to one point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Net {
    From(usize),
    To(usize),
}

/// Which steps are drawn together: those into one point that have their beginnings for themselves, else those from
/// one point. So no two nets ever meet, and every joint in the drawing is one.
pub(super) fn nets(hops: &[Hop]) -> BTreeMap<Net, Vec<Hop>> {
    let mut leaving: HashMap<usize, usize> = HashMap::new();
    for hop in hops {
        *leaving.entry(hop.upper).or_default() += 1;
    }
    let mut merging: HashMap<usize, usize> = HashMap::new();
    for hop in hops.iter().filter(|it| leaving[&it.upper] == 1) {
        *merging.entry(hop.lower).or_default() += 1;
    }
    let mut nets: BTreeMap<Net, Vec<Hop>> = BTreeMap::new();
    for hop in hops {
        let merges = leaving[&hop.upper] == 1 && merging[&hop.lower] > 1;
        let net = if merges { Net::To(hop.lower) } else { Net::From(hop.upper) };
        nets.entry(net).or_default().push(*hop);
    }
    nets
}

/// The columns at which a net begins and ends.
#[derive(Debug)]
pub(super) struct Ends {
    pub(super) upper: Vec<usize>,
    pub(super) lower: Vec<usize>,
}

impl Ends {
    fn all(&self) -> impl Iterator<Item = usize> {
        self.upper.iter().chain(&self.lower).copied()
    }

    /// From the leftmost to the rightmost column.
    pub(super) fn span(&self) -> (usize, usize) {
        (self.all().min().unwrap_or(0), self.all().max().unwrap_or(0))
    }

    fn is_straight(&self) -> bool {
        let (first, last) = self.span();
        first == last
    }
}

/// For each net the row in which it turns aside, if it does; nothing where the nets are so knotted that no rows will do.
pub(super) fn tracks(nets: &[Ends]) -> Option<Vec<Option<usize>>> {
    let above = above(nets);
    let mut rows: Vec<Option<usize>> = vec![None; nets.len()];
    let mut open: Vec<usize> = (0..nets.len()).filter(|it| !nets[*it].is_straight()).collect();
    open.sort_by_key(|it| nets[*it].span());
    while !open.is_empty() {
        let is_free = |net: &usize| above[*net].iter().all(|it| rows[*it].is_some());
        let place = open.iter().position(is_free)?;
        let net = open.remove(place);
        let first = above[net].iter().filter_map(|it| rows[*it]).max().map_or(0, |it| it + 1);
        let is_clear = |row: &usize| {
            let others = (0..nets.len()).filter(|it| rows[*it] == Some(*row));
            others.map(|it| nets[it].span()).all(|it| apart(it, nets[net].span()))
        };
        // In a row for each of them, there is always one more.
        rows[net] = (first..=first + nets.len()).find(is_clear);
    }
    Some(rows)
}

/// For each net those that must turn before it: they come from above in a column by which it goes on.
fn above(nets: &[Ends]) -> Vec<Vec<usize>> {
    let mut begins: HashMap<usize, usize> = HashMap::new();
    for (net, ends) in nets.iter().enumerate() {
        begins.extend(ends.upper.iter().map(|it| (*it, net)));
    }
    let of = |net: usize, ends: &Ends| {
        let above = ends.lower.iter().filter_map(|it| begins.get(it)).copied();
        above.filter(|it| *it != net).collect()
    };
    nets.iter().enumerate().map(|(net, ends)| of(net, ends)).collect()
}

fn apart(one: (usize, usize), other: (usize, usize)) -> bool {
    one.1 + 1 < other.0 || other.1 + 1 < one.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hop(upper: usize, lower: usize) -> Hop {
        Hop { upper, lower, weight: Weight::Light }
    }

    #[test]
    fn lines_are_shared_where_that_is_clear() {
        let keys = |hops: &[Hop]| nets(hops).into_keys().collect::<Vec<_>>();
        assert_eq!(keys(&[hop(0, 1), hop(0, 2)]), [Net::From(0)]);
        assert_eq!(keys(&[hop(1, 3), hop(2, 3)]), [Net::To(3)]);
        assert_eq!(keys(&[hop(0, 2), hop(0, 3), hop(1, 3)]), [Net::From(0), Net::From(1)]);
    }

    #[test]
    fn lines_that_would_lie_over_each_other_turn_in_different_rows() {
        let ends = |upper: &[usize], lower: &[usize]| Ends { upper: upper.into(), lower: lower.into() };
        assert_eq!(tracks(&[ends(&[4], &[4])]), Some(vec![None]));
        assert_eq!(tracks(&[ends(&[0], &[4]), ends(&[8], &[12])]), Some(vec![Some(0), Some(0)]));
        assert_eq!(tracks(&[ends(&[0], &[8]), ends(&[8], &[14])]), Some(vec![Some(1), Some(0)]));
        assert_eq!(tracks(&[ends(&[0], &[8]), ends(&[8], &[0])]), None);
    }
}
