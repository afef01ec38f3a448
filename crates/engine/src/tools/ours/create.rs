//! `TaskCreate`: a task, with its edges at once.

use super::said::line;
use crate::{
    rules::{Command, NewTask},
    tools::{Arguments, Desk, Fault, Reply},
};

pub(super) fn call(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let new = NewTask {
        subject: arguments.required(&["subject", "title", "content"])?,
        description: arguments.text(&["description"])?.unwrap_or_default(),
        active_form: arguments.text(&["activeForm", "active_form"])?,
        owner: arguments.text(&["owner"])?,
        metadata: arguments.object(&["metadata"])?.unwrap_or_default(),
        priority: arguments.priority(&["priority"])?,
        tags: arguments.texts(&["tags"])?,
        parent: arguments.id(&["parent", "parentId", "parent_id"])?,
        blocked_by: arguments.ids(&["blockedBy", "blocked_by", "addBlockedBy", "dependencies", "after"])?,
        blocks: arguments.ids(&["blocks", "addBlocks", "before"])?,
        ..NewTask::default()
    };
    let actor = super::caller(desk, arguments)?;
    arguments.nothing_else()?;
    let outcome = desk.list.run(&actor, &Command::Create(new))?;
    Ok(Reply::ok(
        outcome.tasks.iter().map(|it| format!("Created {}", line(it))).collect::<Vec<_>>().join("\n"),
    ))
}
