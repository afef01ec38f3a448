//! The past of one task, walked back line by line. Not the history of the list: that is read from front to back.

use super::{
    log::Log,
    record::{Past, Record, Touch, touch_and_past},
};
use crate::{
    event::Event,
    id::TaskId,
    store::{Error, History},
};

/// How a task came to be what it is, with its latest changes. A line that older versions wrote does not say what was
/// before it, and one that is damaged says nothing: then everything is read.
pub(super) fn history(log: &Log, id: &TaskId, latest: usize) -> Result<History, Error> {
    match walked(log, id, latest)? {
        Some(history) => Ok(history),
        None => Ok(History::of(log.events_after(0)?, id, latest)),
    }
}

fn walked(log: &Log, id: &TaskId, latest: usize) -> Result<Option<History>, Error> {
    let Some(last) = log.last(id)? else { return Ok(Some(History::default())) };
    let Some(past) = last.past else { return Ok(None) };
    let mut history = History { changes: past.changes, first: past.first, latest: Vec::new() };
    let wanted = usize::try_from(past.changes).map_or(latest, |it| it.min(latest));
    let mut place = last.place;
    while history.latest.len() < wanted {
        let line = log.line_at(place, touch_and_past)?;
        let Some((touch, Some(past))) = line.filter(|(it, _)| it.id == *id) else { return Ok(None) };
        match told(log, touch, &past)? {
            Told::Event(event) => history.latest.push(*event),
            Told::Nothing => {}
            Told::Unknown => return Ok(None),
        }
        match past.prior.filter(|it| *it < place) {
            Some(prior) => place = prior,
            None => break,
        }
    }
    Ok((history.latest.len() == wanted).then_some(history))
}

enum Told {
    Event(Box<Event>),
    /// The file was written anew, or a state was kept of which nothing else is known.
    Nothing,
    Unknown,
}

fn told(log: &Log, touch: Touch, past: &Past) -> Result<Told, Error> {
    let (Some(place), Some(change)) = (past.event, touch.change()) else { return Ok(Told::Nothing) };
    Ok(match log.line_at(place, Record::event_alone)? {
        Some(event) => Told::Event(Box::new(Event { changes: vec![change], ..event })),
        None => Told::Unknown,
    })
}
