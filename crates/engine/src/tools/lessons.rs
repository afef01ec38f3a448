//! What the vocabularies of the three lessons (s12, s07, v6) have in common: how a task is named, and the words in which
//! something is refused. Not their answers.

use super::{Arguments, Fault};
use crate::{id::TaskId, rules::Refusal, store::Error, task::Status};

/// The task that a call is about, by the name that the lesson has for it or by another. What cannot be an id is not
/// found.
pub(super) fn task(arguments: &Arguments<'_>, name: &'static str) -> Result<TaskId, Fault> {
    let text = arguments.required(&[name, "task_id", "taskId", "id"])?;
    let id = TaskId::typed(text.trim());
    Ok(id.ok_or_else(|| Refusal::NotFound { id: TaskId::found(&text) })?)
}

/// What a call wants a task to become.
pub(super) enum Wanted {
    /// To have a status, or to keep its own.
    Status(Option<Status>),
    /// To be removed.
    Gone,
}

/// The status that a call asks for.
pub(super) fn wanted(arguments: &Arguments<'_>) -> Result<Wanted, Fault> {
    let Some(word) = arguments.text(&["status"])? else { return Ok(Wanted::Status(None)) };
    match (word.as_str(), Status::named(&word)) {
        ("deleted", _) => Ok(Wanted::Gone),
        (_, Some(status)) => Ok(Wanted::Status(Some(status))),
        _ => Err(Fault::Arguments(format!("Invalid status: {word}"))),
    }
}

/// What a model is told when something could not be done. How blockers are spelled differs.
pub(super) fn told(fault: &Fault, spelled: fn(&[TaskId]) -> String) -> String {
    let reason = match fault {
        Fault::List(Error::Refused(refusal)) => refused(refusal, spelled),
        other => other.to_string(),
    };
    format!("Error: {reason}")
}

fn refused(refusal: &Refusal, spelled: fn(&[TaskId]) -> String) -> String {
    match refusal {
        Refusal::NotFound { id } => format!("Task {id} not found"),
        Refusal::Blocked { id, by, .. } => format!("Task {id} is blocked by: {}", spelled(by)),
        Refusal::AlreadyClaimed { id, by: holder, .. } | Refusal::StaleToken { id, holder } => {
            format!("Task {id} is owned by {}", holder.as_deref().unwrap_or("somebody"))
        }
        Refusal::AlreadyResolved { id } => format!("Task {id} is completed"),
        Refusal::SelfEdge { .. } => "Task cannot depend on itself".to_owned(),
        Refusal::Cycle { path } => {
            let path: Vec<&str> = path.iter().map(TaskId::as_str).collect();
            format!("Dependency cycle detected: {}", path.join(" -> "))
        }
        Refusal::Invalid { field, .. } if field == "subject" => "Task subject cannot be empty".to_owned(),
        other => other.to_string(),
    }
}
