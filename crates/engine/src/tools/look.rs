//! Looking at tasks for the vocabularies of other programs: which they show, and records as a format would write them.
//! Not their words: each vocabulary has its own.

use super::{Desk, Fault, bound::bounded};
use crate::{
    format::{Put, Writing, named},
    id::TaskId,
    rules::Refusal,
    time::Time,
    view::TaskView,
};
use std::collections::HashSet;

/// The tasks that are shown, in the order of the list. To look is a sign of life.
pub(super) fn shown(desk: &Desk<'_>) -> Result<Vec<TaskView>, Fault> {
    // A list that cannot be written can still be looked at.
    _ = desk.list.renew(&desk.actor);
    let mut tasks = desk.list.board()?.tasks;
    tasks.retain(|it| !it.task.is_internal());
    Ok(tasks)
}

/// One task, which must be there.
pub(super) fn one(desk: &Desk<'_>, id: &TaskId) -> Result<TaskView, Fault> {
    _ = desk.list.renew(&desk.actor);
    Ok(desk.list.show(id)?.ok_or_else(|| Refusal::NotFound { id: id.clone() })?)
}

/// What a task still waits for, in the order in which it was said.
pub(super) fn waits(view: &TaskView) -> Vec<TaskId> {
    let open: HashSet<&TaskId> = view.open_blockers.iter().collect();
    view.task.blocked_by.iter().filter(|it| open.contains(it)).cloned().collect()
}

/// Lines, as many as fit and at least one; what is left out is said.
pub(super) fn lines(desk: &Desk<'_>, lines: &[String]) -> String {
    let (text, more) = bounded(lines, desk.bound);
    let text = text.trim_end_matches('\n');
    if more == 0 { text.to_owned() } else { format!("{text}\n… {more} more") }
}

/// The file that a format would write for tasks.
pub(super) fn record(format: &str, views: &[TaskView], now: Time) -> Result<String, Fault> {
    let lost = |reason: &str| Fault::Arguments(format!("the record cannot be written: {reason}"));
    let format = named(format).ok_or_else(|| lost("no such format"))?;
    let open: HashSet<&TaskId> = views.iter().flat_map(|it| &it.open_blockers).collect();
    let writing = Writing { finished: &|id| !open.contains(id), now };
    let puts: Vec<Put<'_>> = views.iter().map(|it| Put::Task(&it.task)).collect();
    let text = format.encode(None, &puts, &writing).map_err(|it| lost(&it.to_string()))?;
    Ok(text.unwrap_or_default())
}
