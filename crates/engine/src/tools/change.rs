//! What a call comes to that changes a task, for the vocabularies that do it all by one tool: a status is the verb it
//! stands for, and an owner is a name to act under or somebody to hand the task to. Not what is said about it.

use super::{Desk, Fault, look};
use crate::{
    claim::{Actor, Claim},
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
pub(super) fn change(desk: &Desk<'_>, edit: Edit) -> Result<Changed, Fault> {
    let view = look::one(desk, &edit.id)?;
    let mut changed = Changed { view, freed: Vec::new(), steps: Vec::new() };
    let actor = actor(desk, &edit);
    let id = edit.id.clone();
    let first = match edit.status {
        Some(Status::Pending) | None if hands_over(desk, &edit, &changed.view) => Some(give_back(id)),
        // To give it back would take the new owner away again.
        Some(Status::Pending) if edit.owner.is_some() => Some(turn(id, Status::Pending)),
        None if takes(desk, &edit, &changed.view) => Some(take(id)),
        _ => None,
    };
    if let Some(first) = first {
        desk.list.rehearse(&actor, &Command::Edit(edit.clone()))?;
        changed.run(desk, &actor, &first)?;
    }
    changed.run(desk, &actor, &Command::Edit(edit))?;
    Ok(changed)
}

/// The same where another program does the writing: whether it may be is asked, and a claim that it takes or ends is
/// taken or ended now, so that nobody comes between. The rest is left to that program.
pub(super) fn ahead(desk: &Desk<'_>, edit: &Edit) -> Result<(), Fault> {
    let view = look::one(desk, &edit.id)?;
    let actor = actor(desk, edit);
    desk.list.rehearse(&actor, &Command::Edit(edit.clone()))?;
    let id = edit.id.clone();
    let step = match edit.status {
        Some(Status::InProgress) => Some(turn(id, Status::InProgress)),
        Some(Status::Pending) if holds(desk, &view).is_some() => Some(give_back(id)),
        None if hands_over(desk, edit, &view) => Some(give_back(id)),
        None if takes(desk, edit, &view) => Some(take(id)),
        _ => None,
    };
    step.map_or(Ok(()), |step| desk.list.run(&actor, &step).map(|_| ()).map_err(Fault::from))
}

fn turn(id: TaskId, status: Status) -> Command {
    Command::Edit(Edit { status: Some(status), ..Edit::of(id) })
}

fn take(id: TaskId) -> Command {
    Command::Claim(ClaimTask { begin: Begin::Later, resume: true, ..ClaimTask::of(id) })
}

fn give_back(id: TaskId) -> Command {
    Command::Release(ReleaseTask { id, token: None, reason: None, force: false })
}

/// Who starts or completes a task in another's name does so under that name, and answers for it.
fn actor(desk: &Desk<'_>, edit: &Edit) -> Actor {
    let works = matches!(edit.status, Some(Status::InProgress | Status::Completed));
    match &edit.owner {
        Some(Some(owner)) if works => Actor::new(owner.clone(), desk.actor.session.clone()),
        _ => desk.actor.clone(),
    }
}

/// The caller's own claim of a task.
pub(super) fn holds<'a>(desk: &Desk<'_>, view: &'a TaskView) -> Option<&'a Claim> {
    view.claim.as_deref().filter(|it| it.by.session == desk.actor.session)
}

/// Whether the caller gives what it holds to somebody else, who must be able to claim it then.
fn hands_over(desk: &Desk<'_>, edit: &Edit, view: &TaskView) -> bool {
    let to = edit.owner.as_ref().map(Option::as_deref);
    holds(desk, view).is_some_and(|it| to.is_some_and(|to| to != Some(&it.by.agent)))
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
