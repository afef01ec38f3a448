//! What is known of the tasks around a decision, from what was looked at to make it: so that an answer can tell of them without
//! another look. Nothing is asked for its sake.

use super::{Decision, Tasks};
use crate::{claim::Entry, id::TaskId};
use std::{collections::HashMap, sync::Arc};

/// The tasks that an answer tells of, as the decision leaves them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Around {
    /// Those that it frees. They wait for nothing.
    pub freed: Vec<Arc<Entry>>,
    /// What each task that it is about still waits for. Those are missing for which that was not looked at.
    pub waits: HashMap<TaskId, Vec<TaskId>>,
}

impl Around {
    pub(super) fn of(tasks: &dyn Tasks, decision: &Decision) -> Around {
        let change = |id: &TaskId| decision.change(id);
        let entry = |id: &TaskId| match change(id) {
            Some(change) => change.after.clone(),
            None => tasks.get(id),
        };
        let is_done = |id: &TaskId| match change(id) {
            Some(change) => Some(change.after.as_ref().is_some_and(|it| !it.task.is_open())),
            None => tasks.is_seen_done(id),
        };
        let waits = |id: &TaskId| {
            let blockers = &change(id)?.after.as_ref()?.task.blocked_by;
            let open = blockers.iter().filter_map(|it| match is_done(it) {
                Some(true) => None,
                Some(false) => Some(Some(it.clone())),
                None => Some(None),
            });
            Some((id.clone(), open.collect::<Option<Vec<_>>>()?))
        };
        Around {
            freed: decision.freed.iter().filter_map(entry).collect(),
            waits: decision.about.iter().filter_map(waits).collect(),
        }
    }
}
