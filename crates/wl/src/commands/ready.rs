//! `wl ready`: what can be started now, the best first.

use super::list::{Filter, answer, document, lined};
use crate::{context::Context, failure::Failure, output::Answer};
use clap::Args;
use worklist::{Ready, TaskView};

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
    let Ready { mut tasks, total, problems } = list.ready()?;
    tasks.retain(|it| args.filter.suits(it));
    let found = tasks.len();
    tasks.truncate(args.filter.limit.unwrap_or(usize::MAX));
    if context.output.json {
        return Ok(document(tasks, total, &problems));
    }
    let shown: Vec<&TaskView> = tasks.iter().collect();
    let mut answer = answer(total, found, &shown, lined(context, &shown)).warned(&problems);
    if found == 0 && total > 0 {
        answer.text = String::from("Nothing is ready; `wl why` says what everything waits for.\n");
    }
    Ok(answer)
}
