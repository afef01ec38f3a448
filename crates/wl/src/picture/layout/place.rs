//! Where in its layer a point lies: long lines straight, nodes near the middle of their neighbours (after Brandes and
//! Köpf). Not the order, which is given.

use super::{
    mesh::Mesh,
    relax::{packed, relaxed},
};
use std::collections::HashSet;

/// What must lie between two points side by side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spacing {
    /// Between two nodes.
    pub(crate) nodes: i64,
    /// Between a bend and whatever is next to it.
    pub(crate) bends: i64,
    /// How broad all of it should be at most, if that can be had.
    pub(crate) most: i64,
}

/// For each point where its middle lies; the first edge of any node is at 0. `breadth` is of the nodes; a bend has a
/// breadth of one.
pub(crate) fn centres(mesh: &Mesh, breadth: &[i64], spacing: Spacing) -> Vec<i64> {
    let straight = straight(mesh, breadth, spacing);
    let tightest = extent(&packed(mesh, breadth, spacing), breadth);
    // Straight lines are worth some room, but not half the page.
    let most = spacing.most.min(tightest.saturating_mul(3) / 2);
    let mut centres =
        if extent(&straight, breadth) > most { relaxed(mesh, breadth, spacing) } else { straight };
    let first = first(&centres, breadth);
    for it in &mut centres {
        *it -= first;
    }
    centres
}

fn first(centres: &[i64], breadth: &[i64]) -> i64 {
    (0..centres.len()).map(|it| centres[it] - half(breadth, it).0).min().unwrap_or(0)
}

fn extent(centres: &[i64], breadth: &[i64]) -> i64 {
    let last = (0..centres.len()).map(|it| centres[it] + half(breadth, it).1).max().unwrap_or(0);
    last - first(centres, breadth)
}

/// Places with straight long lines: seen from four corners, then the middle of what was found.
fn straight(mesh: &Mesh, breadth: &[i64], spacing: Spacing) -> Vec<i64> {
    let conflicts = conflicts(mesh);
    let mut found = Vec::new();
    for vertical in [Vertical::Up, Vertical::Down] {
        for side in [Side::Left, Side::Right] {
            let view = View::of(mesh, vertical, side);
            let blocks = view.align(&conflicts);
            let sign = if side == Side::Left { 1 } else { -1 };
            let centres = view.compact(&blocks, breadth, spacing).into_iter().map(|it| it * sign);
            found.push((side, centres.collect()));
        }
    }
    balance(found)
}

/// What of a point lies before its middle, and what from there on.
fn half(breadth: &[i64], point: usize) -> (i64, i64) {
    let whole = breadth.get(point).copied().unwrap_or(1);
    (whole / 2, whole - whole / 2)
}

#[derive(Debug, Clone, Copy)]
enum Vertical {
    Up,
    Down,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// Lines from node to bend or node that cross a line between two bends; they give way.
fn conflicts(mesh: &Mesh) -> HashSet<(usize, usize)> {
    let places = mesh.places();
    let mut conflicts = HashSet::new();
    for layer in mesh.layers.iter().skip(1) {
        let mut left = 0;
        let mut begin = 0;
        for (at, point) in layer.iter().enumerate() {
            let bend = mesh.up[*point].first().filter(|it| mesh.is_bend(**it) && mesh.is_bend(*point));
            if bend.is_none() && at + 1 < layer.len() {
                continue;
            }
            let right = bend.map_or(usize::MAX, |it| places[*it]);
            for lower in &layer[begin..=at] {
                for upper in &mesh.up[*lower] {
                    let inner = mesh.is_bend(*upper) && mesh.is_bend(*lower);
                    if !inner && !(left..=right).contains(&places[*upper]) {
                        conflicts.insert((*upper, *lower));
                    }
                }
            }
            begin = at + 1;
            left = if bend.is_some() { right } else { left };
        }
    }
    conflicts
}

/// The mesh as it is seen from one of its four corners.
struct View<'a> {
    layers: Vec<Vec<usize>>,
    near: &'a [Vec<usize>],
    places: Vec<usize>,
}

impl View<'_> {
    fn of(mesh: &Mesh, vertical: Vertical, side: Side) -> View<'_> {
        let mut layers = mesh.layers.clone();
        if side == Side::Right {
            for layer in &mut layers {
                layer.reverse();
            }
        }
        let near = match vertical {
            Vertical::Up => &mesh.up,
            Vertical::Down => &mesh.down,
        };
        if matches!(vertical, Vertical::Down) {
            layers.reverse();
        }
        let mut places = vec![0; mesh.up.len()];
        for layer in &layers {
            for (place, point) in layer.iter().enumerate() {
                places[*point] = place;
            }
        }
        View { layers, near, places }
    }

    /// For each point the first of the block that it is in. Points of a block lie one straight below the other.
    fn align(&self, conflicts: &HashSet<(usize, usize)>) -> Vec<usize> {
        let mut block: Vec<usize> = (0..self.near.len()).collect();
        let mut is_taken = vec![false; self.near.len()];
        for layer in &self.layers {
            // The first place in the layer before that is still free to be aligned with.
            let mut free = 0;
            for point in layer {
                let mut near = self.near[*point].clone();
                near.sort_by_key(|it| self.places[*it]);
                let middle = near.len().saturating_sub(1) / 2..(near.len() / 2 + 1).min(near.len());
                for other in near[middle].iter().copied() {
                    let bad = conflicts.contains(&(other, *point)) || conflicts.contains(&(*point, other));
                    if block[*point] == *point && !is_taken[other] && self.places[other] >= free && !bad {
                        block[*point] = block[other];
                        is_taken[other] = true;
                        free = self.places[other] + 1;
                    }
                }
            }
        }
        block
    }

    /// For each point a middle, as far left as the blocks before it allow, then as near to those behind as is free.
    fn compact(&self, block: &[usize], breadth: &[i64], spacing: Spacing) -> Vec<i64> {
        let mut behind: Vec<Vec<(usize, i64)>> = vec![Vec::new(); block.len()];
        let mut waiting = vec![0_usize; block.len()];
        for layer in &self.layers {
            for pair in layer.windows(2) {
                let apart = apart(breadth, spacing, pair[0], pair[1]);
                behind[block[pair[0]]].push((block[pair[1]], apart));
                waiting[block[pair[1]]] += 1;
            }
        }
        let mut order: Vec<usize> =
            (0..block.len()).filter(|it| block[*it] == *it && waiting[*it] == 0).collect();
        let mut at = vec![0_i64; block.len()];
        let mut next = 0;
        while let Some(one) = order.get(next).copied() {
            next += 1;
            for (other, apart) in &behind[one] {
                at[*other] = at[*other].max(at[one] + apart);
                waiting[*other] -= 1;
                if waiting[*other] == 0 {
                    order.push(*other);
                }
            }
        }
        for one in order.into_iter().rev() {
            let most = behind[one].iter().map(|(other, apart)| at[*other] - apart).min();
            at[one] = most.map_or(at[one], |it| it.max(at[one]));
        }
        block.iter().map(|it| at[*it]).collect()
    }
}

/// How far the middles of two points side by side must be from each other, whichever comes first.
pub(super) fn apart(breadth: &[i64], spacing: Spacing, one: usize, other: usize) -> i64 {
    let are_nodes = one < breadth.len() && other < breadth.len();
    let gap = if are_nodes { spacing.nodes } else { spacing.bends };
    half(breadth, one).1 + gap + half(breadth, other).1
}

/// The four answers laid over each other at the edge of the narrowest; each point in the middle of its middle two.
fn balance(mut found: Vec<(Side, Vec<i64>)>) -> Vec<i64> {
    let ends = |it: &[i64]| {
        let least = it.iter().copied().min().unwrap_or(0);
        (least, it.iter().copied().max().unwrap_or(0))
    };
    let narrowest = found.iter().map(|(_, it)| ends(it)).min_by_key(|(low, high)| high - low);
    let (low, high) = narrowest.unwrap_or((0, 0));
    for (side, centres) in &mut found {
        let (its_low, its_high) = ends(centres);
        let shift = if *side == Side::Left { low - its_low } else { high - its_high };
        for it in centres {
            *it += shift;
        }
    }
    let count = found.first().map_or(0, |(_, it)| it.len());
    let middle = |point: usize| {
        let mut four: Vec<i64> = found.iter().map(|(_, it)| it[point]).collect();
        four.sort_unstable();
        (four[1] + four[2]).div_euclid(2)
    };
    (0..count).map(middle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACING: Spacing = Spacing { nodes: 4, bends: 2, most: i64::MAX };

    #[test]
    fn a_node_stands_over_the_middle_of_what_follows() {
        let mesh = Mesh::of(4, &[(0, 1), (0, 2), (1, 3), (2, 3)], usize::MAX);
        assert_eq!(centres(&mesh, &[10; 4], SPACING), [12, 5, 19, 12]);
    }

    #[test]
    fn a_long_line_is_straight() {
        let mesh = Mesh::of(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)], usize::MAX);
        let centres = centres(&mesh, &[10; 5], SPACING);
        let bends: HashSet<i64> = centres[5..].iter().copied().collect();
        assert_eq!(bends.len(), 1);
    }
}
