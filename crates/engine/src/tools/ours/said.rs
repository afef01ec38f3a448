//! The words of our answers: lines about tasks, bounded lists, and refusals that say what to do instead.

use crate::{
    id::TaskId,
    rules::Refusal,
    store::Error,
    tools::Fault,
    view::{State, TaskView},
};

/// One line about a task.
pub(super) fn line(view: &TaskView) -> String {
    let task = &view.task;
    let state = if view.parked { "parked" } else { view.state.name() };
    let mut line = format!("#{} [{state}] {}", task.id, one_line(&task.subject));
    if let Some(owner) = &task.owner {
        line += &format!(" (@{})", one_line(owner));
    }
    if !view.open_blockers.is_empty() && view.state != State::Completed {
        line += &format!(" [blocked by {}]", ids(&view.open_blockers));
    }
    if let Some(priority) = task.priority.filter(|it| *it != crate::task::Priority::Medium) {
        line += &format!(" !{}", priority.name());
    }
    for tag in &task.tags {
        line += &format!(" +{}", one_line(tag));
    }
    line
}

/// `#1, #2`
pub(super) fn ids(ids: &[TaskId]) -> String {
    ids.iter().map(|it| format!("#{it}")).collect::<Vec<_>>().join(", ")
}

/// A text without line breaks.
pub(in crate::tools) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a model is told when something could not be done.
pub(in crate::tools) fn told(fault: &Fault) -> String {
    // What the call brought along may be repeated, but not as lines of ours.
    one_line(&match fault {
        Fault::Arguments(reason) if reason.ends_with('?') => format!("Not done: {reason}"),
        Fault::Arguments(reason) => format!("Not done: {reason}."),
        Fault::List(Error::Refused(refusal)) => {
            format!("Not done: {refusal}. {}", instead(refusal)).trim_end().to_owned()
        }
        Fault::List(error) => format!("Failed: {error}. Nothing was changed."),
    })
}

/// What to do instead.
fn instead(refusal: &Refusal) -> String {
    match refusal {
        Refusal::NotFound { .. } => "TaskList shows what there is.".to_owned(),
        Refusal::Blocked { missing, .. } if !missing.is_empty() => {
            format!("{} does not exist: take it out with removeBlockedBy.", ids(missing))
        }
        Refusal::Blocked { by, .. } => format!("Do {} first, or call TaskNext.", ids(&by[..by.len().min(1)])),
        Refusal::AlreadyClaimed { mine: true, .. } => "It is yours already: go on with it.".to_owned(),
        Refusal::AlreadyClaimed { .. } => "Leave it; call TaskNext for another.".to_owned(),
        Refusal::StaleToken { .. } => {
            "It is not yours, or not any more: stop working on it and call TaskNext.".to_owned()
        }
        Refusal::AgentBusy { with, .. } => format!("Finish {} first.", ids(with)),
        Refusal::Cycle { .. } | Refusal::SelfEdge { .. } => "Leave one of these edges out.".to_owned(),
        Refusal::Parked { .. } => "A person must look at it first; call TaskNext for another.".to_owned(),
        Refusal::AlreadyResolved { .. } => "Nothing is left to do on it.".to_owned(),
        Refusal::Exists { .. }
        | Refusal::Invalid { .. }
        | Refusal::Denied { .. }
        | Refusal::ChangedSince { .. } => String::new(),
    }
}
