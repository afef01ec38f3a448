//! The vocabulary of the s07 lesson: `task_create`, `task_update`, `task_list`, `task_get`, and the spelling of its Java
//! port (`taskCreate` …), which is answered in that port's layout.

use super::{
    Arguments, Desk, Effect, Fault, Reply, Tool,
    change::{change, remove},
    lessons::{self, Wanted},
    look, python,
};
use crate::{
    rules::{Command, Edit, NewTask},
    view::TaskView,
};

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "task_create",
        aliases: &["taskCreate"],
        description: "Create a new task with subject and optional description",
        schema: r#"{"type":"object","properties":{"subject":{"type":"string","description":"Short subject of the task"},"description":{"type":"string","description":"Detailed description"}},"required":["subject"]}"#,
        effect: Effect::Changes,
        call: create,
    },
    Tool {
        name: "task_update",
        aliases: &["taskUpdate"],
        description: "Update a task's status or dependencies.",
        schema: r#"{"type":"object","properties":{"task_id":{"type":"integer","description":"Task ID"},"status":{"type":"string","enum":["pending","in_progress","completed"],"description":"New status"},"addBlockedBy":{"type":"array","items":{"type":"integer"},"description":"Task IDs that block this task"},"addBlocks":{"type":"array","items":{"type":"integer"},"description":"Task IDs that this task blocks"}},"required":["task_id"]}"#,
        effect: Effect::Removes,
        call: update,
    },
    Tool {
        name: "task_list",
        aliases: &["taskList"],
        description: "List all tasks with their status.",
        schema: r#"{"type":"object","properties":{}}"#,
        effect: Effect::Looks,
        call: list,
    },
    Tool {
        name: "task_get",
        aliases: &["taskGet"],
        description: "Get one task in full, as JSON.",
        schema: r#"{"type":"object","properties":{"task_id":{"type":"integer","description":"Task ID"}},"required":["task_id"]}"#,
        effect: Effect::Looks,
        call: get,
    },
];

fn create(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let new = NewTask {
        subject: arguments.required(&["subject"])?,
        description: arguments.text(&["description"])?.unwrap_or_default(),
        ..NewTask::default()
    };
    let outcome = desk.list.run(&desk.actor, &Command::Create(new))?;
    answer(desk, arguments, &outcome.tasks)
}

fn update(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let id = lessons::task(arguments, "task_id")?;
    // What is missing is said before what is wrong.
    look::one(desk, &id)?;
    let status = match wanted(arguments)? {
        Wanted::Status(status) => status,
        Wanted::Gone => {
            remove(desk, &id)?;
            return Ok(Reply::ok(format!("Task {id} deleted")));
        }
    };
    let edit = Edit {
        status,
        add_blocked_by: arguments.ids(&["addBlockedBy", "add_blocked_by"])?,
        add_blocks: arguments.ids(&["addBlocks", "add_blocks"])?,
        allow_missing: true,
        ..Edit::of(id)
    };
    answer(desk, arguments, &[change(desk, edit)?.view])
}

/// The status asked for. An empty one is none to the lesson, and a mistake to its Java port.
fn wanted(arguments: &Arguments<'_>) -> Result<Wanted, Fault> {
    match arguments.text(&["status"])?.as_deref() {
        Some("") if !is_java(arguments) => Ok(Wanted::Status(None)),
        _ => lessons::wanted(arguments),
    }
}

fn list(desk: &Desk<'_>, _arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let lines: Vec<String> = look::shown(desk)?.iter().map(line).collect();
    Ok(Reply::ok(if lines.is_empty() { "No tasks.".to_owned() } else { look::lines(desk, &lines) }))
}

fn line(view: &TaskView) -> String {
    let task = &view.task;
    let waits = look::waits(view);
    let waits =
        if waits.is_empty() { String::new() } else { format!(" (blocked by: {})", python::numbers(&waits)) };
    format!("{} #{}: {}{waits}", task.status.mark(), task.id, task.subject)
}

fn get(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    answer(desk, arguments, &[look::one(desk, &lessons::task(arguments, "task_id")?)?])
}

/// The record, in the layout of whose tool was called.
fn answer(desk: &Desk<'_>, arguments: &Arguments<'_>, views: &[TaskView]) -> Result<Reply, Fault> {
    let format = if is_java(arguments) { "java" } else { "s07" };
    Ok(Reply::ok(look::record(format, views, desk.list.now())?))
}

fn is_java(arguments: &Arguments<'_>) -> bool {
    !arguments.called.contains('_')
}

/// How a fault is told.
pub(super) fn told(fault: &Fault) -> String {
    lessons::told(fault, python::numbers)
}
