//! `TaskGet`: what there is to do. Like that client it says neither owner nor metadata, and shows finished blockers too.

use super::{
    input::{Kind, strict},
    said::{ids, missing, task_in},
};
use crate::{
    json::{Json, Object},
    task::Task,
    tools::{Arguments, Desk, Fault, Reply},
};

pub(super) fn call(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    strict(arguments, &[("taskId", Kind::Text)], &["taskId"])?;
    _ = desk.list.renew(&desk.actor);
    let view = match task_in(arguments)? {
        Ok(id) => desk.list.show(&id)?,
        Err(_) => None,
    };
    Ok(match view {
        Some(view) => Reply::ok(text(&view.task)).with(Object::new().with("task", structured(&view.task))),
        None => missing().with(Object::new().with("task", Json::Null)),
    })
}

fn text(task: &Task) -> String {
    let Task { id, subject, status, description, .. } = task;
    let mut text = format!("Task #{id}: {subject}\nStatus: {}\nDescription: {description}", status.name());
    for (name, edges) in [("Blocked by", &task.blocked_by), ("Blocks", &task.blocks)] {
        if !edges.is_empty() {
            text += &format!("\n{name}: {}", ids(edges));
        }
    }
    text
}

fn structured(task: &Task) -> Object {
    Object::new()
        .with("id", task.id.as_str())
        .with("subject", &*task.subject)
        .with("description", &*task.description)
        .with("status", task.status.name())
        .with("blocks", Json::strings(&task.blocks))
        .with("blockedBy", Json::strings(&task.blocked_by))
}
