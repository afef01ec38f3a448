//! Without anything remembered: the journal's last line of every task, and each file read once to see that it is what
//! that line says. Nothing is understood twice.

use super::{add_newcomers, alone, count, is_too_much};
use crate::{
    id::TaskId,
    spread::{Work, spread},
    store::files::{
        Files,
        foreign::is_last_word,
        line,
        log::JOURNAL,
        record::{Record, Touch},
        sheet::{Made, Row, Sheet},
        snapshot::Folder,
        text::{hash, limit},
        view::View,
    },
    vfs::Vfs,
};

/// So much of the journal is read at once.
const WINDOW: usize = 256 * 1024;

/// What was found out about a task from its line and its file.
enum Seen {
    Row(Row),
    /// It is gone, and should be.
    Gone,
    Changed(TaskId),
}

/// Every task, if nothing needs a closer look at all of them together.
pub(super) fn look(view: &View<'_>) -> Option<Sheet> {
    let files = view.files;
    let mut places = view.log?.last_places().ok()?;
    places.sort_unstable();
    let seen = spread(Work::Read, &places, |part| {
        let mut window = Window { vfs: &*files.vfs, start: 0, bytes: Vec::new() };
        // With room for all: of a large list, moving them costs more than memory that nobody touches.
        let (mut rows, mut changed) = (Vec::with_capacity(places.len()), Vec::new());
        for place in part {
            match see(files, window.touch(*place)?)? {
                Seen::Row(row) => rows.push(row),
                Seen::Gone => {}
                Seen::Changed(id) => changed.push(id),
            }
        }
        Some((rows, changed))
    });
    let mut seen = seen.into_iter();
    let (mut rows, mut changed) = seen.next()??;
    for more in seen {
        let (more, others) = more?;
        rows.extend(more);
        changed.extend(others);
    }
    let folder = Folder::of(files);
    let there = count(files)?;
    if is_too_much(changed.len(), rows.len()) {
        return None;
    }
    for id in &changed {
        let loaded = alone(view, id)?;
        rows.push(Row::of(loaded.entry.clone()?, None, None));
    }
    add_newcomers(view, &mut rows, there)?;
    let sheet = Sheet::of(files, rows, Made::ByJournal).within(folder);
    (there == sheet.rows.len() && sheet.has_both_ends()).then_some(sheet)
}

/// None if something needs a closer look at all of them.
fn see(files: &Files, touch: Touch) -> Option<Seen> {
    let name = files.format.file_of(&touch.id);
    let Some(after) = touch.after else {
        // Whether a file of that name is there, the count of names tells.
        return Some(Seen::Gone);
    };
    if !touch.implied.is_empty() || !is_last_word(&after) {
        return None;
    }
    let (stat, bytes) = files.vfs.read_with_stat(&name, limit(files.format)).ok()?;
    let is_same = Some(hash(&bytes)) == touch.hash;
    Some(if is_same { Seen::Row(Row::of(after, Some(stat), touch.hash)) } else { Seen::Changed(touch.id) })
}

/// A stretch of the journal, moved along with the places that are asked for.
struct Window<'a> {
    vfs: &'a dyn Vfs,
    start: u64,
    bytes: Vec<u8>,
}

impl Window<'_> {
    fn touch(&mut self, place: u64) -> Option<Touch> {
        if self.line(place).is_none() {
            self.bytes = self.vfs.read_at(JOURNAL, place, WINDOW).ok()?;
            self.start = place;
            let length = line::expected(&self.bytes)?;
            if length > self.bytes.len() {
                self.bytes = self.vfs.read_at(JOURNAL, place, length).ok()?;
            }
        }
        match Record::read(self.line(place)?.text)? {
            Record::Touch(touch) => Some(*touch),
            Record::Head(_) | Record::Event(..) => None,
        }
    }

    fn line(&self, place: u64) -> Option<line::Line<'_>> {
        let at = usize::try_from(place.checked_sub(self.start)?).ok()?;
        line::take(self.bytes.get(at..)?)
    }
}
