//! `wl log`: what happened, newest first.

use super::typed::id;
use crate::{
    complete,
    context::Context,
    failure::Failure,
    output::{Answer, FAINT, columns, event_cells, event_json, paint},
};
use clap::Args;
use clap_complete::ArgValueCandidates;
use worklist::{
    TaskId, TaskList,
    event::Event,
    json::{Json, Object},
};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl log                       # everything, changes by other programs and by editors included
  wl log 7                     # one task
  wl log --limit 5 --json";

#[derive(Debug, Args)]
pub(crate) struct LogArgs {
    /// Only what happened to this task
    #[arg(value_parser = id, add = ArgValueCandidates::new(complete::any))]
    pub(crate) id: Option<TaskId>,
    /// At most so many changes
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
}

pub(super) fn run(context: &Context, args: &LogArgs) -> Result<Answer, Failure> {
    let list = context.look()?;
    let mut events = history(&list)?;
    let seq = events.last().map_or(0, |it| it.seq);
    events.retain(|it| args.id.as_ref().is_none_or(|id| it.changes.iter().any(|it| it.id == *id)));
    if let Some(id) = args.id.as_ref().filter(|id| events.is_empty() && !matches!(list.show(id), Ok(Some(_))))
    {
        return Err(worklist::Error::Refused(worklist::Refusal::NotFound { id: id.clone() }).into());
    }
    events.reverse();
    events.truncate(args.limit.unwrap_or(usize::MAX));
    let rows: Vec<Vec<String>> =
        events.iter().map(|it| event_cells(it, list.now(), args.id.as_ref())).collect();
    let mut text: String = columns(&rows, context.output.width()).into_iter().map(|it| it + "\n").collect();
    if events.is_empty() {
        text = paint(FAINT, "Nothing has happened yet.") + "\n";
    }
    Ok(Answer::new(text, json(&events, seq)))
}

/// All events, after a look that turns what others did into some.
pub(super) fn history(list: &TaskList) -> Result<Vec<Event>, Failure> {
    list.board()?;
    Ok(list.events_after(0)?)
}

/// Events as one document.
pub(super) fn json(events: &[Event], seq: u64) -> Object {
    let events = events.iter().map(|it| Json::Object(event_json(it))).collect();
    Object::new().with("events", Json::Array(events)).with("seq", seq)
}
