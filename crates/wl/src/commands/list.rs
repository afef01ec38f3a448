//! `wl list`: the open tasks, or those asked for.

use super::typed::statuses;
use crate::{
    context::Context,
    failure::Failure,
    output::{Answer, FAINT, Row, TreeLines, paint, tree, visible, width},
};
use clap::Args;
use worklist::{State, Status, TaskView, json::Object, store::Problem};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl list                      # what is open
  wl list --tree               # what waits for what
  wl list --all --tag docs     # completed ones, too
  wl list --status in_progress --owner ann
  wl list --json | jq -r '.tasks[] | select(.state == \"ready\") | .id'

Marks: [ ] pending, [>] in progress, [x] completed.";

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Every task, also completed ones, without limit
    #[arg(long)]
    pub(crate) all: bool,
    /// Only tasks of this status
    #[arg(long, value_name = "STATUS", value_parser = statuses())]
    pub(crate) status: Option<String>,
    /// Only tasks that wait for something
    #[arg(long)]
    pub(crate) blocked: bool,
    /// What waits for what, as a tree
    #[arg(long)]
    pub(crate) tree: bool,
    #[command(flatten)]
    pub(crate) filter: Filter,
}

/// What narrows a list.
#[derive(Debug, Args)]
pub(crate) struct Filter {
    /// Only tasks of this owner
    #[arg(long, value_name = "AGENT")]
    pub(crate) owner: Option<String>,
    /// Only tasks with this tag; with several, all of them
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// At most so many tasks
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
}

impl Filter {
    pub(super) fn suits(&self, it: &TaskView) -> bool {
        self.owner.as_ref().is_none_or(|owner| it.task.owner.as_ref() == Some(owner))
            && self.tag.iter().all(|tag| it.task.tags.contains(tag))
    }
}

pub(super) fn run(context: &Context, args: &ListArgs) -> Result<Answer, Failure> {
    let status = args.status.as_deref().and_then(Status::named);
    let list = context.look()?;
    let board = list.board()?;
    let suits = |it: &&TaskView| {
        (args.all || !it.task.is_internal())
            && (args.all || status.is_some() || it.state != State::Completed)
            && status.is_none_or(|status| it.task.status == status)
            && (!args.blocked || it.state == State::Blocked)
            && args.filter.suits(it)
    };
    if context.output.json {
        let (total, mut tasks) = (board.tasks.len(), board.tasks);
        tasks.retain(|it| suits(&it));
        tasks.truncate(args.filter.limit.unwrap_or(usize::MAX));
        return Ok(document(tasks, total, &board.problems));
    }
    let found: Vec<&TaskView> = board.tasks.iter().filter(suits).collect();
    // On a terminal a list is cut to what can be seen, unless a number or everything was asked for.
    let seen = context.output.rows.filter(|_| !args.all).map(|it| it.saturating_sub(3).max(3));
    let limit = args.filter.limit.or(seen).unwrap_or(usize::MAX);
    let shown = &found[..found.len().min(limit)];
    let text = if args.tree { drawn(context, shown) } else { lined(context, shown) };
    Ok(answer(board.tasks.len(), found.len(), shown, text).warned(&board.problems))
}

/// The document about some of all tasks.
pub(super) fn document(tasks: Vec<TaskView>, total: usize, problems: &[Problem]) -> Answer {
    let rest = Object::new().with("count", tasks.len()).with("total", total);
    Answer::of_tasks(tasks, rest).warned(problems)
}

/// The text about some of the tasks that were found.
pub(super) fn answer(total: usize, found: usize, shown: &[&TaskView], mut text: String) -> Answer {
    if found == 0 {
        text = match total {
            0 => "No tasks yet; `wl add SUBJECT` creates one.\n".to_owned(),
            _ => format!("No such tasks among {total}; `wl list --all` shows every one.\n"),
        };
    } else if shown.len() < found {
        text += &paint(FAINT, &format!("… and {} more; --all shows every one", found - shown.len()));
        text.push('\n');
    }
    Answer::new(text, Object::new())
}

/// One aligned line for each task.
pub(super) fn lined(context: &Context, shown: &[&TaskView]) -> String {
    let rows: Vec<Row> = shown.iter().map(|it| Row::of(it)).collect();
    let ids = rows.iter().map(|it| width(&it.id)).max().unwrap_or(0);
    rows.iter().map(|it| it.line(ids, context.output.width()) + "\n").collect()
}

/// The same as a tree.
fn drawn(context: &Context, shown: &[&TaskView]) -> String {
    let lines = if context.output.ascii { TreeLines::Ascii } else { TreeLines::Unicode };
    let line = |(margin, view): (String, &TaskView)| {
        let left = context.output.width().saturating_sub(width(&margin));
        format!("{}{}\n", paint(FAINT, &visible(&margin)), Row::of(view).line(0, left))
    };
    tree(shown, lines).into_iter().map(line).collect()
}
