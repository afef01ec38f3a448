//! The vocabulary of the s12 lesson: `create_task`, `list_tasks`, `get_task`, `claim_task`, `complete_task`. Answers are
//! those of the lesson, except that "Unblocked" names only what this completion freed.

use super::{Arguments, Desk, Effect, Fault, Reply, Tool, lessons, look, python};
use crate::{
    id::TaskId,
    rules::{ClaimTask, Command, CompleteTask, NewTask, Refusal},
    store::Error,
    task::{Status, Task},
    view::TaskView,
};

const BY_ID: &str = r#"{"type":"object","properties":{"task_id":{"type":"string"}},"required":["task_id"]}"#;

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "create_task",
        aliases: &[],
        description: "Create a new task with optional blockedBy dependencies.",
        schema: r#"{"type":"object","properties":{"subject":{"type":"string"},"description":{"type":"string"},"blockedBy":{"type":"array","items":{"type":"string"}}},"required":["subject"]}"#,
        effect: Effect::Changes,
        call: create,
    },
    Tool {
        name: "list_tasks",
        aliases: &[],
        description: "List all tasks with status, owner and dependencies.",
        schema: r#"{"type":"object","properties":{}}"#,
        effect: Effect::Looks,
        call: list,
    },
    Tool {
        name: "get_task",
        aliases: &[],
        description: "Get one task in full, as JSON.",
        schema: BY_ID,
        effect: Effect::Looks,
        call: get,
    },
    Tool {
        name: "claim_task",
        aliases: &[],
        description: "Claim a pending task whose dependencies are completed. It is yours and in progress then.",
        schema: BY_ID,
        effect: Effect::Changes,
        call: claim,
    },
    Tool {
        name: "complete_task",
        aliases: &[],
        description: "Complete a task in progress. Reports what it unblocked.",
        schema: BY_ID,
        effect: Effect::Changes,
        call: complete,
    },
];

fn create(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let blocked_by = arguments.texts(&["blockedBy", "blocked_by", "dependencies", "addBlockedBy"])?;
    let new = NewTask {
        subject: arguments.required(&["subject"])?,
        description: arguments.text(&["description"])?.unwrap_or_default(),
        // The lesson takes any text for an id, also of what does not exist.
        blocked_by: blocked_by.iter().map(|it| TaskId::found(it.strip_prefix('#').unwrap_or(it))).collect(),
        allow_missing: true,
        ..NewTask::default()
    };
    let outcome = desk.list.run(&desk.actor, &Command::Create(new))?;
    let made = |it: &TaskView| format!("Created {}: {}{}", it.task.id, it.task.subject, waits(&it.task));
    Ok(Reply::ok(outcome.tasks.iter().map(made).collect::<String>()))
}

fn list(desk: &Desk<'_>, _arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let tasks = look::shown(desk)?;
    if tasks.is_empty() {
        return Ok(Reply::ok("No tasks. Use create_task to add some."));
    }
    let lines: Vec<String> = tasks.iter().map(|it| line(&it.task)).collect();
    Ok(Reply::ok(look::lines(desk, &lines)))
}

fn line(task: &Task) -> String {
    let icon = match task.status {
        Status::Pending => '○',
        Status::InProgress => '●',
        Status::Completed => '✓',
    };
    let owner = task.owner.as_ref().map(|it| format!(" [{it}]")).unwrap_or_default();
    let Task { id, subject, status, .. } = task;
    format!("  {icon} {id}: {subject} [{}]{owner}{}", status.name(), waits(task))
}

fn waits(task: &Task) -> String {
    let ids: Vec<&str> = task.blocked_by.iter().map(TaskId::as_str).collect();
    if ids.is_empty() { String::new() } else { format!(" (blockedBy: {})", ids.join(", ")) }
}

fn get(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let view = look::one(desk, &lessons::task(arguments, "task_id")?)?;
    Ok(Reply::ok(look::record("s12", &[view], desk.list.now())?))
}

fn claim(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let view = look::one(desk, &lessons::task(arguments, "task_id")?)?;
    if view.task.status != Status::Pending {
        return Ok(cannot(&view.task, "claim"));
    }
    let outcome = desk.list.run(&desk.actor, &Command::Claim(ClaimTask::of(view.task.id.clone())))?;
    let task = outcome.tasks.first().map_or(&view.task, |it| &it.task);
    Ok(Reply::ok(format!("Claimed {} ({})", task.id, task.subject)))
}

fn complete(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let task = look::one(desk, &lessons::task(arguments, "task_id")?)?.task;
    if task.status != Status::InProgress {
        return Ok(cannot(&task, "complete"));
    }
    let wanted = CompleteTask { id: task.id.clone(), token: None, force: false };
    let outcome = desk.list.run(&desk.actor, &Command::Complete(wanted))?;
    let freed: Vec<&str> = outcome.freed.iter().map(|it| it.task.subject.as_str()).collect();
    let freed = if freed.is_empty() { String::new() } else { format!("\nUnblocked: {}", freed.join(", ")) };
    Ok(Reply::ok(format!("Completed {} ({}){freed}", task.id, task.subject)))
}

fn cannot(task: &Task, verb: &str) -> Reply {
    Reply::refused(format!("Task {} is {}, cannot {verb}", task.id, task.status.name()), "wrong_status")
}

/// How a fault is told.
pub(super) fn told(fault: &Fault) -> String {
    match fault {
        Fault::List(Error::Refused(Refusal::Blocked { by, .. })) => {
            format!("Blocked by: {}", python::strings(by))
        }
        other => lessons::told(other, python::strings),
    }
}
