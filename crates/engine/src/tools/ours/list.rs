//! `TaskList`: what is open, or what changed.

use super::said::line;
use crate::{
    tools::{Arguments, Desk, Fault, Reply, bound::bounded},
    view::{Board, State, TaskView},
};
use std::collections::HashSet;

pub(super) fn call(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let state = arguments.text(&["state", "status"])?;
    let owner = arguments.text(&["owner"])?;
    let tag = arguments.text(&["tag"])?;
    let since = arguments.number(&["since"])?;
    let limit = arguments.number(&["limit"])?.and_then(|it| usize::try_from(it).ok()).unwrap_or(usize::MAX);
    let actor = super::caller(desk, arguments)?;
    arguments.nothing_else()?;
    let wanted = Wanted::named(state.as_deref(), since.is_some())
        .ok_or_else(|| arguments.wrong("state", "must be ready, blocked, in_progress, completed or all"))?;
    _ = desk.list.renew(&actor);
    let board = desk.list.board()?;
    let events = desk.list.events_after(since.unwrap_or(u64::MAX))?;
    let seq = match since {
        Some(_) => events.last().map_or(since.unwrap_or(0), |it| it.seq),
        None => desk.list.seq()?,
    };
    let changed: HashSet<_> =
        events.iter().flat_map(|it| it.changes.iter().map(|it| it.id.clone())).collect();
    let suits = |it: &&TaskView| {
        !it.task.is_internal()
            && wanted.suits(it)
            && owner.as_ref().is_none_or(|owner| it.task.owner.as_ref() == Some(owner))
            && tag.as_ref().is_none_or(|tag| it.task.tags.contains(tag))
            && (since.is_none() || changed.contains(&it.task.id))
    };
    let mut found: Vec<&TaskView> = ordered(&board).into_iter().filter(suits).collect();
    let all = found.len();
    found.truncate(limit);
    let lines: Vec<String> = found.into_iter().map(line).collect();
    let (mut text, cut) = bounded(&lines, desk.bound);
    let left = cut + all - lines.len();
    if left > 0 {
        text += &format!("… {left} more: narrow it by state, owner or tag.\n");
    }
    let gone: Vec<String> = changed
        .iter()
        .filter(|id| !board.tasks.iter().any(|it| it.task.id == **id))
        .map(|it| format!("#{it}"))
        .collect();
    if !gone.is_empty() {
        text += &format!("Removed: {}\n", gone.join(", "));
    }
    Ok(Reply::ok(format!("{}\n{text}seq {seq}", heading(&board))))
}

/// What is ready in the order in which it would be taken, then the rest.
fn ordered(board: &Board) -> Vec<&TaskView> {
    let ready = board.ready();
    let known: HashSet<_> = ready.iter().map(|it| &it.task.id).collect();
    let rest = board.tasks.iter().filter(|it| !known.contains(&it.task.id));
    ready.iter().copied().chain(rest).collect()
}

fn heading(board: &Board) -> String {
    let total = board.seen().count();
    if total == 0 {
        return "No tasks. TaskPlan makes a whole graph, TaskCreate one.".to_owned();
    }
    format!(
        "{total} tasks: {} ready, {} in progress, {} blocked, {} completed",
        board.count(State::Ready),
        board.count(State::InProgress),
        board.count(State::Blocked),
        board.count(State::Completed)
    )
}

/// Which tasks are asked for.
enum Wanted {
    Open,
    All,
    State(State),
}

impl Wanted {
    /// What changed is of interest also if it is done.
    fn named(name: Option<&str>, changes: bool) -> Option<Wanted> {
        Some(match name {
            None if changes => Wanted::All,
            None | Some("open" | "pending") => Wanted::Open,
            Some("all") => Wanted::All,
            Some("ready") => Wanted::State(State::Ready),
            Some("blocked") => Wanted::State(State::Blocked),
            Some("in_progress") => Wanted::State(State::InProgress),
            Some("completed") => Wanted::State(State::Completed),
            Some(_) => return None,
        })
    }

    fn suits(&self, view: &TaskView) -> bool {
        match self {
            Wanted::All => true,
            Wanted::Open => view.state != State::Completed,
            Wanted::State(state) => view.state == *state,
        }
    }
}
