//! `wl export`: everything, as lines of JSON on standard output.

use crate::{
    context::Context,
    failure::Failure,
    output::{Answer, Document, escaped},
};
use clap::Args;
use worklist::transfer::lines;

pub(super) const EXAMPLES: &str = "\
Examples:
  wl export > tasks.jsonl      # tasks, claims and history
  wl import tasks.jsonl        # elsewhere

The same list gives the same bytes: export, import and export again, and nothing differs.";

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {}

pub(super) fn run(context: &Context, _args: &ExportArgs) -> Result<Answer, Failure> {
    let list = context.open()?;
    let progress = context.output.progress("reading the list");
    let whole = list.whole()?;
    progress.now("writing it out");
    let text =
        escaped(&lines::export(&whole, list.format().map_or("postgres", |it| it.shape().name))).into_owned();
    Ok(Answer { text, json: Document::Text, ..Answer::default() })
}
