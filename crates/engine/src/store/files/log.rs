//! The journal with its index: the last state of any task in a few reads, and the history behind it.
//! Not the commit: who may append, and when, is decided elsewhere.

mod append;
mod publish;

use super::{
    index::{HEADER, Mark},
    line,
    lines::Last,
    record::{self, Head, Record, Touch},
    scan::{Batch, Scan, scan},
};
use crate::{
    claim::Entry,
    event::Event,
    format::MAX_NUMBER,
    id::TaskId,
    rules::PlanNote,
    store::Error,
    vfs::{Handle, Vfs, missing},
};
use append::Staged;
use std::{
    cell::{OnceCell, RefCell},
    collections::HashMap,
    sync::Arc,
};

/// The directory of everything that is ours.
pub(super) const OWN: &str = ".worklist";
pub(super) const JOURNAL: &str = ".worklist/journal";
pub(super) const INDEX: &str = ".worklist/index";
/// Larger journals are not believed to be ours.
pub(super) const MAX_JOURNAL: u64 = 4 * 1024 * 1024 * 1024;

/// A journal that was being made when its process died is not longer than its first line.
const UNFINISHED: usize = 4096;

/// A file that many places of are read: opened once, and anew after we wrote.
#[derive(Default)]
struct Reading(OnceCell<Box<dyn Handle>>);

impl Reading {
    fn part(&self, vfs: &dyn Vfs, path: &str, offset: u64, length: usize) -> Result<Vec<u8>, Error> {
        let part = |handle: &dyn Handle| handle.part(offset, length);
        let read = match self.0.get() {
            Some(handle) => part(&**handle),
            None => vfs.opened(path, MAX_JOURNAL).and_then(|handle| part(&**self.0.get_or_init(|| handle))),
        };
        read.map_err(Error::io("read", path))
    }
}

/// An open journal.
pub(super) struct Log {
    vfs: Arc<dyn Vfs>,
    journal: Reading,
    index: Reading,
    staged: Staged,
    pub(super) mark: Mark,
    /// Up to where the index knew, when it was opened, that all files are in place, and the checksum of the line before.
    pub(super) settled: (u64, u32),
    /// What the index does not know yet; with `whole`, everything.
    places: HashMap<TaskId, u64>,
    whole: bool,
    /// The last lines of tasks that were asked for, so that what follows them can be counted on.
    read: RefCell<HashMap<TaskId, Last>>,
    /// The slots of the index in which tasks were found. Nobody else moves them while the list's lock is held.
    found_at: RefCell<HashMap<TaskId, usize>>,
    /// The batches that the index does not cover: their files may not be in place.
    pub(super) unsettled: Vec<Batch>,
    /// What stands before those, if all had to be read: so that who recovers need not read it again.
    pub(super) past: Vec<Batch>,
    /// Whether the machine was started anew since, so that any file may have lost its last bytes.
    pub(super) rebooted: bool,
    /// Whether something in the journal could not be read.
    pub(super) damaged: bool,
    /// How many bytes of an unfinished append stand behind the end.
    pub(super) torn: u64,
    /// How long the file is: behind the last line there may be room for the next ones.
    length: u64,
}

impl Log {
    /// Opens the journal; none if there is none. Reads only. Where the index does not fit, the journal may be an older
    /// one that was put back: claims then count from `floor`, so that no number comes again.
    pub(super) fn open(vfs: &Arc<dyn Vfs>, boot: u64, floor: u64) -> Result<Option<Log>, Error> {
        let Some(stat) = missing(vfs.stat(JOURNAL)).map_err(Error::io("look at", JOURNAL))? else {
            return Ok(None);
        };
        let index = Reading::default();
        let header = index.part(&**vfs, INDEX, 0, HEADER);
        let mark = header.ok().and_then(|it| Mark::from_bytes(&it));
        let fits = |it: &Mark| it.inode == stat.inode && it.boot == boot;
        if let Some(mark) = mark.filter(fits)
            && let Some(log) = Log::quick(vfs, mark, stat.length)?
        {
            return Ok(Some(Log { index, ..log }));
        }
        let bytes = vfs.read(JOURNAL, MAX_JOURNAL).map_err(Error::io("read", JOURNAL))?;
        known(&bytes)?;
        let scan = scan(&bytes, 0, 0);
        let Some(head) = scan.head.clone() else {
            // A short one was never finished; a long one is a history whose beginning is gone.
            return if bytes.len() > UNFINISHED || !scan.batches.is_empty() {
                Err(headless())
            } else {
                Ok(None)
            };
        };
        let mark = Mark {
            inode: stat.inode,
            seq: head.seq,
            token: head.token.max(floor),
            highest: head.highest,
            boot,
            ..Mark::default()
        };
        let mut log = Log::new(vfs, mark);
        log.take(scan);
        log.length = bytes.len() as u64;
        (log.whole, log.rebooted) = (true, true);
        // Every file will be looked at: there is nothing left to settle batch by batch but the last.
        let last = log.unsettled.pop().into_iter().collect();
        log.past = std::mem::replace(&mut log.unsettled, last);
        Ok(Some(log))
    }

    fn new(vfs: &Arc<dyn Vfs>, mark: Mark) -> Log {
        let (places, unsettled) = (HashMap::new(), Vec::new());
        Log {
            vfs: vfs.clone(),
            staged: Staged { from: mark.end, bytes: Vec::new() },
            journal: Reading::default(),
            index: Reading::default(),
            settled: (mark.end, mark.check),
            mark,
            places,
            whole: false,
            read: RefCell::default(),
            found_at: RefCell::default(),
            unsettled,
            past: Vec::new(),
            rebooted: false,
            damaged: false,
            torn: 0,
            length: mark.end,
        }
    }

    /// Trusts the index, and reads only what came after it. None if that does not fit.
    fn quick(vfs: &Arc<dyn Vfs>, mark: Mark, length: u64) -> Result<Option<Log>, Error> {
        let mut log = Log { length, ..Log::new(vfs, mark) };
        let part = |from: u64, length: usize| log.journal.part(&**vfs, JOURNAL, from, length);
        // An older journal, put in the place of this one, may be as long, but has no line that ends here.
        let seam = part(mark.end.saturating_sub(1), 2)?;
        let [b'\n', next @ ..] = seam.as_slice() else { return Ok(None) };
        // Lines are written from front to back: what begins as room is nothing else.
        if !next.is_empty() && next != [line::ROOM] {
            let rest = usize::try_from(length.saturating_sub(mark.end)).unwrap_or(usize::MAX);
            let scan = scan(&part(mark.end, rest)?, mark.end, mark.check);
            if scan.damaged {
                return Ok(None);
            }
            log.take(scan);
        }
        Ok(Some(log))
    }

    fn take(&mut self, scan: Scan) {
        for (place, touch) in scan.batches.iter().flat_map(|it| &it.touches) {
            self.note(touch, *place);
        }
        for event in scan.batches.iter().filter_map(|it| it.event.as_ref()) {
            self.mark.seq = self.mark.seq.max(event.seq);
        }
        (self.mark.end, self.mark.check) = (scan.end, scan.check);
        self.staged.from = scan.end;
        (self.damaged, self.torn) = (scan.damaged, scan.torn);
        self.unsettled = scan.batches;
    }

    fn note(&mut self, touch: &Touch, place: u64) {
        let fence = |entry: &Option<Arc<Entry>>| entry.as_ref().map_or(0, |it| it.standing.fence);
        self.mark.token = self.mark.token.max(fence(&touch.after)).max(fence(&touch.before));
        self.mark.highest =
            self.mark.highest.max(touch.id.number().filter(|it| *it < MAX_NUMBER).unwrap_or(0));
        self.places.insert(touch.id.clone(), place);
    }

    /// The last touch of a task.
    pub(super) fn known(&self, id: &TaskId) -> Result<Option<Touch>, Error> {
        let found = match self.places.get(id) {
            Some(place) => self.touch_at(*place)?,
            None if self.whole => None,
            None => self.find(id)?.0,
        };
        Ok(found.map(|(touch, last)| {
            self.read.borrow_mut().insert(touch.id.clone(), last);
            touch
        }))
    }

    fn touch_at(&self, place: u64) -> Result<Option<(Touch, Last)>, Error> {
        let found = self.line_at(place, record::touch_and_past)?;
        Ok(found.map(|(touch, past)| (touch, Last { place, past })))
    }

    /// What the line at a place says, if there is a whole one.
    pub(super) fn line_at<T>(
        &self,
        place: u64,
        understand: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        const GUESS: usize = 2048;
        if let Some(bytes) = self.staged.at(place) {
            return Ok(line::take(bytes).and_then(|it| understand(it.text)));
        }
        let read = |length| self.journal.part(&*self.vfs, JOURNAL, place, length);
        let mut bytes = read(GUESS)?;
        if let Some(length) = line::expected(&bytes).filter(|it| *it > bytes.len()) {
            bytes = read(length)?;
        }
        Ok(line::take(&bytes).and_then(|it| understand(it.text)))
    }

    /// Where the last line of a task stands, and what it says of the past.
    pub(super) fn last(&self, id: &TaskId) -> Result<Option<Last>, Error> {
        if let Some(last) = self.read.borrow().get(id) {
            return Ok(Some(*last));
        }
        self.known(id)?;
        Ok(self.read.borrow().get(id).copied())
    }

    /// The last touch of every task that ever was.
    pub(super) fn all(&self) -> Result<HashMap<TaskId, Touch>, Error> {
        let bytes = self.vfs.read(JOURNAL, MAX_JOURNAL).map_err(Error::io("read", JOURNAL))?;
        let read = |place: u64| {
            let line = line::take(bytes.get(usize::try_from(place).ok()?..)?)?;
            match Record::read(line.text)? {
                Record::Touch(touch) => Some((touch.id.clone(), *touch)),
                _ => None,
            }
        };
        let mut all = HashMap::new();
        if !self.whole {
            all.extend(self.last_places()?.into_iter().filter_map(read));
        }
        all.extend(self.places.values().filter_map(|place| read(*place)));
        Ok(all)
    }

    /// The bytes of the journal from a place on.
    pub(super) fn stretch(&self, from: u64) -> Result<Vec<u8>, Error> {
        let length = usize::try_from(self.mark.end.saturating_sub(from)).unwrap_or(usize::MAX);
        self.journal.part(&*self.vfs, JOURNAL, from, length)
    }

    /// Everything from front to back.
    pub(super) fn scan(&self) -> Result<Scan, Error> {
        let bytes = self.vfs.read(JOURNAL, MAX_JOURNAL).map_err(Error::io("read", JOURNAL))?;
        Ok(scan(&bytes, 0, 0))
    }

    /// The events after a number.
    pub(super) fn events_after(&self, seq: u64) -> Result<Vec<Event>, Error> {
        if seq >= self.mark.seq {
            return Ok(Vec::new());
        }
        let batches = self.scan()?.batches.into_iter();
        let events = batches.filter_map(|it| Some((it.event?, it.touches)));
        let later = events.filter(|(event, _)| event.seq > seq && event.seq <= self.mark.seq);
        Ok(later
            .map(|(event, touches)| Event {
                changes: touches.into_iter().filter_map(|(_, it)| it.change()).collect(),
                ..event
            })
            .collect())
    }

    /// What an earlier plan with this key made.
    pub(super) fn planned(&self, key: &str) -> Result<Option<PlanNote>, Error> {
        let scan = self.scan()?;
        let kept = scan.head.map(|it| it.plans).unwrap_or_default().into_iter();
        let plans = kept.chain(scan.batches.into_iter().filter_map(|it| it.event?.plan));
        Ok(plans.filter(|it| it.key.as_deref() == Some(key)).last())
    }

    /// Makes `.worklist/` and an empty journal that survives a loss of power.
    pub(super) fn create(vfs: &Arc<dyn Vfs>, head: Head, boot: u64) -> Result<Log, Error> {
        make_dir(&**vfs, OWN)?;
        let ignore = ".worklist/.gitignore";
        vfs.write(ignore, b"*\n").map_err(Error::io("write", ignore))?;
        let mut bytes = Vec::new();
        let (token, highest, seq) = (head.token, head.highest, head.seq);
        let check = line::put(&mut bytes, &Record::Head(head).text(), 0);
        vfs.write(JOURNAL, &bytes).map_err(Error::io("write", JOURNAL))?;
        for path in [JOURNAL, OWN, ""] {
            vfs.sync(path).map_err(Error::io("flush", path))?;
        }
        let inode = vfs.stat(JOURNAL).map_err(Error::io("look at", JOURNAL))?.inode;
        let end = bytes.len() as u64;
        let mark = Mark { inode, end, seq, token, highest, boot, check, ..Mark::default() };
        Ok(Log { whole: true, ..Log::new(vfs, mark) })
    }
}

/// Whether a journal that begins with these bytes is one that we can read.
pub(super) fn known(bytes: &[u8]) -> Result<(), Error> {
    let newer = |version| Error::Newer { what: "the list's journal", version, known: record::VERSION };
    record::other_version(bytes).map_or(Ok(()), |it| Err(newer(it)))
}

/// A journal whose beginning is gone is not written over.
fn headless() -> Error {
    Error::Unreadable { file: JOURNAL.to_owned(), reason: "its first line is damaged".to_owned() }
}

/// Makes a directory that may be there already.
pub(super) fn make_dir(vfs: &dyn Vfs, path: &str) -> Result<(), Error> {
    match vfs.make_dir(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
            Err(Error::io("make", path)(error))
        }
        _ => Ok(()),
    }
}
