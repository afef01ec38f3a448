//! `TodoWrite`: makes the task, or changes the one that has the id. Not a whole list, unless the call carries an array.

use super::{records, wanted::Wanted};
use crate::{
    id::TaskId,
    json::{Json, Object, Style, write},
    rules::{Command, Refusal},
    store::Error,
    task::Status,
    tools::{
        Arguments, Desk, Fault, Reply,
        change::{Changed, change},
    },
};

pub(super) fn call(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    if let Some(list) = arguments.list(&["todos", "items"]) {
        return Ok(checklist(desk, &list));
    }
    let id = arguments.id(&["id", "taskId", "task_id"])?;
    let wanted = Wanted::of(arguments)?;
    let known = id.as_ref().map(|it| desk.list.show(it)).transpose()?.flatten();
    let done = match (&known, &id, &wanted.description) {
        (Some(view), ..) => change(desk, wanted.edit(&view.task)),
        (None, Some(id), None) => return Ok(missing(id)),
        (None, None, None) => return Err(Fault::Arguments("Description required".to_owned())),
        (None, _, Some(description)) => make(desk, &wanted, description, id.clone()),
    };
    match done {
        Ok(changed) => answer(desk, changed),
        Err(fault) => refused(&wanted, id.as_ref(), fault),
    }
}

fn checklist(desk: &Desk<'_>, list: &[Json]) -> Reply {
    let Some(checklist) = desk.checklist else {
        return Reply::refused("Error: this session keeps no checklist".to_owned(), "invalid");
    };
    match checklist.replace(list) {
        Ok(count) => Reply::ok(format!("Updated {count} tasks")),
        Err(reason) => Reply::refused(format!("Error: {reason}"), "invalid"),
    }
}

/// Makes a task and gives it its status. If it cannot have that, there is no task.
fn make(desk: &Desk<'_>, wanted: &Wanted, description: &str, id: Option<TaskId>) -> Result<Changed, Fault> {
    let outcome = desk.list.run(&desk.actor, &Command::Create(wanted.task(description, id)))?;
    let id = outcome.decision.about[0].clone();
    change(desk, wanted.rest(id.clone())).inspect_err(|_| {
        _ = desk.list.run(&desk.actor, &Command::Delete { id, force: false });
    })
}

fn answer(desk: &Desk<'_>, changed: Changed) -> Result<Reply, Fault> {
    let record = records(&[changed.view], desk.list.now())?.pop().unwrap_or_default();
    let mut answer = Object::new().with("task", record);
    if !changed.freed.is_empty() {
        answer.set("unblocked", Json::strings(changed.freed.iter().map(|it| &it.task.id)));
    }
    Ok(Reply::ok(write(&Json::Object(answer), Style::JAVASCRIPT, "")))
}

fn missing(id: &TaskId) -> Reply {
    Reply::refused(format!("Error: Task not found: {id}"), "not_found")
}

/// Refusals that name what was asked for.
fn refused(wanted: &Wanted, id: Option<&TaskId>, fault: Fault) -> Result<Reply, Fault> {
    let Fault::List(Error::Refused(refusal)) = &fault else { return Err(fault) };
    let text = match refusal {
        Refusal::NotFound { id: lost } if Some(lost) == id => return Ok(missing(lost)),
        Refusal::NotFound { id } => format!("Error: Dependency task ID not found: {id}"),
        Refusal::Blocked { id, by, .. } => {
            let by: Vec<&str> = by.iter().map(TaskId::as_str).collect();
            let status = wanted.status.unwrap_or(Status::InProgress).name();
            format!("Error: Cannot set task {id} to {status}; dependencies not completed: {}", by.join(", "))
        }
        _ => return Err(fault),
    };
    Ok(Reply::refused(text, refusal.code()))
}
