//! The words of the client, and ours where our rules refuse what the client would let pass: this is the one place
//! that has them.
//!
//! | refused | said |
//! |---|---|
//! | starting, completing or taking a blocked task | `Task #2 is blocked by #1` |
//! | changing what another session is at work on | `Task #2 is claimed by alice` |
//! | an edge that closes a circle | `Tasks would wait for each other: #1 -> #2 -> #1` |
//! | an edge from a task to itself | `Task #1 cannot wait for itself` |
//! | an edge to a task that is not there | `Task #9 not found` |
//! | a subject without letters | `subject may not be empty` |
//! | a task that waits for a person | `Task #1 is parked: its claim was lost 3 times` |

use crate::{
    id::TaskId,
    rules::Refusal,
    store::Error,
    tools::{Arguments, Fault, Reply},
};

/// `#1, #2`
pub(super) fn ids(ids: &[TaskId]) -> String {
    ids.iter().map(|it| format!("#{it}")).collect::<Vec<_>>().join(", ")
}

/// The task that a call is about, or the text that cannot be an id.
pub(super) fn task_in(arguments: &Arguments<'_>) -> Result<Result<TaskId, String>, Fault> {
    let text = arguments.required(&["taskId"])?;
    Ok(TaskId::typed(&text).ok_or(text))
}

/// A task that is not there, which is no error to that client.
pub(super) fn missing() -> Reply {
    Reply::ok("Task not found")
}

/// Why something is refused.
pub(super) fn reason(refusal: &Refusal) -> String {
    match refusal {
        Refusal::NotFound { id } => format!("Task #{id} not found"),
        Refusal::Blocked { id, by, .. } => format!("Task #{id} is blocked by {}", ids(by)),
        Refusal::AlreadyClaimed { id, by: holder, .. } | Refusal::StaleToken { id, holder } => {
            format!("Task #{id} is claimed by {}", holder.as_deref().unwrap_or("somebody"))
        }
        Refusal::AlreadyResolved { id } => format!("Task #{id} is already completed"),
        Refusal::Cycle { path } => {
            let path: Vec<String> = path.iter().map(|it| format!("#{it}")).collect();
            format!("Tasks would wait for each other: {}", path.join(" -> "))
        }
        Refusal::SelfEdge { id } => format!("Task #{id} cannot wait for itself"),
        Refusal::Parked { id, lost, failed: 0 } => {
            format!("Task #{id} is parked: its claim was lost {lost} times")
        }
        Refusal::Parked { id, failed, .. } => format!("Task #{id} is parked: {failed} attempts failed"),
        Refusal::Denied { reason, .. } => reason.clone(),
        other => other.to_string(),
    }
}

/// How a fault is told.
pub(in crate::tools) fn told(fault: &Fault) -> String {
    match fault {
        Fault::Arguments(reason) => {
            format!("<tool_use_error>InputValidationError: {reason}</tool_use_error>")
        }
        Fault::List(Error::Refused(refusal)) => reason(refusal),
        Fault::List(Error::Locked { .. } | Error::ForeignLocked { .. }) => {
            "Lock file is already being held".to_owned()
        }
        Fault::List(error) => error.to_string(),
    }
}

/// What is said to a call of a tool that there is not.
pub(in crate::tools) fn unknown(name: &str) -> String {
    format!("<tool_use_error>Error: No such tool available: {name}</tool_use_error>")
}
