//! Lines on their way into the journal: put behind its end, read from there on, and flushed, at once or a few changes later.
//! They go into room that stands there already. Not which lines.

use super::{JOURNAL, Log, Reading};
use crate::store::{
    Error,
    files::{line, lines::Lines, record::Record},
};

/// What is laid behind the last line is at least so much, and at most so much: else the eighth of what stands before it.
const LEAST_ROOM: usize = 4 * 1024;
const MOST_ROOM: usize = 64 * 1024;

/// Lines on their way into the journal, and where they will stand.
#[derive(Default)]
pub(super) struct Staged {
    pub(super) from: u64,
    pub(super) bytes: Vec<u8>,
}

impl Staged {
    /// From a place on.
    pub(super) fn at(&self, place: u64) -> Option<&[u8]> {
        let at = usize::try_from(place.checked_sub(self.from)?).ok()?;
        self.bytes.get(at..).filter(|it| !it.is_empty())
    }
}

impl Log {
    /// Cuts off what an unfinished append left.
    pub(in crate::store::files) fn trim(&mut self) -> Result<(), Error> {
        if self.torn > 0 {
            self.vfs.truncate(JOURNAL, self.staged.from).map_err(Error::io("cut", JOURNAL))?;
            (self.torn, self.length) = (0, self.staged.from);
        }
        Ok(())
    }

    /// Adds lines behind the end and waits until they would survive.
    pub(in crate::store::files) fn append(&mut self, records: &[Record]) -> Result<(), Error> {
        self.stage(records)?;
        self.flush()
    }

    /// Adds lines behind the end that are not in the journal yet, but are read as if they were.
    pub(in crate::store::files) fn stage(&mut self, records: &[Record]) -> Result<(), Error> {
        let mut lines = Lines::at(self.mark.end, self.mark.check).joined(self.has_staged());
        let is_new = self.mark.used == 0 && self.places.is_empty();
        for record in records {
            if let Record::Touch(touch) = record
                && !is_new
            {
                lines.know(&touch.id, self.last(&touch.id)?);
            }
            lines.put(record)?;
        }
        self.mark.end += lines.bytes.len() as u64;
        self.mark.check = lines.check;
        if self.staged.bytes.is_empty() {
            self.staged.bytes = lines.bytes;
        } else {
            self.staged.bytes.extend(lines.bytes);
        }
        self.read.get_mut().clear();
        let touches = records.iter().filter_map(|it| match it {
            Record::Touch(touch) => Some(&**touch),
            Record::Event(..) | Record::Head(_) => None,
        });
        for (touch, place) in touches.zip(lines.places) {
            self.note(touch, place);
        }
        for record in records {
            if let Record::Event(event, _) = record {
                self.mark.seq = event.seq;
            }
        }
        Ok(())
    }

    /// Whether there are lines that are not in the journal yet.
    pub(in crate::store::files) fn has_staged(&self) -> bool {
        !self.staged.bytes.is_empty()
    }

    /// Puts them there and waits until they would survive. What an unfinished append left goes first. If it fails, this is
    /// not the journal any more: it is to be opened anew.
    pub(in crate::store::files) fn flush(&mut self) -> Result<(), Error> {
        self.trim()?;
        self.journal = Reading::default();
        let Staged { from, mut bytes } = std::mem::take(&mut self.staged);
        self.staged.from = self.mark.end;
        if self.mark.end > self.length {
            // A file that stays as long as it is costs one flush of these bytes; one that becomes longer costs the file system
            // a second, of its own notes, on most disks. So that is paid for many changes at once.
            bytes.resize(bytes.len() + room(self.mark.end), line::ROOM);
        }
        let end = from + bytes.len() as u64;
        if let Err(error) = self.vfs.write_durably(JOURNAL, from, &bytes) {
            // Nothing was promised: what may stand there goes, now or before the next append.
            _ = self.vfs.truncate(JOURNAL, from);
            return Err(Error::io("append to", JOURNAL)(error));
        }
        self.length = self.length.max(end);
        Ok(())
    }
}

/// How much room is laid behind a journal of so many bytes.
fn room(end: u64) -> usize {
    usize::try_from(end / 8).unwrap_or(MOST_ROOM).clamp(LEAST_ROOM, MOST_ROOM)
}
