//! The longest chain of open tasks: what the whole takes at least. Not a layout.

use super::{Look, Picture};
use std::collections::HashSet;

impl Picture {
    /// The longest chain of tasks that are not completed, in order. Missing tasks and tasks in or behind a circle are
    /// left out. Of equally long chains it is the one that comes first.
    pub(crate) fn critical(&self) -> Vec<usize> {
        let mut blockers = vec![Vec::new(); self.nodes.len()];
        for (from, to) in self.plain_edges().0 {
            blockers[to].push(from);
        }
        let mut length = vec![0_usize; self.nodes.len()];
        let mut before = vec![None; self.nodes.len()];
        for node in self.sorted() {
            if matches!(self.nodes[node].look(), Look::Completed | Look::Missing) {
                continue;
            }
            let longest = blockers[node].iter().copied().rev().max_by_key(|it| length[*it]);
            before[node] = longest.filter(|it| length[*it] > 0);
            length[node] = 1 + before[node].map_or(0, |it: usize| length[it]);
        }
        let mut at = (0..length.len()).rev().max_by_key(|it| length[*it]).filter(|it| length[*it] > 0);
        let mut chain = Vec::new();
        while let Some(node) = at {
            chain.push(node);
            at = before[node];
        }
        chain.reverse();
        chain
    }

    /// Each node after all it waits for; without those in or behind a circle.
    fn sorted(&self) -> Vec<usize> {
        let (edges, loops) = self.plain_edges();
        let mut waiting = vec![0_usize; self.nodes.len()];
        let mut dependents = vec![Vec::new(); self.nodes.len()];
        for (from, to) in edges.into_iter().chain(loops.into_iter().map(|it| (it, it))) {
            dependents[from].push(to);
            waiting[to] += 1;
        }
        let mut order: Vec<usize> = (0..waiting.len()).filter(|it| waiting[*it] == 0).collect();
        let mut next = 0;
        while let Some(node) = order.get(next).copied() {
            next += 1;
            for dependent in &dependents[node] {
                waiting[*dependent] -= 1;
                if waiting[*dependent] == 0 {
                    order.push(*dependent);
                }
            }
        }
        order
    }
}

/// The critical chain as it is marked in drawings. A chain of one task says nothing, so it is not marked.
pub(super) struct Chain {
    pub(super) nodes: Vec<usize>,
    steps: HashSet<(usize, usize)>,
    members: HashSet<usize>,
}

impl Chain {
    pub(super) fn of(picture: &Picture) -> Chain {
        let nodes = Some(picture.critical()).filter(|it| it.len() > 1).unwrap_or_default();
        let steps = nodes.windows(2).map(|it| (it[0], it[1])).collect();
        Chain { steps, members: nodes.iter().copied().collect(), nodes }
    }

    pub(super) fn has(&self, node: usize) -> bool {
        self.members.contains(&node)
    }

    pub(super) fn has_step(&self, from: usize, to: usize) -> bool {
        self.steps.contains(&(from, to))
    }
}
