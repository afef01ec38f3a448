//! What a look at the whole list found, remembered for the next one: `.worklist/snapshot`. Disposable: it can be deleted
//! at any time, belongs to one run of the machine and one journal, and is never believed over the files. Whoever uses it
//! asks every file whether it is still the one that was read.

mod body;
mod codec;

pub(super) use body::{Body, End, Side};

use super::{
    Files,
    index::Mark,
    log::Log,
    sheet::{Made, Row, Sheet},
};
use crate::{
    id::TaskId,
    vfs::{Kind, Stat, Vfs, put_draft},
};
use body::Brief;
use codec::{Reader, Writer};
use foldhash::HashMap;
use std::{
    io,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

pub(super) const SNAPSHOT: &str = ".worklist/snapshot";
const NEW_SNAPSHOT: &str = ".worklist/snapshot.new";
const MAGIC: &[u8; 8] = b"WLSNAP02";
const HEADER: usize = 80;
/// Larger ones are not ours.
const MAX_BYTES: u64 = 1024 * 1024 * 1024;

/// So many bytes are put down at once.
const PIECE: usize = 1024 * 1024;

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
    pub(super) rows: Vec<Row>,
}

impl Snapshot {
    /// Whether a file cannot have changed unseen since: it is the one that was read, and had been left alone for longer
    /// than the file system's clock takes to move on.
    pub(super) fn vouches(&self, old: Option<&Stat>, now: &Stat, grain: i64) -> bool {
        old == Some(now) && now.changed < i128::from(self.at - grain) * 1_000_000
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
    pub(super) fn keep(&self, log: &Log<'_>, sheet: &Sheet, at: i64) {
        if self.has_looked.swap(true, Ordering::Relaxed) && sheet.made != Made::Anew {
            let Mark { inode, end, check, .. } = log.mark;
            *self.get() = Some(Snapshot { inode, end, check, at, rows: sheet.made_rows() });
        }
    }
}

/// What is remembered of this journal, if anything.
pub(super) fn read(files: &Files, log: &Log<'_>) -> Option<Snapshot> {
    let fits = |it: &&Snapshot| it.inode == log.mark.inode && it.end <= log.mark.end;
    let kept = files.kept.get().as_ref().filter(fits).cloned();
    kept.or_else(|| stored(files, log))
}

fn stored(files: &Files, log: &Log<'_>) -> Option<Snapshot> {
    let bytes = files.vfs.read(SNAPSHOT, MAX_BYTES).ok()?;
    let (header, body) = bytes.split_at_checked(HEADER)?;
    let mut numbers = Reader::new(header.strip_prefix(MAGIC)?);
    let mut number = || numbers.number();
    let (boot, inode, end, check, at) = (number()?, number()?, number()?, number()?, number()?);
    let (count, length, sum, whole) = (number()?, number()?, number()?, number()?);
    let is_ours = boot == files.boot() && inode == log.mark.inode && end <= log.mark.end;
    let is_whole = length == body.len() as u64
        && sum == u64::from(crc32c::crc32c(body))
        && whole == u64::from(crc32c::crc32c(&header[..HEADER - 8]));
    if !is_ours || !is_whole {
        return None;
    }
    let (body, briefs) = Body::read(bytes, HEADER, usize::try_from(count).ok()?)?;
    let body = Arc::new(body);
    let row = |(number, brief): (usize, Brief)| Row::stored(&body, number, brief.outline, brief.stat);
    let rows = briefs.into_iter().enumerate().map(row).collect();
    let (check, at) = (u32::try_from(check).ok()?, at.cast_signed());
    Some(Snapshot { inode, end, check, at, rows })
}

/// Whether remembering a look is worth it: what was remembered before does not fit it any more.
pub(super) fn is_worth(files: &Files, sheet: &Sheet) -> bool {
    let is_old = match sheet.made {
        Made::ByJournal => true,
        // Writing it costs about as much as so many tasks that are looked at one by one.
        Made::Remembered(renewed) => renewed > 16 + sheet.rows.len() / 128,
        Made::Anew => false,
    };
    is_old && sheet.rows.len() >= files.remembers_from && files.vfs.grain_ms().is_some()
}

/// Remembers a look; a task of which there is news must come without the looks of its file. If that fails, the next look
/// takes longer. The list's lock must be held.
pub(super) fn remember(files: &Files, log: &Log<'_>, sheet: &Sheet, at: i64) {
    let vfs = &*files.vfs;
    if write(files, log, sheet, at).and_then(|()| put_draft(vfs, NEW_SNAPSHOT, SNAPSHOT)).is_ok() {
        _ = vfs.remove(NEW_SNAPSHOT);
    }
}

/// Piece by piece: what is remembered of a large list is not in memory a second time.
fn write(files: &Files, log: &Log<'_>, sheet: &Sheet, at: i64) -> io::Result<()> {
    let numbers: HashMap<&TaskId, u32> = sheet.rows.iter().map(|it| &it.id).zip(0..).collect();
    let (mut body, mut draft) = (Writer { bytes: Vec::new(), numbers }, Draft::begin(&*files.vfs)?);
    for row in &sheet.rows {
        body.text(row.id.as_str());
        // What has other names, too, can be written under those: such a file is read each time.
        let stat = row.stat.filter(|it| !it.shared && it.kind == Kind::File);
        let time = |time: i128| i64::try_from(time).unwrap_or(0).cast_unsigned();
        for number in stat.map_or([0; 4], |it| [it.inode, time(it.modified), time(it.changed), it.length]) {
            body.number(number);
        }
        draft.put(&mut body.bytes, PIECE)?;
    }
    for row in &sheet.rows {
        body.entry(&row.entry());
        draft.put(&mut body.bytes, PIECE)?;
    }
    draft.put(&mut body.bytes, 0)?;
    let mut header = Writer { bytes: MAGIC.to_vec(), numbers: HashMap::default() };
    for number in [
        files.boot(),
        log.mark.inode,
        log.mark.end,
        u64::from(log.mark.check),
        at.cast_unsigned(),
        sheet.rows.len() as u64,
        draft.length,
        u64::from(draft.sum),
    ] {
        header.number(number);
    }
    let sum = crc32c::crc32c(&header.bytes);
    header.number(u64::from(sum));
    files.vfs.write_at(NEW_SNAPSHOT, 0, &header.bytes)
}

/// A file that grows: room for the header, and what was put behind it.
struct Draft<'a> {
    vfs: &'a dyn Vfs,
    length: u64,
    sum: u32,
}

impl<'a> Draft<'a> {
    fn begin(vfs: &'a dyn Vfs) -> io::Result<Draft<'a>> {
        vfs.write(NEW_SNAPSHOT, &[0; HEADER])?;
        Ok(Draft { vfs, length: 0, sum: 0 })
    }

    /// Puts bytes behind the others once they are so many, and takes them away.
    fn put(&mut self, bytes: &mut Vec<u8>, from: usize) -> io::Result<()> {
        if bytes.len() >= from.max(1) {
            self.vfs.append(NEW_SNAPSHOT, bytes)?;
            self.length += bytes.len() as u64;
            self.sum = crc32c::crc32c_append(self.sum, bytes);
            bytes.clear();
        }
        Ok(())
    }
}
