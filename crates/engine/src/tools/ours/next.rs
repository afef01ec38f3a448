//! `TaskNext`: claims the best ready task, and waits for one if asked to.

use super::show::whole;
use crate::{
    json::{Json, Object, Style, write},
    rules::NextTask,
    tools::{Arguments, Desk, Fault, Reply},
    view::{State, TaskView},
};

/// One wait at most; who waits longer calls again.
const LONGEST_MS: u64 = 3_600_000;

pub(super) fn call(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let tags: Vec<String> = arguments.texts(&["tag", "tags"])?;
    let wait = arguments.number(&["wait"])?.unwrap_or(0).saturating_mul(1000).min(LONGEST_MS);
    let actor = super::caller(desk, arguments)?;
    arguments.nothing_else()?;
    let wanted = NextTask { tags, ..NextTask::default() };
    let outcome = desk.list.next(&actor, &wanted, wait, desk.goes_on)?;
    match outcome.as_ref().and_then(|it| it.tasks.first()) {
        Some(view) => Ok(Reply::ok(claimed(view, desk.bound, arguments.text(&["agent"])?))),
        None => nothing(desk),
    }
}

fn claimed(view: &TaskView, bound: usize, agent: Option<String>) -> String {
    let text = whole(view, bound);
    let mut call = Object::new().with("taskId", view.task.id.as_str()).with("status", "completed");
    // Who claimed under a name completes under it.
    call.set_some("agent", agent);
    let call = write(&Json::Object(call), Style::COMPACT, "");
    format!(
        "Claimed {text}\n\nWhen it is done: TaskUpdate {call}. If you cannot finish it: status \"pending\" with a reason."
    )
}

/// Why there is nothing, which is not an error.
fn nothing(desk: &Desk<'_>) -> Result<Reply, Fault> {
    let board = desk.list.board()?;
    let (busy, blocked) = (board.count(State::InProgress), board.count(State::Blocked));
    let text = match (busy, blocked) {
        (0, 0) => "Nothing is ready: every task is done.".to_owned(),
        (0, _) => format!(
            "Nothing is ready, although nobody is at work: {blocked} tasks are blocked. TaskList shows by what."
        ),
        _ => format!(
            "Nothing is ready: {busy} in progress, {blocked} blocked. Call again later, or with wait."
        ),
    };
    Ok(Reply::ok(text))
}
