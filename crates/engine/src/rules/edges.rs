//! Adding and removing "waits for", always on both ends. A circle is refused when it would be closed.

use super::{Refusal, draft::Draft};
use crate::id::TaskId;
use std::collections::{HashMap, VecDeque};

/// Makes `task` wait for `blocker`.
pub(super) fn add(
    draft: &mut Draft<'_>,
    blocker: &TaskId,
    task: &TaskId,
    allow_missing: bool,
) -> Result<(), Refusal> {
    if blocker == task {
        return Err(Refusal::SelfEdge { id: task.clone() });
    }
    if !allow_missing {
        draft.require(blocker)?;
        draft.require(task)?;
    }
    if draft.get(task).is_some_and(|it| it.task.blocked_by.contains(blocker)) {
        return Ok(());
    }
    if let Some(way) = way(draft, blocker, task) {
        let path = std::iter::once(task.clone()).chain(way).collect();
        return Err(Refusal::Cycle { path });
    }
    set(draft, blocker, task);
    Ok(())
}

/// Notes an edge on both ends, without asking whether it may be.
pub(super) fn set(draft: &mut Draft<'_>, blocker: &TaskId, task: &TaskId) {
    draft.edit(task, |it| join(&mut it.task.blocked_by, blocker));
    draft.edit(blocker, |it| join(&mut it.task.blocks, task));
}

fn join(ids: &mut Vec<TaskId>, id: &TaskId) {
    if !ids.contains(id) {
        ids.push(id.clone());
    }
}

/// Takes an edge away from both ends.
pub(super) fn remove(draft: &mut Draft<'_>, blocker: &TaskId, task: &TaskId) {
    draft.edit(task, |it| it.task.blocked_by.retain(|it| it != blocker));
    draft.edit(blocker, |it| it.task.blocks.retain(|it| it != task));
}

/// The shortest way from a task to another along "waits for", both ends included.
fn way(draft: &Draft<'_>, from: &TaskId, to: &TaskId) -> Option<Vec<TaskId>> {
    let mut came_from: HashMap<TaskId, Option<TaskId>> = HashMap::from([(from.clone(), None)]);
    let mut open = VecDeque::from([from.clone()]);
    while let Some(id) = open.pop_front() {
        if id == *to {
            let mut path = vec![id];
            while let Some(Some(before)) = came_from.get(&path[path.len() - 1]) {
                path.push(before.clone());
            }
            path.reverse();
            return Some(path);
        }
        for blocker in draft.get(&id).map(|it| it.task.blocked_by.clone()).unwrap_or_default() {
            if !came_from.contains_key(&blocker) {
                came_from.insert(blocker.clone(), Some(id.clone()));
                open.push_back(blocker);
            }
        }
    }
    None
}
