//! `TodoRead`: tasks as JSON, with counts over the whole list.

use super::records;
use crate::{
    json::{Json, Object, Style, write},
    tools::{Arguments, Desk, Fault, Reply, look},
};

pub(super) fn call(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let status = arguments.text(&["status"])?.filter(|it| !it.is_empty());
    let assignee = arguments.text(&["assignee", "owner"])?.filter(|it| !it.is_empty());
    let completed = arguments.text(&["include_completed", "includeCompleted"])?;
    // Who asks for completed tasks wants to see them.
    let completed = completed.as_deref() == Some("true") || status.as_deref() == Some("completed");
    let all = records(&look::shown(desk)?, desk.list.now())?;
    let has = |task: &Object, key: &str, value: &str| task.get(key).and_then(Json::as_str) == Some(value);
    let count = |status: &str| all.iter().filter(|it| has(it, "status", status)).count();
    let suits = |it: &&Object| {
        (completed || !has(it, "status", "completed"))
            && status.as_deref().is_none_or(|status| has(it, "status", status))
            && assignee.as_deref().is_none_or(|assignee| has(it, "assignee", assignee))
    };
    let tasks: Vec<Json> = all.iter().filter(suits).cloned().map(Json::Object).collect();
    let found = tasks.len();
    let answer = Object::new()
        .with("tasks", Json::Array(tasks))
        .with("count", found)
        .with("pending_count", count("pending"))
        .with("in_progress_count", count("in_progress"))
        .with("completed_count", count("completed"))
        .with("blocked_count", count("blocked"));
    Ok(Reply::ok(write(&Json::Object(answer), Style::JAVASCRIPT, "")))
}
