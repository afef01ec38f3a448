//! Which places lead to which, in two pieces of memory however many there are. Not what that means.

use std::ops::Index;

/// For each place the places it leads to, in their order.
pub(super) struct Edges {
    /// Where those of each place begin, and behind them all the end.
    starts: Vec<usize>,
    ends: Vec<usize>,
}

impl Edges {
    /// Pairs of so many places, each counted once.
    pub(super) fn new(places: usize, pairs: &[(usize, usize)]) -> Edges {
        let mut starts = starts(places, pairs.iter().map(|(from, _)| *from));
        let (mut ends, mut next) = (vec![0; pairs.len()], starts.clone());
        for (from, to) in pairs {
            ends[next[*from]] = *to;
            next[*from] += 1;
        }
        // Each place has a few, which are soon in order; those that are there twice leave gaps, which are closed on the way.
        let mut kept = 0;
        for place in 0..places {
            let (first, last) = (starts[place], starts[place + 1]);
            ends[first..last].sort_unstable();
            starts[place] = kept;
            for at in first..last {
                if at == first || ends[at] != ends[at - 1] {
                    ends[kept] = ends[at];
                    kept += 1;
                }
            }
        }
        starts[places] = kept;
        ends.truncate(kept);
        Edges { starts, ends }
    }

    /// The same, looked at from the other end.
    pub(super) fn turned(&self) -> Edges {
        let places = self.starts.len() - 1;
        let starts = starts(places, self.ends.iter().copied());
        let (mut ends, mut next) = (vec![0; self.ends.len()], starts.clone());
        for place in 0..places {
            for end in &self[place] {
                ends[next[*end]] = place;
                next[*end] += 1;
            }
        }
        Edges { starts, ends }
    }
}

/// Where the edges of each place begin, if these are the places that edges lead from.
fn starts(places: usize, from: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut starts = vec![0; places + 1];
    from.for_each(|it| starts[it + 1] += 1);
    (0..places).for_each(|it| starts[it + 1] += starts[it]);
    starts
}

impl Index<usize> for Edges {
    type Output = [usize];

    fn index(&self, place: usize) -> &[usize] {
        &self.ends[self.starts[place]..self.starts[place + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_know_the_same() {
        let edges = Edges::new(4, &[(2, 0), (1, 0), (2, 0), (3, 1), (2, 1)]);
        assert_eq!([&edges[0], &edges[1], &edges[2], &edges[3]], [&[][..], &[0], &[0, 1], &[1]]);
        let turned = edges.turned();
        assert_eq!([&turned[0], &turned[1], &turned[2], &turned[3]], [&[1, 2][..], &[2, 3], &[], &[]]);
        assert!(Edges::new(0, &[]).turned().ends.is_empty());
    }
}
