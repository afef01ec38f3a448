//! Making a task.

use super::{Decision, NewTask, Refusal, draft::Draft, edges, edit};
use crate::{claim::Entry, id::TaskId, task::Task};

pub(super) fn decide(draft: &mut Draft<'_>, new: &NewTask) -> Result<Decision, Refusal> {
    let id = match &new.id {
        Some(id) if !id.is_plain() => {
            return Err(Refusal::invalid("id", "may hold up to 64 letters, digits, `_` and `-`"));
        }
        Some(id) if draft.get(id).is_some() => return Err(Refusal::Exists { id: id.clone() }),
        Some(id) => id.clone(),
        None => draft.tasks.fresh_ids(1).remove(0),
    };
    make(draft, id.clone(), new)?;
    for blocker in &new.blocked_by {
        edges::add(draft, blocker, &id, new.allow_missing)?;
    }
    for dependent in &new.blocks {
        edges::add(draft, &id, dependent, new.allow_missing)?;
    }
    Ok(Decision::about(&id))
}

/// Puts a new task without its edges into the draft.
pub(super) fn make(draft: &mut Draft<'_>, id: TaskId, new: &NewTask) -> Result<(), Refusal> {
    edit::check_subject(&new.subject)?;
    let mut task = Task::new(id, new.subject.clone());
    task.description.clone_from(&new.description);
    task.active_form.clone_from(&new.active_form);
    task.owner = new.owner.clone().filter(|it| !it.is_empty());
    task.metadata = new.metadata.clone();
    task.priority = new.priority;
    edit::add_tags(&mut task, &new.tags)?;
    edit::set_parent(draft, &mut task, new.parent.as_ref())?;
    task.created_at = Some(draft.request.now);
    draft.put(Entry::new(task));
    Ok(())
}
