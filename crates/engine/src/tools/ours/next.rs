//! `TaskNext`: claims the best ready task, and waits for one if asked to.

use super::show::whole;
use crate::{
    rules::{Command, NextTask},
    tools::{Arguments, Desk, Fault, Reply},
    view::State,
};

/// One wait at most; who waits longer calls again.
const LONGEST_MS: u64 = 3_600_000;
/// Without a hint the list is looked at again after so long: a lease may have run out.
const PATIENCE_MS: u64 = 5_000;

pub(super) fn call(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let tags: Vec<String> = arguments.texts(&["tag", "tags"])?;
    let wait = arguments.number(&["wait"])?.unwrap_or(0).saturating_mul(1000).min(LONGEST_MS);
    let actor = super::caller(desk, arguments)?;
    arguments.nothing_else()?;
    let wanted = Command::Next(NextTask { tags, ..NextTask::default() });
    let until = desk.list.now().plus(i64::try_from(wait).unwrap_or(0));
    if wait > 0 {
        // From here on nothing is missed between a look and the wait for the next.
        desk.list.wait(0);
    }
    loop {
        let outcome = desk.list.run(&actor, &wanted)?;
        if let Some(view) = outcome.tasks.first() {
            let text = whole(view, desk.bound);
            let id = &view.task.id;
            return Ok(Reply::ok(format!(
                "Claimed {text}\n\nWhen it is done: TaskUpdate {{\"taskId\": \"{id}\", \"status\": \"completed\"}}. \
                 If you cannot finish it: status \"pending\" with a reason."
            )));
        }
        let left = u64::try_from(until.0 - desk.list.now().0).unwrap_or(0);
        if left == 0 {
            return nothing(desk);
        }
        desk.list.wait(left.min(PATIENCE_MS));
    }
}

/// Why there is nothing, which is not an error.
fn nothing(desk: &Desk<'_>) -> Result<Reply, Fault> {
    let board = desk.list.board()?;
    let count = |state| board.tasks.iter().filter(|it| it.state == state && !it.task.is_internal()).count();
    let (busy, blocked) = (count(State::InProgress), count(State::Blocked));
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
