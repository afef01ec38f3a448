//! Calls that Claude Code carries out itself, in its own list: checked before, taken over after. Not answered: that is
//! the client's, and so are the mistakes that it finds by itself.

use super::{create, update};
use crate::{
    id::TaskId,
    json::{Json, Object},
    rules::{Command, Edit},
    task::Status,
    tools::{Arguments, Desk, Fault, Set, bound::bounded, change::holds, ours::one_line},
    view::{State, TaskView},
};

/// Whether our rules let a call happen. The claim of a task that it starts is taken here, so that of two callers one
/// gets it: the client then finds the task in progress already.
pub fn guard(desk: &Desk<'_>, name: &str, input: &Json) -> Result<(), Fault> {
    let (Some(tool), Some(object)) = (Set::Claude.find(name), input.as_object()) else { return Ok(()) };
    let arguments = Arguments::new(tool, name, object);
    let checked = match name {
        "TaskCreate" => create::ahead(desk, &arguments),
        "TaskUpdate" => update::ahead(desk, &arguments),
        _ => Ok(()),
    };
    match checked {
        // The client says so itself.
        Err(Fault::Arguments(_)) => Ok(()),
        checked => checked,
    }
}

/// Takes over what a call has written, as done by the caller; what the caller should know now, if anything.
pub fn adopt(desk: &Desk<'_>, name: &str, input: &Json, response: &Json) -> Result<Option<String>, Fault> {
    let Some(id) = written(name, response) else { return Ok(None) };
    let outcome = desk.list.run(&desk.actor, &Command::Adopt(vec![id]))?;
    let Some(view) = outcome.tasks.into_iter().next() else { return Ok(None) };
    let view = turned(desk, view, response)?;
    let status = input.as_object().and_then(|it| it.get("status")).and_then(Json::as_str);
    match status.and_then(Status::named) {
        Some(Status::InProgress) if holds(desk, &view).is_some() => Ok(Some(claimed(&view))),
        Some(Status::Completed) if !view.task.is_open() => freed(desk, &view),
        _ => Ok(None),
    }
}

/// The task that a call has written, by what the client answered.
fn written(name: &str, response: &Json) -> Option<TaskId> {
    let response = response.as_object()?;
    let text = |object: &Object, key: &str| object.get(key).and_then(Json::as_str).and_then(TaskId::typed);
    match name {
        "TaskCreate" => text(response.get("task")?.as_object()?, "id"),
        "TaskUpdate" if response.get("success") == Some(&Json::Bool(true)) => text(response, "taskId"),
        _ => None,
    }
}

/// Whoever looked in between may have taken the status that the client wrote for a stale one, and put it right.
fn turned(desk: &Desk<'_>, view: TaskView, response: &Json) -> Result<TaskView, Fault> {
    let turn = response.as_object().and_then(|it| it.get("statusChange")).and_then(Json::as_object);
    let to = turn.and_then(|it| it.get("to")).and_then(Json::as_str).and_then(Status::named);
    match to.filter(|it| *it != view.task.status && holds(desk, &view).is_some()) {
        Some(status) => {
            let edit = Edit { status: Some(status), ..Edit::of(view.task.id.clone()) };
            let outcome = desk.list.run(&desk.actor, &Command::Edit(edit))?;
            Ok(outcome.tasks.into_iter().next().unwrap_or(view))
        }
        None => Ok(view),
    }
}

fn claimed(view: &TaskView) -> String {
    let id = &view.task.id;
    format!("Task #{id} is claimed for you. Others are refused until you complete it or set it to pending.")
}

/// What waited for a finished task and waits no more.
fn freed(desk: &Desk<'_>, view: &TaskView) -> Result<Option<String>, Fault> {
    let mut lines = Vec::new();
    for id in &view.task.blocks {
        let next = desk.list.show(id)?.filter(|it| it.state == State::Ready);
        lines.extend(next.map(|it| format!("#{id} {}", one_line(&it.task.subject))));
    }
    if lines.is_empty() {
        return Ok(None);
    }
    let (text, left) = bounded(&lines, desk.bound);
    let more = if left == 0 { String::new() } else { format!("\n… {left} more") };
    Ok(Some(format!("Task #{} is completed. Now ready:\n{}{more}", view.task.id, text.trim_end())))
}
