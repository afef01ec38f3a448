//! Removing a task and every reference to it. The event keeps it whole: undo brings it back with its edges.

use super::{Decision, Refusal, draft::Draft};
use crate::{id::TaskId, task::Task};
use std::sync::Arc;

pub(super) fn decide(draft: &mut Draft<'_>, id: &TaskId, force: bool) -> Result<Decision, Refusal> {
    let entry = draft.require(id)?;
    if !force {
        draft.not_anothers(&entry, None)?;
    }
    let speaks_of =
        |it: &Task| it.parent.as_ref() == Some(id) || it.blocks.contains(id) || it.blocked_by.contains(id);
    for other in draft.all().into_iter().filter(|it| it.task.id != *id && speaks_of(&it.task)) {
        let mut other = Arc::unwrap_or_clone(other);
        other.task.blocks.retain(|it| it != id);
        other.task.blocked_by.retain(|it| it != id);
        other.task.parent.take_if(|it| it == id);
        draft.put(other);
    }
    draft.remove(id);
    Ok(Decision::about(id))
}
