//! Tasks as a picture: what is a node, what is an edge. Not how it is drawn.

use super::{Node, Picture};
use crate::output::visible;
use std::collections::HashMap;
use worklist::{TaskId, TaskView};

/// What becomes of tasks that are waited for and are not among those drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    /// They do not exist, and are drawn as such.
    Drawn,
    /// Only some tasks were asked for.
    LeftOut,
}

impl Picture {
    pub(crate) fn of_tasks(tasks: &[&TaskView], missing: Missing) -> Picture {
        let mut nodes: Vec<Node> = tasks.iter().map(|it| node(it)).collect();
        let mut places: HashMap<TaskId, usize> =
            tasks.iter().enumerate().map(|(n, it)| (it.task.id.clone(), n)).collect();
        let mut edges = Vec::new();
        for (n, view) in tasks.iter().enumerate() {
            for blocker in &view.task.blocked_by {
                if let Some(place) = places.get(blocker) {
                    edges.push((*place, n));
                } else if missing == Missing::Drawn {
                    places.insert(blocker.clone(), nodes.len());
                    edges.push((nodes.len(), n));
                    nodes.push(nobody(blocker));
                }
            }
        }
        Picture { nodes, edges }
    }
}

fn node(view: &TaskView) -> Node {
    Node {
        id: visible(view.task.id.as_str()),
        subject: visible(&view.task.subject),
        owner: view.task.owner.as_deref().map(visible),
        state: Some(view.state),
        parked: view.parked,
    }
}

/// A task that is waited for in vain.
fn nobody(id: &TaskId) -> Node {
    let subject = "does not exist".to_owned();
    Node { id: visible(id.as_str()), subject, owner: None, state: None, parked: false }
}
