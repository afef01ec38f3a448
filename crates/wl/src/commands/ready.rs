//! `wl ready`: what can be started now, the best first.

use super::list::{Filter, answer, document, lined};
use crate::{context::Context, failure::Failure, output::Answer};
use clap::Args;
use worklist::TaskView;

pub(super) const EXAMPLES: &str = "\
Examples:
  wl ready                     # in the order in which `wl next` would take them
  wl ready --tag docs --limit 3
  wl ready --json | jq -r '.tasks[0].id'

Ready is: pending, nobody's, and nothing to wait for. The order: priority, then what most others
wait for, then the oldest.";

#[derive(Debug, Args)]
pub(crate) struct ReadyArgs {
    #[command(flatten)]
    pub(crate) filter: Filter,
}

pub(super) fn run(context: &Context, args: &ReadyArgs) -> Result<Answer, Failure> {
    let list = context.look()?;
    let board = list.board()?;
    let found: Vec<&TaskView> = board.ready().into_iter().filter(|it| args.filter.suits(it)).collect();
    let shown = &found[..found.len().min(args.filter.limit.unwrap_or(usize::MAX))];
    if context.output.json {
        let tasks: Vec<TaskView> = shown.iter().map(|it| (*it).clone()).collect();
        return Ok(document(tasks, board.tasks.len(), &board.problems));
    }
    let mut answer = answer(&board, found.len(), shown, lined(context, shown));
    if found.is_empty() && !board.tasks.is_empty() {
        answer.text = String::from("Nothing is ready; `wl why` says what everything waits for.\n");
    }
    Ok(answer)
}
