//! Tasks as a tree by what waits for what: each stands once, under the last of the tasks it waits for.

use std::collections::HashMap;
use worklist::{TaskId, TaskView, graph::Graph};

/// What the branches are drawn with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TreeLines {
    Unicode,
    Ascii,
}

/// The tasks in the order of the tree, each with the branches in front of it.
pub(crate) fn tree<'a>(views: &[&'a TaskView], lines: TreeLines) -> Vec<(String, &'a TaskView)> {
    let graph = Graph::new(views.iter().map(|it| &*it.task));
    let Ok(order) = graph.order() else {
        // Tasks that wait for each other in a circle have no tree.
        return views.iter().map(|it| (String::new(), *it)).collect();
    };
    let place: HashMap<&TaskId, usize> = views.iter().enumerate().map(|(n, it)| (&it.task.id, n)).collect();
    let rank: HashMap<&TaskId, usize> = order.into_iter().enumerate().map(|(n, id)| (id, n)).collect();
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); views.len()];
    let mut roots = Vec::new();
    for (n, view) in views.iter().enumerate() {
        let above = view.task.blocked_by.iter().filter(|it| place.contains_key(it));
        match above.max_by_key(|it| rank.get(it)) {
            Some(parent) => below[place[parent]].push(n),
            None => roots.push(n),
        }
    }
    let mut drawn = Vec::new();
    let mut waiting: Vec<(usize, String, String)> =
        roots.into_iter().rev().map(|n| (n, String::new(), String::new())).collect();
    while let Some((n, margin, inner)) = waiting.pop() {
        drawn.push((margin, views[n]));
        let last = below[n].last().copied();
        for child in below[n].iter().rev() {
            let (branch, trunk) = lines.pair(Some(*child) == last);
            waiting.push((*child, format!("{inner}{branch}"), format!("{inner}{trunk}")));
        }
    }
    drawn
}

impl TreeLines {
    /// In front of a task, and in front of what hangs below it.
    fn pair(self, last: bool) -> (&'static str, &'static str) {
        match (self, last) {
            (TreeLines::Unicode, false) => ("├─ ", "│  "),
            (TreeLines::Unicode, true) => ("└─ ", "   "),
            (TreeLines::Ascii, false) => ("|- ", "|  "),
            (TreeLines::Ascii, true) => ("`- ", "   "),
        }
    }
}
