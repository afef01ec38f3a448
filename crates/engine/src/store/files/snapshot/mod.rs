//! What a look at the whole list found, remembered for the next one: `.worklist/snapshot`. Disposable: it can be deleted
//! at any time, belongs to one run of the machine and one journal, and is never believed over the files. Whoever uses it
//! asks every file whether it is still the one that was read.

mod body;
mod codec;
mod folder;

pub(super) use body::{Body, Brief, End, Side};
pub(super) use folder::Folder;

use super::{
    Files,
    index::Mark,
    log::Log,
    sheet::{Made, Row, Sheet},
};
use crate::vfs::{Handle, Kind, Stat, Vfs, put_draft};
use codec::{Head, Numbers, Reader, Writer};
use std::{
    io,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

pub(super) const SNAPSHOT: &str = ".worklist/snapshot";
const NEW_SNAPSHOT: &str = ".worklist/snapshot.new";
const MAGIC: &[u8; 8] = b"WLSNAP05";
const HEADER: usize = 112;
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
        old == Some(now) && i128::from(now.changed) < i128::from(self.at - grain) * 1_000_000
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
    Header::read(&*files.vfs.opened(SNAPSHOT, MAX_BYTES).ok()?, files, log)?.folder
}

/// What stands before the tasks.
struct Header {
    end: u64,
    check: u32,
    at: i64,
    count: usize,
    folder: Option<Folder>,
    /// The bytes of what follows, and the sum over what begins the tasks.
    rests: u64,
    length: u64,
    sum: u64,
}

impl Header {
    /// None if it is not of this journal and this run of the machine, or not what was stored.
    fn read(file: &dyn Handle, files: &Files, log: &Log) -> Option<Header> {
        let bytes = file.part(0, HEADER).ok().filter(|it| it.len() == HEADER)?;
        let mut numbers = Reader::new(bytes.strip_prefix(MAGIC)?);
        let mut number = || numbers.number();
        let (boot, inode, end, check, at) = (number()?, number()?, number()?, number()?, number()?);
        let (count, rests, length, sum) = (number()?, number()?, number()?, number()?);
        let folder = Folder::read(&mut numbers)?;
        let is_whole = numbers.number()? == u64::from(crc32c::crc32c(&bytes[..HEADER - 8]));
        let is_ours = boot == files.boot() && inode == log.mark.inode && end <= log.mark.end;
        if !is_ours || !is_whole || rests.checked_add(length)? > MAX_BYTES {
            return None;
        }
        let (check, count) = (u32::try_from(check).ok()?, usize::try_from(count).ok()?);
        Some(Header { end, check, at: at.cast_signed(), count, folder, rests, length, sum })
    }
}

fn stored(files: &Files, log: &Log) -> Option<Snapshot> {
    let file = files.vfs.opened(SNAPSHOT, MAX_BYTES).ok()?;
    let Header { end, check, at, count, folder, rests, length, sum } = Header::read(&*file, files, log)?;
    let heads = file.part(HEADER as u64 + rests, usize::try_from(length).ok()?).ok()?;
    if heads.len() as u64 != length || sum != u64::from(crc32c::crc32c(&heads)) {
        return None;
    }
    let rests = (HEADER as u64, usize::try_from(rests).ok()?);
    let body = Arc::new(Body::read(file, heads, rests, count)?);
    let row = |number| Some(Row::stored(&body, number, &body.brief(number)?));
    let mut rows = Vec::with_capacity(count);
    for number in 0..count {
        rows.push(row(number)?);
    }
    Some(Snapshot { inode: log.mark.inode, end, check, at, folder, rows })
}

/// Forgets what is remembered: it is not what was stored.
pub(super) fn forget(files: &Files) {
    _ = files.vfs.remove(SNAPSHOT);
}

/// Whether remembering a look is worth it: what was remembered before does not fit it any more.
pub(super) fn is_worth(files: &Files, sheet: &Sheet) -> bool {
    let is_old = match sheet.made {
        Made::ByJournal => true,
        // Each look pays for what is looked at one by one since then, and the one that writes pays for all: the sum is least
        // where the number of those grows like the root of the list.
        Made::Remembered(renewed) => renewed * renewed > 32 + sheet.rows.len() / 25,
        Made::Anew => false,
    };
    is_old && sheet.rows.len() >= files.remembers_from && files.vfs.grain_ms().is_some()
}

/// Remembers a look; a task of which there is news must come without the looks of its file. If that fails, the next look
/// takes longer. The list's lock must be held.
pub(super) fn remember(files: &Files, log: &Log, sheet: &Sheet, at: i64) {
    let vfs = &*files.vfs;
    if write(files, log, sheet, at).and_then(|()| put_draft(vfs, NEW_SNAPSHOT, SNAPSHOT)).is_ok() {
        _ = vfs.remove(NEW_SNAPSHOT);
    }
}

/// What is put down piece by piece behind what is there: of a large list, all of it would be as much as the tasks themselves.
struct Pieces<'a> {
    vfs: &'a dyn Vfs,
    writer: Writer<'a>,
    length: u64,
    sum: u32,
}

impl<'a> Pieces<'a> {
    fn new(vfs: &'a dyn Vfs, numbers: &'a Numbers<'a>) -> Pieces<'a> {
        Pieces { vfs, writer: Writer::new(numbers), length: 0, sum: 0 }
    }

    /// Puts down what there is, if it is a whole piece.
    fn put(&mut self) -> io::Result<()> {
        if self.writer.bytes.len() < PIECE { Ok(()) } else { self.put_rest() }
    }

    fn put_rest(&mut self) -> io::Result<()> {
        let bytes = &mut self.writer.bytes;
        self.vfs.append(NEW_SNAPSHOT, bytes)?;
        self.length += bytes.len() as u64;
        self.sum = crc32c::crc32c_append(self.sum, bytes);
        bytes.clear();
        Ok(())
    }
}

/// First the rests of all tasks, then what begins them.
fn write(files: &Files, log: &Log, sheet: &Sheet, at: i64) -> io::Result<()> {
    let (vfs, numbers) = (&*files.vfs, sheet.rows.iter().map(|it| &it.id).zip(0..).collect());
    vfs.write(NEW_SNAPSHOT, &[0; HEADER])?;
    sheet.will_ask_for_all();
    let keeps_numbers = sheet.keeps_numbers();
    let mut heads = Vec::with_capacity(sheet.rows.len());
    let mut rests = Pieces::new(vfs, &numbers);
    for row in &sheet.rows {
        // What is stored goes over as it is, with its sum, by which whoever asks for it sees that it is whole.
        let is_copied = keeps_numbers && row.show_rest(|it| rests.writer.bytes.extend_from_slice(it));
        let start = rests.writer.bytes.len();
        if !is_copied {
            rests.writer.rest(&row.entry());
        }
        heads.push((!is_copied).then(|| Head::of(row.outline, &rests.writer.bytes[start..])));
        rests.put()?;
    }
    rests.put_rest()?;
    let mut pieces = Pieces::new(vfs, &numbers);
    for (row, head) in sheet.rows.iter().zip(&heads) {
        let writer = &mut pieces.writer;
        writer.text(row.id.as_str());
        // What has other names, too, can be written under those: such a file is read each time.
        let stat = row.stat.filter(|it| !it.shared && it.kind == Kind::File);
        let time = i64::cast_unsigned;
        for number in stat.map_or([0; 4], |it| [it.inode, time(it.modified), time(it.changed), it.length]) {
            writer.number(number);
        }
        writer.hash(row.hash);
        match head {
            Some(head) => row.show_edges(|blocks, blocked_by| writer.head(head, blocks, blocked_by)),
            None => writer.bytes.extend_from_slice(row.stored_head().unwrap_or_default()),
        }
        pieces.put()?;
    }
    pieces.put_rest()?;
    if sheet.is_damaged() {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let nothing = Numbers::default();
    let mut header = Writer { bytes: MAGIC.to_vec(), numbers: &nothing };
    for number in [
        files.boot(),
        log.mark.inode,
        log.mark.end,
        u64::from(log.mark.check),
        at.cast_unsigned(),
        sheet.rows.len() as u64,
        rests.length,
        pieces.length,
        u64::from(pieces.sum),
    ] {
        header.number(number);
    }
    Folder::write(sheet.folder, &mut header);
    let sum = crc32c::crc32c(&header.bytes);
    header.number(u64::from(sum));
    vfs.write_at(NEW_SNAPSHOT, 0, &header.bytes)
}
