//! `TaskUpdate`: fields, edges and status of a task. A status is the verb it stands for.

use super::said::line;
use crate::{
    claim::Actor,
    id::TaskId,
    json::Json,
    list::Outcome,
    rules::{Command, Edit, ReleaseTask},
    task::Status,
    tools::{Arguments, Desk, Fault, Reply, Word},
};

pub(super) fn call(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let id = arguments.required_id(&["taskId", "task_id", "id"])?;
    let wanted = arguments.text(&["status"])?;
    let reason = arguments.text(&["reason"])?;
    let mut edit = edit(arguments, id.clone())?;
    let actor = super::caller(desk, arguments)?;
    let status = if wanted.as_deref() == Some("deleted") { None } else { arguments.status(&["status"])? };
    arguments.nothing_else()?;
    if wanted.as_deref() == Some("deleted") {
        let outcome =
            desk.list.run(&actor, &Command::Delete { id: id.clone(), force: desk.word == Word::Person })?;
        return Ok(Reply::ok(format!("Removed #{id}{}", freed(&outcome))));
    }
    if status == Some(Status::Pending) && is_mine(desk, &actor, &id)? {
        // Giving back says why; what else is to be changed is changed first.
        desk.list.run(&actor, &Command::Edit(edit))?;
        let release = ReleaseTask { id, token: None, reason, force: false };
        let outcome = desk.list.run(&actor, &Command::Release(release))?;
        return Ok(Reply::ok(format!("Gave back {}", about(&outcome))));
    }
    edit.status = status;
    let outcome = desk.list.run(&actor, &Command::Edit(edit))?;
    let verb = match (status, outcome.event.is_some()) {
        (_, false) => "Nothing to change in",
        (Some(Status::InProgress), _) => "Claimed",
        (Some(Status::Completed), _) => "Completed",
        _ => "Updated",
    };
    Ok(Reply::ok(format!("{verb} {}{}", about(&outcome), freed(&outcome))))
}

fn edit(arguments: &Arguments<'_>, id: TaskId) -> Result<Edit, Fault> {
    let owner = arguments.text(&["owner", "assignee"])?;
    let metadata = arguments.object(&["metadata"])?.unwrap_or_default();
    let metadata = metadata
        .iter()
        .map(|(key, value)| (key.to_owned(), Some(value.clone()).filter(|it| *it != Json::Null)));
    let parent = if arguments.has(&["parent"]) { Some(arguments.id(&["parent"])?) } else { None };
    let priority = if arguments.has(&["priority"]) { Some(arguments.priority(&["priority"])?) } else { None };
    Ok(Edit {
        subject: arguments.text(&["subject"])?,
        description: arguments.text(&["description"])?,
        active_form: arguments
            .text(&["activeForm", "active_form"])?
            .map(|it| Some(it).filter(|it| !it.is_empty())),
        owner: owner.map(|it| Some(it).filter(|it| !it.is_empty())),
        priority,
        parent,
        add_tags: arguments.texts(&["addTags", "add_tags"])?,
        remove_tags: arguments.texts(&["removeTags", "remove_tags"])?,
        metadata: metadata.collect(),
        add_blocked_by: arguments.ids(&["addBlockedBy", "add_blocked_by"])?,
        add_blocks: arguments.ids(&["addBlocks", "add_blocks"])?,
        remove_blocked_by: arguments.ids(&["removeBlockedBy", "remove_blocked_by"])?,
        remove_blocks: arguments.ids(&["removeBlocks", "remove_blocks"])?,
        token: arguments.number(&["token"])?,
        ..Edit::of(id)
    })
}

fn is_mine(desk: &Desk<'_>, actor: &Actor, id: &TaskId) -> Result<bool, Fault> {
    let claim = desk.list.show(id)?.and_then(|it| it.claim);
    Ok(claim.is_some_and(|it| it.by.session == actor.session))
}

fn about(outcome: &Outcome) -> String {
    outcome.tasks.first().map(line).unwrap_or_default()
}

/// What became ready, each on a line of its own.
fn freed(outcome: &Outcome) -> String {
    if outcome.freed.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = outcome.freed.iter().map(line).collect();
    format!("\nNow ready:\n{}", lines.join("\n"))
}
