//! What a change set free: tasks that were blocked before it and are not after it. Not everything that is ready.

use super::draft::Draft;
use crate::{claim::Entry, id::TaskId, task::Status};
use std::sync::Arc;

pub(super) fn freed(draft: &Draft<'_>) -> Vec<TaskId> {
    let mut candidates: Vec<TaskId> = Vec::new();
    for change in draft.touched() {
        let open = |it: &Option<Arc<Entry>>| it.as_ref().is_some_and(|it| it.task.is_open());
        if open(&change.before) && !open(&change.after) {
            candidates.extend(draft.tasks.dependents(&change.id));
        }
        // What was not there did not wait.
        if change.before.is_some() {
            candidates.push(change.id.clone());
        }
    }
    candidates.sort_unstable();
    candidates.dedup();
    candidates.retain(|id| is_freed(draft, id));
    candidates
}

fn is_freed(draft: &Draft<'_>, id: &TaskId) -> bool {
    let (Some(before), Some(after)) = (draft.tasks.get(id), draft.get(id)) else { return false };
    let was_open = |id: &TaskId| draft.tasks.get(id).is_none_or(|it| it.task.is_open());
    let waited = || before.task.blocked_by.iter().any(was_open);
    // A task whose claimant is gone is as good as pending. Asking for that comes last: it is asked of the disk.
    let is_lost = || after.standing.claim.as_ref().is_some_and(|it| !draft.tasks.life(it).is_alive());
    let is_pending = after.task.status == Status::Pending;
    let may_be = is_pending || after.task.is_open() && after.standing.claim.is_some();
    may_be && waited() && draft.open_blockers(&after.task).is_empty() && (is_pending || is_lost())
}
