//! Remembering a look: what begins each task is written anew, of the rests only those that are not written yet. Not whether
//! what is remembered may be believed.

use super::{
    HEADER, Header, MAX_BYTES, SNAPSHOT, TEXTS, Texts,
    codec::{Head, Numbers, Writer},
};
use crate::{
    store::files::{
        Files,
        index::Mark,
        log::OWN,
        sheet::{Made, Row, Sheet},
    },
    vfs::{Kind, Vfs, missing, put_draft},
};
use std::{
    io::{self, ErrorKind},
    rc::Rc,
};

const NEW_SNAPSHOT: &str = ".worklist/snapshot.new";
const NEW_TEXTS: &str = ".worklist/texts.new";

/// So many bytes are put down at once.
const PIECE: usize = 1024 * 1024;

/// Rests are written behind the others until those that lie in no order are an eighth of them, and some more.
const SHARE: u64 = 8;
const MORE: u64 = 64 * 1024;

/// A look that is worth to be remembered, and the journal that it belongs to.
pub(in crate::store::files) struct Seen {
    pub(in crate::store::files) sheet: Rc<Sheet>,
    pub(in crate::store::files) mark: Mark,
    /// When it began, in milliseconds.
    pub(in crate::store::files) at: i64,
}

/// Whether remembering a look is worth it: what was remembered before does not fit it any more.
pub(in crate::store::files) fn is_worth(files: &Files, sheet: &Sheet) -> bool {
    let is_old = match sheet.made {
        Made::ByJournal => true,
        // Each look pays for what is looked at one by one since then, and the one that writes pays for all: the sum is least
        // where the number of those grows like the root of the list. Where names come and go all the time, each look lists
        // them anyway, and what is remembered does not fit for long: then it is worth less.
        Made::Remembered(renewed) if sheet.folder.is_none() => renewed * renewed > 64 + sheet.rows.len() / 4,
        Made::Remembered(renewed) => renewed * renewed > 32 + sheet.rows.len() / 25,
        Made::Anew => false,
    };
    is_old && sheet.rows.len() >= files.remembers_from && files.vfs.grain_ms().is_some()
}

impl Seen {
    /// Remembers it, unless another process is at that. A task of which there is news must come without the looks of its file.
    /// If it fails, the next look takes longer. Nobody waits for the list meanwhile: it need not be held.
    pub(in crate::store::files) fn remember(&self, files: &Files) {
        if let Ok(Some(_turn)) = files.vfs.try_lock(Some(OWN))
            && !self.is_late(files)
        {
            _ = self.write(files);
        }
    }

    /// Whether somebody remembered more of the journal by now.
    fn is_late(&self, files: &Files) -> bool {
        let file = files.vfs.opened(SNAPSHOT, MAX_BYTES).ok();
        file.and_then(|it| Header::of(&*it, files, &self.mark)).is_some_and(|it| it.end > self.mark.end)
    }

    /// First the rests, then what begins the tasks: whoever reads finds the old ones, both new ones, or two that do not fit.
    fn write(&self, files: &Files) -> io::Result<()> {
        let (vfs, sheet) = (&*files.vfs, &*self.sheet);
        let numbers: Numbers<'_> = sheet.rows.iter().map(|it| &it.id).zip(0..).collect();
        let laid = match behind(vfs, sheet) {
            Some(texts) => Rests::behind(vfs, &numbers, texts).lay(sheet),
            None => Err(ErrorKind::NotFound.into()),
        };
        let Laid { texts, heads } = match laid {
            Ok(laid) => laid,
            Err(_) => Rests::anew(vfs, &numbers, files.clock.random())?.lay(sheet)?,
        };
        fresh(vfs, NEW_SNAPSHOT, &[0; HEADER])?;
        let (mut pieces, keeps_numbers) = (Pieces::new(vfs, &numbers, NEW_SNAPSHOT), sheet.keeps_numbers());
        for (row, head) in sheet.rows.iter().zip(&heads) {
            pieces.begin(row, head.as_ref(), keeps_numbers);
            pieces.put()?;
        }
        pieces.put_rest()?;
        if sheet.is_damaged() {
            return Err(ErrorKind::InvalidData.into());
        }
        let header = Header {
            end: self.mark.end,
            check: self.mark.check,
            at: self.at,
            count: sheet.rows.len(),
            folder: sheet.folder,
            texts,
            length: pieces.length,
            sum: u64::from(pieces.sum),
        };
        vfs.write_at(NEW_SNAPSHOT, 0, &header.bytes(files, &self.mark))?;
        put_draft(vfs, NEW_SNAPSHOT, SNAPSHOT)
    }
}

/// A file of ours, or of another user in whose list we look, in whose place a new one goes.
fn fresh(vfs: &dyn Vfs, path: &str, bytes: &[u8]) -> io::Result<()> {
    match vfs.write(path, bytes) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            vfs.remove(path)?;
            vfs.write(path, bytes)
        }
        done => done,
    }
}

/// The file in which most of the rests are already, if the others may lie behind them.
fn behind(vfs: &dyn Vfs, sheet: &Sheet) -> Option<Texts> {
    let texts = sheet.texts().filter(|_| sheet.keeps_numbers())?;
    let mark = vfs.read_at(TEXTS, 0, size_of::<u64>()).ok()?;
    let end = vfs.stat(TEXTS).ok()?.length;
    let is_full = end.saturating_sub(texts.ordered) > texts.ordered / SHARE + MORE;
    // What somebody wrote who died over it stays between.
    (mark == texts.mark.to_le_bytes() && end >= texts.end && !is_full).then_some(Texts { end, ..texts })
}

/// Where the rests are now, and what begins the tasks whose rests were just written.
struct Laid {
    texts: Texts,
    heads: Vec<Option<Head>>,
}

/// Rests on their way into a file.
struct Rests<'a> {
    pieces: Pieces<'a>,
    texts: Texts,
    is_anew: bool,
}

impl<'a> Rests<'a> {
    fn behind(vfs: &'a dyn Vfs, numbers: &'a Numbers<'a>, texts: Texts) -> Rests<'a> {
        Rests { pieces: Pieces::new(vfs, numbers, TEXTS), texts, is_anew: false }
    }

    fn anew(vfs: &'a dyn Vfs, numbers: &'a Numbers<'a>, mark: u64) -> io::Result<Rests<'a>> {
        // Whoever reads the old one goes on with it.
        missing(vfs.remove(NEW_TEXTS))?;
        vfs.write(NEW_TEXTS, &mark.to_le_bytes())?;
        let texts = Texts { mark, ordered: Texts::START, end: Texts::START };
        Ok(Rests { pieces: Pieces::new(vfs, numbers, NEW_TEXTS), texts, is_anew: true })
    }

    fn lay(mut self, sheet: &Sheet) -> io::Result<Laid> {
        if self.is_anew {
            sheet.will_ask_for_all();
        }
        let keeps_numbers = sheet.keeps_numbers();
        let mut heads = Vec::with_capacity(sheet.rows.len());
        for row in &sheet.rows {
            if !self.is_anew && row.stored_head().is_some() {
                heads.push(None);
                continue;
            }
            let writer = &mut self.pieces.writer;
            let start = writer.bytes.len();
            // What is stored goes over as it is, with its sum, by which whoever asks for it sees that it is whole.
            let is_copied = keeps_numbers && row.show_rest(|it| writer.bytes.extend_from_slice(it));
            if !is_copied {
                writer.bytes.truncate(start);
                writer.rest(&row.entry());
            }
            let rest = &writer.bytes[start..];
            let head = Head::of(row.outline, rest, self.texts.end);
            let sum = if is_copied { row.stored_sum() } else { None };
            heads.push(Some(Head { sum: sum.unwrap_or(head.sum), ..head }));
            self.texts.end += rest.len() as u64;
            self.pieces.put()?;
        }
        self.pieces.put_rest()?;
        if self.is_anew {
            self.texts.ordered = self.texts.end;
            self.pieces.vfs.replace(NEW_TEXTS, TEXTS)?;
        }
        Ok(Laid { texts: self.texts, heads })
    }
}

/// What is put down piece by piece behind what is there: of a large list, all of it would be as much as the tasks themselves.
struct Pieces<'a> {
    vfs: &'a dyn Vfs,
    path: &'static str,
    writer: Writer<'a>,
    length: u64,
    sum: u32,
}

impl<'a> Pieces<'a> {
    fn new(vfs: &'a dyn Vfs, numbers: &'a Numbers<'a>, path: &'static str) -> Pieces<'a> {
        Pieces { vfs, path, writer: Writer::new(numbers), length: 0, sum: 0 }
    }

    /// What begins a task: as it is stored, or with another head.
    fn begin(&mut self, row: &Row, head: Option<&Head>, keeps_numbers: bool) {
        let (writer, stored) = (&mut self.writer, row.stored_head().filter(|_| keeps_numbers));
        writer.text(row.id.as_str());
        // What has other names, too, can be written under those: such a file is read each time.
        let stat = row.stat.filter(|it| !it.shared && it.kind == Kind::File);
        let time = i64::cast_unsigned;
        for number in stat.map_or([0; 4], |it| [it.inode, time(it.modified), time(it.changed), it.length]) {
            writer.number(number);
        }
        writer.hash(row.hash);
        if let Some(head) = head {
            writer.head(head);
        }
        match (head, stored) {
            (None, stored) => writer.bytes.extend_from_slice(stored.unwrap_or_default()),
            (Some(_), Some(stored)) => writer.bytes.extend_from_slice(&stored[Head::BYTES..]),
            (Some(_), None) => row.show_edges(|blocks, blocked_by| writer.ends(blocks, blocked_by)),
        }
    }

    /// Puts down what there is, if it is a whole piece.
    fn put(&mut self) -> io::Result<()> {
        if self.writer.bytes.len() < PIECE { Ok(()) } else { self.put_rest() }
    }

    fn put_rest(&mut self) -> io::Result<()> {
        let bytes = &mut self.writer.bytes;
        if !bytes.is_empty() {
            self.vfs.append(self.path, bytes)?;
        }
        self.length += bytes.len() as u64;
        self.sum = crc32c::crc32c_append(self.sum, bytes);
        bytes.clear();
        Ok(())
    }
}
