//! What waits for what, by places: the numbers of tasks in the order of a list. Not which tasks those are, nor what is in
//! them: what can be started follows from this much.

use super::edges::Edges;

/// For so many tasks it is counted one by one what waits for them.
const FEW: usize = 2;

/// The places of a list and what leads from one to the other.
pub struct Web {
    /// For each place whether work remains.
    open: Vec<bool>,
    /// For each place whether it waits for something that is not there.
    lacking: Vec<bool>,
    /// For each place the places it waits for.
    pub(super) blockers: Edges,
    /// For each place the places that wait for it.
    pub(super) dependents: Edges,
}

impl Web {
    /// Places of which these are open and lack something, and pairs of one that waits and what it waits for.
    pub(crate) fn new(open: Vec<bool>, lacking: Vec<bool>, pairs: &[(usize, usize)]) -> Web {
        let blockers = Edges::new(open.len(), pairs);
        let dependents = blockers.turned();
        Web { open, lacking, blockers, dependents }
    }

    /// How many places there are.
    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    /// Whether work remains at a place.
    pub(super) fn is_open(&self, place: usize) -> bool {
        self.open[place]
    }

    /// Whether it waits for anything unfinished or missing.
    pub(crate) fn waits(&self, place: usize) -> bool {
        self.lacking[place] || self.blockers[place].iter().any(|it| self.open[*it])
    }

    /// How many unfinished ones wait for it, near or far.
    pub(super) fn unblocks(&self, place: usize) -> usize {
        self.reach(place, &self.dependents, |it| self.open[it]).len()
    }

    /// The same for some places.
    pub(crate) fn all_unblock(&self, places: &[usize]) -> Vec<usize> {
        if places.len() <= FEW {
            return places.iter().map(|it| self.unblocks(*it)).collect();
        }
        let open: Vec<usize> = places.iter().copied().filter(|it| self.open[*it]).collect();
        let mut counts = self.reach_counts(&open).into_iter();
        let mut count =
            |place: usize| if self.open[place] { counts.next().unwrap_or(0) } else { self.unblocks(place) };
        places.iter().map(|it| count(*it)).collect()
    }

    pub(super) fn reach(&self, from: usize, along: &Edges, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut seen = vec![false; self.len()];
        let mut found = Vec::new();
        let mut open = vec![from];
        seen[from] = true;
        while let Some(place) = open.pop() {
            for next in &along[place] {
                if !std::mem::replace(&mut seen[*next], true) && wanted(*next) {
                    found.push(*next);
                    open.push(*next);
                }
            }
        }
        found
    }

    /// Kahn's algorithm; places in or behind a circle are missing from the result.
    pub(super) fn sorted_places(&self) -> Vec<usize> {
        let mut waiting: Vec<usize> = (0..self.len()).map(|it| self.blockers[it].len()).collect();
        let mut order: Vec<usize> = (0..self.len()).filter(|it| waiting[*it] == 0).collect();
        let mut next = 0;
        while let Some(place) = order.get(next).copied() {
            next += 1;
            for dependent in &self.dependents[place] {
                waiting[*dependent] -= 1;
                if waiting[*dependent] == 0 {
                    order.push(*dependent);
                }
            }
        }
        order
    }
}
