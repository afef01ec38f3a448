//! `wl list`: the open tasks, or those asked for.

use crate::{
    args::ListArgs,
    context::Context,
    failure::Failure,
    output::{Answer, line, task_json, warnings},
};
use worklist::{
    State, Status, TaskView,
    json::{Json, Object},
};

pub(super) fn run(context: &Context, args: &ListArgs) -> Result<Answer, Failure> {
    let status = args.status.as_deref().map(status).transpose()?;
    let list = context.open()?;
    // Also a look is a sign of life; where it cannot be left, looking goes on.
    _ = list.renew(&context.actor);
    let board = list.board()?;
    let total = board.tasks.len();
    let suits = |it: &&TaskView| {
        (args.all || status.is_some() || it.state != State::Completed)
            && status.is_none_or(|status| it.task.status == status)
            && args.owner.as_ref().is_none_or(|owner| it.task.owner.as_ref() == Some(owner))
            && args.tag.iter().all(|tag| it.task.tags.contains(tag))
            && (!args.blocked || it.state == State::Blocked)
    };
    let limit = if args.all { usize::MAX } else { args.limit.unwrap_or(usize::MAX) };
    let found: Vec<&TaskView> = board.tasks.iter().filter(suits).collect();
    let shown: Vec<&TaskView> = found.iter().copied().take(limit).collect();
    let mut text: String = shown.iter().map(|it| line(it) + "\n").collect();
    if shown.is_empty() {
        text = match total {
            0 => "No tasks yet; `wl add SUBJECT` makes one.\n".to_owned(),
            _ => format!("No open tasks of that kind ({total} in all; --all shows every one).\n"),
        };
    } else if shown.len() < found.len() {
        text += &format!("… and {} more\n", found.len() - shown.len());
    }
    let tasks = shown.iter().map(|it| Json::Object(task_json(it))).collect();
    let json =
        Object::new().with("tasks", Json::Array(tasks)).with("count", shown.len()).with("total", total);
    Ok(Answer { text, json, warnings: warnings(&board.problems) })
}

fn status(name: &str) -> Result<Status, Failure> {
    let reason = format!("`{name}` is not known");
    let hint = "it is pending, in_progress or completed";
    Status::named(name).ok_or_else(|| Failure::invalid("status", &reason, Some(hint)))
}
