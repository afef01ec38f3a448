//! Lines for the journal, put together: where each will stand, what it follows, and what came before it in the past of
//! its task. Not the writing of them.

use super::{
    line,
    record::{self, Past, Record, Touch},
};
use crate::{id::TaskId, rules::Refusal, store::Error, time::Time};
use std::collections::HashMap;

/// What is known of the past of a task: where its last line stands, and what that says.
#[derive(Debug, Clone, Copy)]
pub(super) struct Last {
    pub(super) place: u64,
    /// None if the line was written by a version that did not count.
    pub(super) past: Option<Past>,
}

/// Lines that follow one another.
pub(super) struct Lines {
    pub(super) bytes: Vec<u8>,
    /// The checksum of the last line.
    pub(super) check: u32,
    /// Where each touch will stand, in their order.
    pub(super) places: Vec<u64>,
    base: u64,
    /// Whether there are lines before the next one that are flushed together with it; none if that need not be told.
    is_joined: Option<bool>,
    event: Option<(u64, Time)>,
    last: HashMap<TaskId, Last>,
}

impl Lines {
    /// Lines that will stand at `base`, after one with the checksum `check`.
    pub(super) fn at(base: u64, check: u32) -> Lines {
        let (bytes, places, last) = (Vec::new(), Vec::new(), HashMap::new());
        Lines { bytes, check, places, base, is_joined: None, event: None, last }
    }

    /// They will be flushed where they stand, behind others that are on their way or not: what is left of an unfinished flush
    /// must be told from damage between those that were finished.
    pub(super) fn joined(self, is_joined: bool) -> Lines {
        Lines { is_joined: Some(is_joined), ..self }
    }

    /// Where the next line will stand.
    fn end(&self) -> u64 {
        self.base + self.bytes.len() as u64
    }

    /// What is known of a task before these lines.
    pub(super) fn know(&mut self, id: &TaskId, last: Option<Last>) {
        if let Some(last) = last {
            self.last.entry(id.clone()).or_insert(last);
        }
    }

    /// Adds a line. A touch belongs to the event before it, if there is one.
    pub(super) fn put(&mut self, record: &Record) -> Result<(), Error> {
        let place = self.end();
        let text = match record {
            Record::Touch(touch) => self.touch(record, touch, place),
            Record::Event(event, _) => {
                self.event = Some((place, event.at));
                let is_joined = self.is_joined.as_mut().is_some_and(|it| std::mem::replace(it, true));
                if is_joined { record::joined(record.text()) } else { record.text() }
            }
            Record::Head(_) => record.text(),
        };
        if text.len() > line::MAX_LINE {
            return Err(Refusal::invalid("task", "is larger than history can hold").into());
        }
        self.check = line::put(&mut self.bytes, &text, self.check);
        Ok(())
    }

    fn touch(&mut self, record: &Record, touch: &Touch, place: u64) -> String {
        self.places.push(place);
        let past = self.past(touch);
        self.last.insert(touch.id.clone(), Last { place, past });
        past.map_or_else(|| record.text(), |it| record.text_with(&it))
    }

    /// Who does not know how much there was before does not count on.
    fn past(&self, touch: &Touch) -> Option<Past> {
        let last = self.last.get(&touch.id);
        let (changes, first) = match last {
            Some(last) => last.past.map(|it| (it.changes, it.first))?,
            None => (0, None),
        };
        let at = self.event.filter(|_| touch.is_change()).map(|(_, at)| at);
        Some(Past {
            changes: changes + u64::from(at.is_some()),
            first: first.or(at),
            event: self.event.map(|(place, _)| place),
            prior: last.map(|it| it.place),
        })
    }
}
