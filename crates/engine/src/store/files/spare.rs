//! Files that were displaced: kept for a while, because a program that had one open may still write into it, and
//! then used again, because making files is slow. Also where bytes go that nobody could read.

mod offered;

use super::{Files, log::make_dir, text::hash};
use crate::{store::Error, vfs::missing};
use offered::{OFFERED, Offered};
use std::io::{self, ErrorKind};

pub(super) const SPARE: &str = ".worklist/spare";
/// How the name of a file begins that is being written.
const DRAFT: &str = "new-";
pub(super) const QUARANTINE: &str = ".worklist/quarantine";
/// A displaced file is kept so long, if there are not too many.
pub(super) const KEPT_MS: i64 = 60_000;
pub(super) const MOST: usize = 128;
/// Added to the number of a file that is put in place for a second time: no change has so many files.
pub(super) const AGAIN: usize = 0x40_0000;
/// The number of the watermark in a change, behind all of its files.
pub(super) const MARK: usize = AGAIN - 1;
/// The number of a watermark that is put right after a loss of power.
pub(super) const MARK_AGAIN: usize = AGAIN + MARK;
/// How many bytes of a name are its two numbers.
const NUMBERS: usize = 23;

/// What a spare file is called: when and what it was, so that nothing else need remember it.
pub(super) struct Name<'a> {
    pub(super) seq: u64,
    pub(super) n: usize,
    /// The hash of the text that it displaced.
    pub(super) hash: u128,
    pub(super) file: &'a str,
}

impl Name<'_> {
    /// What it is called once it holds what was displaced.
    pub(super) fn path(&self) -> String {
        format!("{SPARE}/{:016x}-{:06x}-{:032x}-{}", self.seq, self.n, self.hash, self.file)
    }

    /// What it is called until then: nobody takes it for a displaced file.
    pub(super) fn draft(&self) -> String {
        format!("{SPARE}/{DRAFT}{:06x}", self.n)
    }
}

/// The hash and the file in a name.
pub(super) fn read_name(name: &str) -> Option<(u128, &str)> {
    let mut parts = name.splitn(4, '-').skip(2);
    let hash = u128::from_str_radix(parts.next()?, 16).ok()?;
    Some((hash, parts.next()?))
}

/// The displaced files as one commit uses them again.
pub(super) struct Spares<'a> {
    pub(super) files: &'a Files,
    offered: Offered,
    /// Drafts that were written ahead, with the hashes of their texts.
    ahead: Vec<(String, u128)>,
}

impl<'a> Spares<'a> {
    pub(super) fn of(files: &'a Files) -> Spares<'a> {
        Spares { files, offered: Offered::default(), ahead: Vec::new() }
    }

    /// For the change with this number, of so many files: those of few need not look for what may be used again. One of many
    /// begins with that, or each such change would leave more behind than the one before.
    pub(super) fn after(files: &'a Files, seq: u64, count: usize) -> Spares<'a> {
        let offered = if count > MOST { Offered::default() } else { Offered::to(seq) };
        Spares { files, offered, ahead: Vec::new() }
    }

    /// Writes a text into a draft before it is due, so that little is left to do then. What is not used is removed again.
    pub(super) fn write_ahead(&mut self, draft: String, bytes: &[u8]) -> io::Result<()> {
        self.write(&draft, bytes)?;
        self.ahead.push((draft, hash(bytes)));
        Ok(())
    }

    /// Writes a text into a draft: an old spare under a new name if there is one, else a new file.
    pub(super) fn write(&mut self, draft: &str, bytes: &[u8]) -> io::Result<()> {
        let ahead = self.ahead.iter().position(|(it, _)| it == draft);
        if ahead.is_some_and(|it| self.ahead.swap_remove(it).1 == hash(bytes)) {
            return Ok(());
        }
        if !self.offered.give(self.files, draft)? && missing(self.files.vfs.stat(draft))?.is_some() {
            clear(self.files, draft);
        }
        match self.files.vfs.write(draft, bytes) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                make(self.files)?;
                self.files.vfs.write(draft, bytes)
            }
            done => done,
        }
    }

    /// What was displaced gets its name: from now on it is looked at again for late writes. If it cannot be named so, it is
    /// used again sooner.
    pub(super) fn keep(&mut self, name: &Name<'_>) {
        _ = self.files.vfs.replace(&name.draft(), &name.path());
    }
}

impl Drop for Spares<'_> {
    fn drop(&mut self) {
        for (draft, _) in self.ahead.drain(..) {
            // If it stays, it becomes a spare like any other.
            _ = self.files.vfs.remove(&draft);
        }
    }
}

/// Whether it is the name of a displaced file. There are many, and each change looks at all of them.
fn is_name(name: &str) -> bool {
    let mut parts = name.split('-');
    let is_hash = |it: &str| it.len() == 32 && it.bytes().all(|it| it.is_ascii_hexdigit());
    parts.nth(2).is_some_and(is_hash) && parts.next().is_some()
}

/// What a process that died left in the place of a draft may be a file that others still write into.
fn clear(files: &Files, draft: &str) {
    if let Some(name) = draft.strip_prefix(SPARE).and_then(|it| it.strip_prefix('/')) {
        take_in(files, name);
    }
}

/// What a process that died or failed left half way becomes a spare file like others: kept for a while, then used again.
/// Nobody is at work on one now, because the list's lock is held and files are put in place one after the other. If it
/// cannot be named so now, it can be next time.
fn take_in(files: &Files, draft: &str) -> Option<String> {
    let number = draft.trim_start_matches(DRAFT);
    let kept = format!("{:016x}-{number}-{:032x}-draft", 0, 0);
    files.vfs.replace(&format!("{SPARE}/{draft}"), &format!("{SPARE}/{kept}")).ok()?;
    Some(kept)
}

/// Whether a name's numbers say when it was given: they rise, except those of a second attempt.
fn is_in_turn(name: &str) -> bool {
    let number = name.get(17..NUMBERS).and_then(|it| usize::from_str_radix(it, 16).ok());
    read_name(name).is_some() && number.is_some_and(|it| it & AGAIN == 0)
}

/// Numbers are about to be given a second time: what was noted of the first says nothing about the second.
pub(super) fn count_anew(files: &Files) -> Result<(), Error> {
    missing(files.vfs.remove(OFFERED)).map(|_| ()).map_err(Error::io("remove", OFFERED))
}

pub(super) fn make(files: &Files) -> io::Result<()> {
    match files.vfs.make_dir(SPARE) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Keeps a copy of bytes that could not be read, or that had to give way. What a loss of power leaves is often empty, or
/// nothing but zeros: there is nothing in it to keep.
pub(super) fn quarantine(files: &Files, file: &str, bytes: &[u8]) -> Result<(), Error> {
    if bytes.iter().all(|it| *it == 0) {
        return Ok(());
    }
    make_dir(&*files.vfs, QUARANTINE)?;
    let path = format!("{QUARANTINE}/{:032x}-{file}", hash(bytes));
    files.vfs.write(&path, bytes).map_err(Error::io("write", &path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_many_files_is_counted_to_its_end() {
        let path = |n| Name { seq: 7, n, hash: 1, file: "7.json" }.path();
        let name = |n| path(n).rsplit_once('/').unwrap().1.to_owned();
        for n in [0, 0x3fff, 0x4000, 0x7fff, 0x1_0000, MARK] {
            assert!(is_in_turn(&name(n)), "{n:x}");
            assert!(!is_in_turn(&name(n + AGAIN)), "{n:x}");
        }
        assert!(path(0x3fff) < path(0x4000) && path(0xffff) < path(0x1_0000) && path(0x1_0000) < path(MARK));
        assert!(!is_in_turn(&name(MARK_AGAIN)));
        // What an older version left is not counted on: it is used again when it is old.
        assert!(!is_in_turn("0000000000000007-0000-00000000000000000000000000000001-7.json"));
    }
}
