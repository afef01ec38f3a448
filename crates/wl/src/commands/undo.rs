//! `wl undo`: takes back a change, by whomever it was made.

use super::log::history;
use crate::{
    context::Context,
    failure::Failure,
    output::{Answer, event_json, line, tasks_json, what},
};
use clap::Args;
use std::collections::HashSet;
use worklist::{
    Error,
    event::{Event, Origin},
    json::Object,
};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl undo                      # your own last change; again, the one before
  wl undo 42                   # a change of anybody, other programs included (`wl log` has the numbers)

A task that was removed comes back with its edges. What was changed again since is not overwritten:
undo the later change first. A claim is never brought back: its number has passed.";

#[derive(Debug, Args)]
pub(crate) struct UndoArgs {
    /// The number of the change; without it your own last one
    pub(crate) seq: Option<u64>,
}

pub(super) fn run(context: &Context, args: &UndoArgs) -> Result<Answer, Failure> {
    let list = context.open()?;
    let events = history(&list)?;
    let event = match args.seq {
        Some(seq) => events.iter().find(|it| it.seq == seq).ok_or(Error::NoEvent { seq })?,
        None => last_own(&events, &context.actor.agent).ok_or_else(|| nothing(&context.actor.agent))?,
    };
    let outcome = list.undo(&context.actor, event.seq)?;
    if outcome.event.is_none() {
        return Err(nothing_left(event, &events));
    }
    let mut text = format!("Took back {}: {}\n", event.seq, what(event));
    for task in &outcome.tasks {
        text += &format!("  {}\n", line(task));
    }
    let mut json = Object::new().with("undone", event.seq).with("tasks", tasks_json(&outcome.tasks));
    json.set_some("event", outcome.event.as_ref().map(event_json));
    Ok(Answer::new(text, json).warned(&outcome.problems))
}

/// The agent's last change that still stands; taking back is none itself.
fn last_own<'a>(events: &'a [Event], agent: &str) -> Option<&'a Event> {
    let mut undone = HashSet::new();
    for event in events.iter().rev() {
        // Whether a taking back was taken back itself stands later in the history, and was seen before.
        let stands = !undone.contains(&event.seq);
        match event.undoes {
            Some(seq) if stands => _ = undone.insert(seq),
            None if stands && event.origin == Origin::Ours && event.actor.agent == agent => {
                return Some(event);
            }
            _ => {}
        }
    }
    None
}

/// What a change did is not there any more, by whomever that was taken back or removed.
fn nothing_left(event: &Event, events: &[Event]) -> Failure {
    let message = format!("nothing is left of change {} to take back", event.seq);
    let removes =
        |it: &&Event| it.origin == Origin::Foreign && it.changes.iter().any(|it| it.after.is_none());
    let removal = events.iter().rev().find(removes);
    let hint = removal.map(|it| format!("`wl undo {}` brings back what another program removed", it.seq));
    Failure { code: "already_undone", message, hint, data: Object::new().with("seq", event.seq), exit: 3 }
}

fn nothing(agent: &str) -> Failure {
    let message = format!("there is no change by {agent} to take back");
    let hint = Some("`wl log` shows the changes of everybody; `wl undo SEQ` takes one back".to_owned());
    Failure { code: "no_event", message, hint, data: Object::new(), exit: 4 }
}
