//! What a look at the whole list found, remembered for the next one: `.worklist/snapshot` says what begins each task,
//! `.worklist/texts` the rest. Disposable: they can be deleted at any time, belong to one run of the machine and one journal,
//! and are never believed over the files. Whoever uses them asks every file whether it is still the one that was read.

mod body;
mod codec;
mod folder;
mod remember;

pub(super) use body::{Body, Brief, End, Side, Texts};
pub(super) use folder::Folder;
pub(super) use remember::{Seen, is_worth};

use super::{
    Files,
    index::Mark,
    log::Log,
    sheet::{Made, Row, Sheet},
};
use crate::vfs::{Handle, Stat};
use codec::{Numbers, Reader, Writer};
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering},
};

pub(super) const SNAPSHOT: &str = ".worklist/snapshot";
const TEXTS: &str = ".worklist/texts";
const MAGIC: &[u8; 8] = b"WLSNAP06";
const HEADER: usize = 128;
/// Larger ones are not ours.
const MAX_BYTES: u64 = 1024 * 1024 * 1024;

/// Lists with fewer tasks are read as fast as remembered.
pub(super) const WORTH_TASKS: usize = 64;

/// What is remembered.
#[derive(Clone)]
pub(super) struct Snapshot {
    /// The journal that it belongs to.
    pub(super) inode: u64,
    /// How far it had got.
    pub(super) end: u64,
    pub(super) check: u32,
    /// When the look began, in milliseconds.
    pub(super) at: i64,
    /// How the folder looked before its names were counted: there was a file for each row, and no other.
    pub(super) folder: Option<Folder>,
    pub(super) rows: Vec<Row>,
}

impl Snapshot {
    /// Whether it is of this journal.
    fn fits(&self, log: &Log) -> bool {
        self.inode == log.mark.inode && self.end <= log.mark.end
    }

    /// Whether a file cannot have changed unseen since: it is the one that was read, and had been left alone for longer
    /// than the file system's clock takes to move on.
    pub(super) fn vouches(&self, old: Option<&Stat>, now: &Stat, grain: i64) -> bool {
        old == Some(now) && now.is_older_than(self.at - grain)
    }
}

/// The same in the memory of a process that looks more than once: as fleeting, and as little believed.
#[derive(Default)]
pub(super) struct Kept {
    has_looked: AtomicBool,
    snapshot: Mutex<Option<Snapshot>>,
}

impl Kept {
    fn get(&self) -> MutexGuard<'_, Option<Snapshot>> {
        self.snapshot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a look, unless it is the first: most processes look once.
    pub(super) fn keep(&self, log: &Log, sheet: &Sheet, at: i64) {
        if self.has_looked.swap(true, Ordering::Relaxed) && sheet.made != Made::Anew {
            let Mark { inode, end, check, .. } = log.mark;
            let (folder, rows) = (sheet.folder, sheet.made_rows());
            *self.get() = (!sheet.is_damaged()).then_some(Snapshot { inode, end, check, at, folder, rows });
        }
    }
}

/// What is remembered of this journal, if anything.
pub(super) fn read(files: &Files, log: &Log) -> Option<Snapshot> {
    let kept = files.kept.get().as_ref().filter(|it| it.fits(log)).cloned();
    kept.or_else(|| stored(files, log))
}

/// How the folder looked when what is remembered of this journal was found, if that is known.
pub(super) fn folder(files: &Files, log: &Log) -> Option<Folder> {
    if let Some(kept) = files.kept.get().as_ref().filter(|it| it.fits(log)) {
        return kept.folder;
    }
    Header::read(&*files.vfs.opened(SNAPSHOT, MAX_BYTES).ok()?, files, &log.mark)?.folder
}

/// What stands before the tasks.
struct Header {
    end: u64,
    check: u32,
    at: i64,
    count: usize,
    folder: Option<Folder>,
    texts: Texts,
    /// The bytes of what begins the tasks, and the sum over them.
    length: u64,
    sum: u64,
}

impl Header {
    /// None if it is not of this journal and this run of the machine, or not what was stored.
    fn read(file: &dyn Handle, files: &Files, mark: &Mark) -> Option<Header> {
        Header::of(file, files, mark).filter(|it| it.end <= mark.end)
    }

    /// The same, also where it knows more of the journal.
    fn of(file: &dyn Handle, files: &Files, mark: &Mark) -> Option<Header> {
        let bytes = file.part(0, HEADER).ok().filter(|it| it.len() == HEADER)?;
        let mut numbers = Reader::new(bytes.strip_prefix(MAGIC)?);
        let mut number = || numbers.number();
        let (boot, inode, end, check, at) = (number()?, number()?, number()?, number()?, number()?);
        let texts = Texts { mark: number()?, ordered: number()?, end: number()? };
        let (count, length, sum) = (number()?, number()?, number()?);
        let folder = Folder::read(&mut numbers)?;
        let is_whole = numbers.number()? == u64::from(crc32c::crc32c(&bytes[..HEADER - 8]));
        if boot != files.boot() || inode != mark.inode || !is_whole || length > MAX_BYTES {
            return None;
        }
        let (check, count) = (u32::try_from(check).ok()?, usize::try_from(count).ok()?);
        Some(Header { end, check, at: at.cast_signed(), count, folder, texts, length, sum })
    }

    fn bytes(&self, files: &Files, mark: &Mark) -> Vec<u8> {
        let nothing = Numbers::default();
        let mut writer = Writer { bytes: MAGIC.to_vec(), numbers: &nothing };
        let Texts { mark: texts, ordered, end } = self.texts;
        for number in [
            files.boot(),
            mark.inode,
            self.end,
            u64::from(self.check),
            self.at.cast_unsigned(),
            texts,
            ordered,
            end,
            self.count as u64,
            self.length,
            self.sum,
        ] {
            writer.number(number);
        }
        Folder::write(self.folder, &mut writer);
        let sum = crc32c::crc32c(&writer.bytes);
        writer.number(u64::from(sum));
        writer.bytes
    }
}

fn stored(files: &Files, log: &Log) -> Option<Snapshot> {
    let file = files.vfs.opened(SNAPSHOT, MAX_BYTES).ok()?;
    let Header { end, check, at, count, folder, texts, length, sum } =
        Header::read(&*file, files, &log.mark)?;
    let heads = file.part(HEADER as u64, usize::try_from(length).ok()?).ok()?;
    if heads.len() as u64 != length || sum != u64::from(crc32c::crc32c(&heads)) {
        return None;
    }
    let rests = files.vfs.opened(TEXTS, MAX_BYTES).ok()?;
    let body = Arc::new(Body::read(rests, heads, texts, count)?);
    let row = |number| Some(Row::stored(&body, number, &body.brief(number)?));
    let mut rows = Vec::with_capacity(count);
    for number in 0..count {
        rows.push(row(number)?);
    }
    Some(Snapshot { inode: log.mark.inode, end, check, at, folder, rows })
}

/// Forgets what is remembered: it is not what was stored.
pub(super) fn forget(files: &Files) {
    for path in [SNAPSHOT, TEXTS] {
        _ = files.vfs.remove(path);
    }
}
