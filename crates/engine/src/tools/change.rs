//! What a call comes to that changes a task, for the vocabularies that do it all by one tool: a status is the verb it
//! stands for, and an owner is a name to act under or somebody to hand the task to. Not what is said about it.

use super::{Desk, Fault, look};
use crate::{
    claim::Actor,
    id::TaskId,
    list::Outcome,
    rules::{Begin, Change, ClaimTask, Command, Edit, ReleaseTask},
    task::{Field, Status},
    view::TaskView,
};

/// What came of it.
pub(super) struct Changed {
    /// The task as it is now.
    pub(super) view: TaskView,
    /// What it freed.
    pub(super) freed: Vec<TaskView>,
    /// The steps that were taken, in their order.
    steps: Vec<Change>,
}

/// Changes a task as a call wants it. Any status can follow any, unless the task is blocked or another's.
pub(super) fn change(desk: &Desk<'_>, mut edit: Edit) -> Result<Changed, Fault> {
    let view = look::one(desk, &edit.id)?;
    let mut changed = Changed { view, freed: Vec::new(), steps: Vec::new() };
    let actor = actor(desk, &edit);
    match edit.status {
        Some(Status::Pending) | None if hands_over(desk, &edit, &changed.view) => {
            desk.list.rehearse(&actor, &Command::Edit(edit.clone()))?;
            let back = ReleaseTask { id: edit.id.clone(), token: None, reason: None, force: false };
            changed.run(desk, &actor, &Command::Release(back))?;
        }
        Some(Status::Pending) if edit.owner.is_some() => {
            // To give it back would take the new owner away again.
            desk.list.rehearse(&actor, &Command::Edit(edit.clone()))?;
            let back = Edit { status: edit.status.take(), ..Edit::of(edit.id.clone()) };
            changed.run(desk, &actor, &Command::Edit(back))?;
        }
        None if takes(desk, &edit, &changed.view) => {
            desk.list.rehearse(&actor, &Command::Edit(edit.clone()))?;
            let claim = ClaimTask { begin: Begin::Later, resume: true, ..ClaimTask::of(edit.id.clone()) };
            changed.run(desk, &actor, &Command::Claim(claim))?;
        }
        _ => {}
    }
    changed.run(desk, &actor, &Command::Edit(edit))?;
    Ok(changed)
}

/// Who starts or completes a task in another's name does so under that name, and answers for it.
fn actor(desk: &Desk<'_>, edit: &Edit) -> Actor {
    let works = matches!(edit.status, Some(Status::InProgress | Status::Completed));
    match &edit.owner {
        Some(Some(owner)) if works => Actor::new(owner.clone(), desk.actor.session.clone()),
        _ => desk.actor.clone(),
    }
}

/// Whether the caller gives what it holds to somebody else, who must be able to claim it then.
fn hands_over(desk: &Desk<'_>, edit: &Edit, view: &TaskView) -> bool {
    let held = view.claim.as_ref().filter(|it| it.by.session == desk.actor.session);
    let to = edit.owner.as_ref().map(Option::as_deref);
    held.is_some_and(|it| to.is_some_and(|to| to != Some(&it.by.agent)))
}

/// Whether the caller makes itself the owner of an open task, which is a claim.
fn takes(desk: &Desk<'_>, edit: &Edit, view: &TaskView) -> bool {
    let own = edit.owner.as_ref().and_then(Option::as_deref) == Some(&desk.actor.agent);
    own && view.task.is_open() && view.claim.is_none()
}

impl Changed {
    fn run(&mut self, desk: &Desk<'_>, actor: &Actor, command: &Command) -> Result<(), Fault> {
        let Outcome { tasks, event, freed, .. } = desk.list.run(actor, command)?;
        let id = self.view.task.id.clone();
        let changes = event.map(|it| it.changes).unwrap_or_default();
        self.steps.extend(changes.into_iter().filter(|it| it.id == id));
        self.view = tasks.into_iter().next().unwrap_or_else(|| self.view.clone());
        self.freed = freed;
        Ok(())
    }

    /// Whether a field is not what it was.
    pub(super) fn has(&self, field: Field) -> bool {
        self.steps.iter().any(|it| it.fields().contains(&field))
    }

    /// The status that it had before, if it has another one now.
    pub(super) fn status_before(&self) -> Option<Status> {
        let before = self.steps.first()?.before.as_ref()?.task.status;
        (before != self.view.task.status).then_some(before)
    }
}

/// Removes a task; how it stood.
pub(super) fn remove(desk: &Desk<'_>, id: &TaskId) -> Result<Status, Fault> {
    let status = look::one(desk, id)?.task.status;
    desk.list.run(&desk.actor, &Command::Delete { id: id.clone(), force: false })?;
    Ok(status)
}
