//! The longest chain of open tasks: what the whole takes at least. Not a layout.

use super::{Look, Picture};
use std::collections::HashSet;
use worklist::{Status, Task, TaskId, graph::Graph};

impl Picture {
    /// The longest chain of tasks that are not completed, in order, as the engine finds it. Missing tasks are no part
    /// of it.
    pub(crate) fn critical(&self) -> Vec<usize> {
        let id = |node: usize| TaskId::from(node as u64);
        let mut tasks: Vec<Task> = (0..self.nodes.len()).map(|it| Task::new(id(it), "")).collect();
        for (from, to) in self.edges.iter().filter(|(from, to)| from.max(to) < &self.nodes.len()) {
            tasks[*to].blocked_by.push(id(*from));
        }
        for (task, node) in tasks.iter_mut().zip(&self.nodes) {
            if node.look() == Look::Completed {
                task.status = Status::Completed;
            }
        }
        let there = tasks.iter().zip(&self.nodes).filter(|(_, node)| node.look() != Look::Missing);
        let graph = Graph::new(there.map(|(task, _)| task));
        let numbers = graph.critical_path().into_iter().filter_map(TaskId::number);
        numbers.filter_map(|it| usize::try_from(it).ok()).collect()
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
