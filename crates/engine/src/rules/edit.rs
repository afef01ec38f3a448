//! Changing what a task says, its edges and its status. A change of status takes the way of the verb it stands for.

use super::{ClaimTask, CompleteTask, Decision, Edit, Refusal, claim, complete, draft::Draft, edges, reopen};
use crate::{
    claim::Entry,
    id::TaskId,
    task::{Status, Task},
};

pub(super) fn decide(draft: &mut Draft<'_>, edit: &Edit) -> Result<Decision, Refusal> {
    let mut entry = draft.require(&edit.id)?;
    check_hold(draft, edit, &entry)?;
    change_fields(draft, edit, &mut entry.task)?;
    draft.put(entry);
    for blocker in &edit.remove_blocked_by {
        edges::remove(draft, blocker, &edit.id);
    }
    for dependent in &edit.remove_blocks {
        edges::remove(draft, &edit.id, dependent);
    }
    for blocker in &edit.add_blocked_by {
        edges::add(draft, blocker, &edit.id, edit.allow_missing)?;
    }
    for dependent in &edit.add_blocks {
        edges::add(draft, &edit.id, dependent, edit.allow_missing)?;
    }
    let Entry { task: Task { status, .. }, standing } = draft.require(&edit.id)?;
    // A task in progress whose claimant is gone is begun anew, not gone on with.
    let lost = standing.claim.is_some_and(|it| !draft.is_mine(&it, edit.token));
    match edit.status.filter(|wanted| *wanted != status || *wanted == Status::InProgress && lost) {
        None => Ok(Decision::about(&edit.id)),
        Some(Status::Pending) => reopen::decide(draft, &edit.id, edit.token, edit.force),
        Some(Status::Completed) => {
            let complete = CompleteTask { id: edit.id.clone(), token: edit.token, force: edit.force };
            complete::decide(draft, &complete)
        }
        // With the number of the claim that stands, whoever asks is the claimant.
        Some(Status::InProgress) if edit.token.is_some() => {
            let mut entry = draft.require(&edit.id)?;
            draft.unblocked(&entry.task)?;
            entry.task.status = Status::InProgress;
            draft.put(entry);
            Ok(Decision { token: edit.token, ..Decision::about(&edit.id) })
        }
        Some(Status::InProgress) => {
            if status == Status::Completed {
                // Begun anew, in one step: what it waits for is asked below.
                reopen::decide(draft, &edit.id, None, edit.force)?;
            }
            let start = ClaimTask { resume: true, force: edit.force, ..ClaimTask::of(edit.id.clone()) };
            claim::decide(draft, &start)
        }
    }
}

/// With a number it must be the number that stands; owner and status of another's task are not to be changed.
fn check_hold(draft: &Draft<'_>, edit: &Edit, entry: &Entry) -> Result<(), Refusal> {
    if edit.force {
        return Ok(());
    }
    if let Some(token) = edit.token {
        let claim = entry.standing.claim.as_ref();
        if claim.is_none_or(|it| it.token != token) {
            let holder = claim.map(|it| it.by.agent.clone());
            return Err(Refusal::StaleToken { id: edit.id.clone(), holder });
        }
    }
    // Whether somebody may complete it is for the rule of completing to say.
    let other = edit.status.is_some_and(|it| it != Status::Completed);
    if edit.owner.is_some() || other {
        draft.not_anothers(entry, edit.token)?;
    }
    Ok(())
}

fn change_fields(draft: &Draft<'_>, edit: &Edit, task: &mut Task) -> Result<(), Refusal> {
    if let Some(subject) = &edit.subject {
        check_subject(subject)?;
        task.subject.clone_from(subject);
    }
    if let Some(description) = &edit.description {
        task.description.clone_from(description);
    }
    if let Some(active_form) = &edit.active_form {
        task.active_form.clone_from(active_form);
    }
    if let Some(owner) = &edit.owner {
        task.owner = owner.clone().filter(|it| !it.is_empty());
    }
    if let Some(priority) = edit.priority {
        task.priority = priority;
    }
    if let Some(parent) = &edit.parent {
        set_parent(draft, task, parent.as_ref())?;
    }
    task.tags.retain(|tag| !edit.remove_tags.contains(tag));
    add_tags(task, &edit.add_tags)?;
    for (key, value) in &edit.metadata {
        match value {
            Some(value) => task.metadata.set(key, value.clone()),
            None => _ = task.metadata.remove(key),
        }
    }
    Ok(())
}

pub(super) fn check_subject(subject: &str) -> Result<(), Refusal> {
    if subject.trim().is_empty() {
        return Err(Refusal::invalid("subject", "may not be empty"));
    }
    Ok(())
}

pub(super) fn add_tags(task: &mut Task, tags: &[String]) -> Result<(), Refusal> {
    for tag in tags {
        if tag.trim().is_empty() {
            return Err(Refusal::invalid("tag", "may not be empty"));
        }
        if !task.tags.contains(tag) {
            task.tags.push(tag.clone());
        }
    }
    Ok(())
}

/// A parent must exist and may not be a part of its own part.
pub(super) fn set_parent(draft: &Draft<'_>, task: &mut Task, parent: Option<&TaskId>) -> Result<(), Refusal> {
    let mut above = parent.cloned();
    let mut steps = 0;
    while let Some(id) = above {
        if id == task.id || steps > 10_000 {
            return Err(Refusal::invalid("parent", "may not be the task itself or a part of it"));
        }
        steps += 1;
        above = if steps == 1 {
            draft.require(&id)?.task.parent
        } else {
            draft.get(&id).and_then(|it| it.task.parent.clone())
        };
    }
    task.parent = parent.cloned();
    Ok(())
}
