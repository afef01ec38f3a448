//! `wl changes`: what changed since a number, oldest first, for programs that look from time to time.

use super::log::{history, json};
use crate::{
    context::Context,
    failure::Failure,
    output::{Answer, columns, event_cells},
};
use clap::Args;
use worklist::event::Event;

pub(super) const EXAMPLES: &str = "\
Examples:
  wl changes --since 0         # everything that history still has
  seq=$(wl changes --json | jq .seq); …; wl changes --since $seq --json";

#[derive(Debug, Args)]
pub(crate) struct ChangesArgs {
    /// Only changes with a higher number; without it none, only the number of the last
    #[arg(long, value_name = "SEQ")]
    pub(crate) since: Option<u64>,
}

pub(super) fn run(context: &Context, args: &ChangesArgs) -> Result<Answer, Failure> {
    let list = context.look()?;
    let events = history(&list)?;
    let seq = events.last().map_or(0, |it| it.seq);
    let news: Vec<Event> =
        events.into_iter().filter(|it| args.since.is_some_and(|since| it.seq > since)).collect();
    let rows: Vec<Vec<String>> = news.iter().map(|it| event_cells(it, list.now(), None)).collect();
    let mut text: String = columns(&rows, context.output.width()).into_iter().map(|it| it + "\n").collect();
    if news.is_empty() {
        text = format!("Nothing new; the last change is {seq}.\n");
    }
    Ok(Answer::new(text, json(&news, seq)))
}
