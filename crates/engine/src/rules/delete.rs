//! Removing a task and every reference to it. The event keeps it whole: undo brings it back with its edges.

use super::{Decision, Refusal, draft::Draft};
use crate::id::TaskId;

pub(super) fn decide(draft: &mut Draft<'_>, id: &TaskId, force: bool) -> Result<Decision, Refusal> {
    let entry = draft.require(id)?;
    if !force {
        draft.not_anothers(&entry, None)?;
    }
    for mut other in draft.all().into_iter().filter(|it| it.task.id != *id) {
        let task = &mut other.task;
        let edges = task.blocks.len() + task.blocked_by.len();
        task.blocks.retain(|it| it != id);
        task.blocked_by.retain(|it| it != id);
        let child = task.parent.take_if(|it| it == id).is_some();
        if child || edges != task.blocks.len() + task.blocked_by.len() {
            draft.put(other);
        }
    }
    draft.remove(id);
    Ok(Decision::about(id))
}
