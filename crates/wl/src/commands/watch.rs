//! `wl watch`: a live view on a terminal, one line for each change in a pipe.

use super::{log::history, overview};
use crate::{
    context::Context,
    failure::Failure,
    output::{Answer, Document, event_json, event_line},
};
use clap::Args;
use worklist::{TaskList, event::Event};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl watch                     # a live view; Ctrl-C ends it
  wl watch --json              # one JSON object for each change, as it happens
  wl watch --json --since 42   # first what you missed
  wl watch --json --events 1   # until something happens";

/// How long one wait lasts at most; the live view then shows how time passes.
const STEP_MS: u64 = 1_000;

#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// Begin with the changes after this number, not with what comes
    #[arg(long, value_name = "SEQ")]
    pub(crate) since: Option<u64>,
    /// End after so many changes
    #[arg(long, value_name = "N")]
    pub(crate) events: Option<usize>,
}

pub(super) fn run(context: &Context, args: &WatchArgs) -> Result<Answer, Failure> {
    let list = context.open()?;
    let last = history(&list)?.last().map_or(0, |it| it.seq);
    let after = args.since.unwrap_or(last);
    if context.output.is_terminal() && args.since.is_none() && args.events.is_none() {
        live(context, &list, last)?;
    } else {
        stream(context, &list, after, args.events.unwrap_or(usize::MAX))?;
    }
    Ok(Answer { json: Document::Streamed, ..Answer::default() })
}

fn stream(context: &Context, list: &TaskList, after: u64, most: usize) -> Result<(), Failure> {
    let mut watch = list.watch(after);
    let mut told = 0;
    while told < most {
        for event in watch.next(STEP_MS)? {
            if told == most || tell(context, list, &event).is_err() {
                // Nobody reads any more.
                return Ok(());
            }
            told += 1;
        }
    }
    Ok(())
}

fn tell(context: &Context, list: &TaskList, event: &Event) -> std::io::Result<()> {
    if context.output.json {
        context.output.stream_json(event_json(event))
    } else {
        context.output.stream(&event_line(event, list.now()))
    }
}

fn live(context: &Context, list: &TaskList, last: u64) -> Result<(), Failure> {
    let mut watch = list.watch(last.saturating_sub(5));
    let mut latest: Vec<Event> = Vec::new();
    loop {
        let output = crate::context::resized(&context.output);
        let context = Context { output, ..context.clone() };
        let mut frame = overview::board(&context, list)?.text;
        frame += "\n";
        for event in latest.iter().rev().take(5) {
            frame += &(event_line(event, list.now()) + "\n");
        }
        // Home, each line erased to its end, the rest of the screen after the last: no flicker.
        let rows = context.output.rows.unwrap_or(24).saturating_sub(1);
        let lines = frame.lines().take(rows).fold(String::new(), |text, it| text + it + "\x1b[K\n");
        if context.output.frame(&format!("\x1b[H{lines}\x1b[J")).is_err() {
            return Ok(());
        }
        latest.extend(watch.next(STEP_MS)?);
        let old = latest.len().saturating_sub(5);
        latest.drain(..old);
    }
}
