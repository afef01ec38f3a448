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
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// About how many tokens a text is, rather too many than too few: three letters of English, or one of another script.
pub(super) fn tokens(text: &str) -> usize {
    let plain = text.chars().filter(char::is_ascii).count();
    plain.div_ceil(3) + (text.chars().count() - plain)
}

/// As many lines as fit, and how many did not.
pub(super) fn bounded(lines: &[String], bound: usize) -> (String, usize) {
    let mut text = String::new();
    let mut used = 0;
    for (n, line) in lines.iter().enumerate() {
        used += tokens(line) + 1;
        if used > bound && n > 0 {
            return (text, lines.len() - n);
        }
        text += line;
        text.push('\n');
    }
    (text, 0)
}

/// A text cut to a bound; what is missing is said.
pub(super) fn cut(text: &str, bound: usize) -> String {
    if tokens(text) <= bound {
        return text.to_owned();
    }
    let mut used = 0;
    let end = text.char_indices().find(|(_, it)| {
        used += if it.is_ascii() { 1 } else { 3 };
        used > bound * 3
    });
    let end = end.map_or(text.len(), |(at, _)| at);
    let left = text[end..].chars().count();
    format!("{}\n[… {left} more characters; they are in the task's file]", &text[..end])
}

/// What a model is told when something could not be done.
pub(in crate::tools) fn told(fault: &Fault) -> String {
    match fault {
        Fault::Arguments(reason) if reason.ends_with('?') => format!("Not done: {reason}"),
        Fault::Arguments(reason) => format!("Not done: {reason}."),
        Fault::List(Error::Refused(refusal)) => {
            format!("Not done: {refusal}. {}", instead(refusal)).trim_end().to_owned()
        }
        Fault::List(error) => format!("Failed: {error}. Nothing was changed."),
    }
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
        Refusal::StaleToken { .. } => "You lost it: stop working on it and call TaskNext.".to_owned(),
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
