//! The vocabulary of the `tasks.json` specification: `TodoWrite` makes or changes one task, `TodoRead` lists them, both in
//! JSON. A `TodoWrite` with an array is the older tool of that name and keeps the session's checklist.

mod read;
mod wanted;
mod write;

use super::{Effect, Fault, Tool, look};
use crate::{
    id::TaskId,
    json::{Json, Object, parse},
    rules::Refusal,
    store::Error,
    time::Time,
    view::TaskView,
};

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "TodoWrite",
        aliases: &["todo_write"],
        description: "Create a task, or update the one with this id. It becomes blocked by itself while dependencies are not completed.",
        schema: r#"{"type":"object","properties":{"id":{"type":"string","description":"Left out: a new id is made"},"description":{"type":"string","description":"Markdown; needed for a new task"},"status":{"type":"string","enum":["pending","in_progress","completed","blocked"]},"dependencies":{"type":"array","items":{"type":"string"},"description":"Ids that must be completed first; replaces those it has"},"assignee":{"type":"string"},"metadata":{"type":"object","properties":{"priority":{"enum":["low","medium","high"]},"tags":{"type":"array","items":{"type":"string"}}}},"todos":{"type":"array","items":{"type":"object"},"description":"Instead of all others: this session's checklist of {content, status}"}}}"#,
        effect: Effect::Changes,
        call: write::call,
    },
    Tool {
        name: "TodoRead",
        aliases: &["todo_read"],
        description: "Read the tasks, optionally by status or assignee, and how many there are of each status.",
        schema: r#"{"type":"object","properties":{"status":{"type":"string","enum":["pending","in_progress","completed","blocked"]},"assignee":{"type":"string"},"include_completed":{"type":"boolean","default":false}}}"#,
        effect: Effect::Looks,
        call: read::call,
    },
];

/// Tasks as they would stand in a `tasks.json`, in their order.
fn records(views: &[TaskView], now: Time) -> Result<Vec<Object>, Fault> {
    let file = parse(&look::record("tasks-json", views, now)?).ok();
    let tasks = file.as_ref().and_then(Json::as_object).and_then(|it| it.get("tasks")?.as_array());
    Ok(tasks.unwrap_or_default().iter().filter_map(Json::as_object).cloned().collect())
}

/// How a fault is told.
pub(super) fn told(fault: &Fault) -> String {
    let reason = match fault {
        Fault::List(Error::Refused(refusal)) => refused(refusal),
        other => other.to_string(),
    };
    format!("Error: {reason}")
}

fn refused(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Cycle { path } => {
            let path: Vec<&str> = path.iter().map(TaskId::as_str).collect();
            format!("Circular dependency: {}", path.join(" -> "))
        }
        Refusal::SelfEdge { id } => format!("Circular dependency: {id} -> {id}"),
        Refusal::AlreadyClaimed { id, by: holder, .. } | Refusal::StaleToken { id, holder } => {
            format!("Task {id} is assigned to {}", holder.as_deref().unwrap_or("somebody"))
        }
        Refusal::Invalid { field, .. } if field == "subject" => "Description required".to_owned(),
        other => other.to_string(),
    }
}
