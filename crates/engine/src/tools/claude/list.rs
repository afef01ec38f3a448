//! `TaskList`: one line a task. What is done is not shown as blocking, and what is kept for programs is not shown.

use super::{input::strict, said::ids};
use crate::{
    json::{Json, Object},
    tools::{Arguments, Desk, Fault, Reply, look},
    view::TaskView,
};

pub(super) fn call(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    strict(arguments, &[], &[])?;
    let tasks = look::shown(desk)?;
    let lines: Vec<String> = tasks.iter().map(line).collect();
    let text = if lines.is_empty() { "No tasks found".to_owned() } else { look::lines(desk, &lines) };
    let tasks = tasks.iter().map(structured).collect();
    Ok(Reply::ok(text).with(Object::new().with("tasks", Json::Array(tasks))))
}

fn line(view: &TaskView) -> String {
    let task = &view.task;
    let owner = task.owner.as_ref().map(|it| format!(" ({it})")).unwrap_or_default();
    let waits = look::waits(view);
    let waits = if waits.is_empty() { String::new() } else { format!(" [blocked by {}]", ids(&waits)) };
    format!("#{} [{}] {}{owner}{waits}", task.id, task.status.name(), task.subject)
}

fn structured(view: &TaskView) -> Json {
    let task = &view.task;
    let mut object = Object::new()
        .with("id", task.id.as_str())
        .with("subject", &*task.subject)
        .with("status", task.status.name());
    object.set_some("owner", task.owner.as_deref());
    object.with("blockedBy", Json::strings(look::waits(view))).into()
}
