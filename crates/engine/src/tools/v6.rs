//! The vocabulary of the v6 lesson: `TaskCreate`, `TaskGet`, `TaskUpdate`, `TaskList` as its document prints them. Not the
//! real client's, which has the same names and other answers.

use super::{
    Arguments, Desk, Effect, Fault, Reply, Tool,
    change::{change, remove},
    lessons::{self, Wanted},
    look,
    python::DUMPS,
};
use crate::{
    id::TaskId,
    json::{Json, Object, Style, write},
    rules::{Command, Edit, NewTask},
    view::TaskView,
};

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "TaskCreate",
        aliases: &[],
        description: "Create a task.",
        schema: r#"{"type":"object","properties":{"subject":{"type":"string","description":"Imperative, such as \"Fix auth bug\""},"description":{"type":"string"},"activeForm":{"type":"string","description":"Present participle, such as \"Fixing auth bug\""},"metadata":{"type":"object"}},"required":["subject"]}"#,
        effect: Effect::Changes,
        call: create,
    },
    Tool {
        name: "TaskGet",
        aliases: &[],
        description: "Get one task in full, as JSON.",
        schema: r#"{"type":"object","properties":{"taskId":{"type":"string"}},"required":["taskId"]}"#,
        effect: Effect::Looks,
        call: get,
    },
    Tool {
        name: "TaskUpdate",
        aliases: &[],
        description: "Update a task's status, dependencies or owner. Status deleted removes it.",
        schema: r#"{"type":"object","properties":{"taskId":{"type":"string"},"status":{"type":"string","enum":["pending","in_progress","completed","deleted"]},"addBlockedBy":{"type":"array","items":{"type":"string"}},"addBlocks":{"type":"array","items":{"type":"string"}},"owner":{"type":"string"},"metadata":{"type":"object"}},"required":["taskId"]}"#,
        effect: Effect::Removes,
        call: update,
    },
    Tool {
        name: "TaskList",
        aliases: &[],
        description: "List all tasks with their status, owner and what blocks them.",
        schema: r#"{"type":"object","properties":{}}"#,
        effect: Effect::Looks,
        call: list,
    },
];

/// Subjects longer than this are not lined up with the others.
const WIDEST: usize = 60;

fn create(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let new = NewTask {
        subject: arguments.required(&["subject"])?,
        description: arguments.text(&["description"])?.unwrap_or_default(),
        active_form: arguments.text(&["activeForm", "active_form"])?.filter(|it| !it.is_empty()),
        metadata: arguments.object(&["metadata"])?.unwrap_or_default(),
        ..NewTask::default()
    };
    let outcome = desk.list.run(&desk.actor, &Command::Create(new))?;
    let made =
        |it: &TaskView| Object::new().with("id", it.task.id.as_str()).with("subject", &*it.task.subject);
    Ok(Reply::ok(
        outcome.tasks.iter().map(|it| write(&Json::Object(made(it)), DUMPS, "")).collect::<String>(),
    ))
}

fn get(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let view = look::one(desk, &lessons::task(arguments, "taskId")?)?;
    let object = Object::new()
        .with("id", view.task.id.as_str())
        .with("subject", &*view.task.subject)
        .with("description", &*view.task.description)
        .with("status", view.task.status.name())
        .with("blocks", Json::strings(&view.task.blocks))
        .with("blockedBy", Json::strings(look::waits(&view)));
    Ok(Reply::ok(write(&Json::Object(object), Style::PYTHON, "")))
}

fn update(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let id = lessons::task(arguments, "taskId")?;
    look::one(desk, &id)?;
    let status = match lessons::wanted(arguments)? {
        Wanted::Status(status) => status,
        Wanted::Gone => {
            remove(desk, &id)?;
            return Ok(Reply::ok(format!("Task {id} deleted")));
        }
    };
    let view = change(desk, edit(arguments, Edit { status, ..Edit::of(id) })?)?.view;
    let object = Object::new()
        .with("id", view.task.id.as_str())
        .with("status", view.task.status.name())
        .with("blocked_by", Json::strings(look::waits(&view)));
    Ok(Reply::ok(write(&Json::Object(object), DUMPS, "")))
}

fn edit(arguments: &Arguments<'_>, edit: Edit) -> Result<Edit, Fault> {
    let filled = |text: Option<String>| text.map(|it| Some(it).filter(|it| !it.is_empty()));
    Ok(Edit {
        subject: arguments.text(&["subject"])?,
        description: arguments.text(&["description"])?,
        active_form: filled(arguments.text(&["activeForm", "active_form"])?),
        owner: filled(arguments.text(&["owner"])?),
        metadata: arguments.keys(&["metadata"])?,
        add_blocked_by: arguments.ids(&["addBlockedBy", "add_blocked_by"])?,
        add_blocks: arguments.ids(&["addBlocks", "add_blocks"])?,
        ..edit
    })
}

fn list(desk: &Desk<'_>, _arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let tasks = look::shown(desk)?;
    if tasks.is_empty() {
        return Ok(Reply::ok("No tasks."));
    }
    let widths = tasks.iter().filter(|it| !notes(it).is_empty()).map(|it| it.task.subject.chars().count());
    let width = widths.filter(|it| *it <= WIDEST).max().unwrap_or(0);
    let lines: Vec<String> = tasks.iter().map(|it| line(it, width)).collect();
    Ok(Reply::ok(look::lines(desk, &lines)))
}

fn line(view: &TaskView, width: usize) -> String {
    let task = &view.task;
    let line = format!("#{}. {} {:width$}{}", task.id, task.status.mark(), task.subject, notes(view));
    line.trim_end().to_owned()
}

/// Who has it and what it waits for.
fn notes(view: &TaskView) -> String {
    let owner = view.task.owner.as_ref().map(|it| format!("  @{it}")).unwrap_or_default();
    let waits = look::waits(view);
    let waits = if waits.is_empty() { String::new() } else { format!("  blocked by: {}", hashed(&waits)) };
    owner + &waits
}

fn hashed(ids: &[TaskId]) -> String {
    ids.iter().map(|it| format!("#{it}")).collect::<Vec<_>>().join(", ")
}

/// How a fault is told.
pub(super) fn told(fault: &Fault) -> String {
    lessons::told(fault, hashed)
}
