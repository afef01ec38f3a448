//! Which displaced files may be used again: found by a look at all of them once in a while, and noted for the changes in
//! between. The note is never believed beyond that: what it names is looked at before it is written over.

use super::{DRAFT, KEPT_MS, MOST, NUMBERS, SPARE, clear, is_in_turn, is_name, make, take_in};
use crate::{
    store::files::{Files, late::is_another, text::hash},
    vfs::missing,
};
use std::{
    collections::VecDeque,
    io::{self, ErrorKind},
};

/// When the last look was, up to which name the folder was flushed, and what was offered, each on a line.
pub(super) const OFFERED: &str = ".worklist/flushed";
/// Larger ones are not ours.
const MAX_NOTE: u64 = 64 * 1024;
/// So many new files there are at most.
const BLANKS: usize = 16;
/// How their names begin.
const BLANK: &str = "blank-";

/// What one commit may use again.
#[derive(Default)]
pub(super) struct Offered {
    /// The number of the change, if there is one.
    seq: Option<u64>,
    names: Option<VecDeque<String>>,
    /// Whether this commit has looked by itself, and used some of what it found: then it is worth to look again.
    has_looked: bool,
    is_fruitful: bool,
    /// How many were asked for, and how often none was displaced.
    given: usize,
    missed: usize,
}

impl Offered {
    pub(super) fn to(seq: u64) -> Offered {
        Offered { seq: Some(seq), ..Offered::default() }
    }

    /// Gives the next file that can be written over the name of a draft, where nothing is then: one that is new, if it was made
    /// for this change, a displaced one, or another that is new. False if there is none.
    pub(super) fn give(&mut self, files: &Files, draft: &str) -> io::Result<bool> {
        let own = self.seq.map_or(0, |it| slot(it, self.given));
        self.given += 1;
        if moved(files, &blank(own), draft)? {
            return Ok(true);
        }
        while let Some(path) = self.displaced(files)? {
            if moved(files, &path, draft)? {
                return Ok(true);
            }
        }
        // A change of many files makes each by itself: that is one step less.
        if self.missed > BLANKS {
            return Ok(false);
        }
        // Those before it are used more likely than those behind.
        for n in 1..BLANKS {
            if moved(files, &blank((own + n) % BLANKS), draft)? {
                return Ok(true);
            }
        }
        make(files)?;
        // They are made some at a time: whatever makes one makes the next flush longer, and many make it hardly longer than one.
        (0..BLANKS).try_for_each(|it| files.vfs.write(&blank(it), b""))?;
        moved(files, &blank(own), draft)
    }

    fn displaced(&mut self, files: &Files) -> io::Result<Option<String>> {
        if self.names.is_none() {
            let note = Note::read(files);
            let since = self.seq.and_then(|it| it.checked_sub(note.at)).filter(|it| *it < every(files));
            match since {
                Some(since) => self.names = Some(unused(note.names, since)),
                None => self.look(files, &note)?,
            }
        }
        loop {
            while let Some(name) = self.names.as_mut().and_then(VecDeque::pop_front) {
                let path = format!("{SPARE}/{name}");
                match files.vfs.read_with_stat(&path, u64::MAX) {
                    // Somebody keeps the same bytes under another name: they are not ours to write over.
                    Ok((stat, _)) if stat.shared => files.vfs.remove(&path)?,
                    Ok((_, bytes)) if !is_another(&name, &bytes) => {
                        self.is_fruitful = self.has_looked;
                        return Ok(Some(path));
                    }
                    // Used since, written to by somebody who came too late, or nothing that we can read.
                    _ => {}
                }
            }
            self.missed += 1;
            // One change of many files.
            if !self.is_fruitful && !self.missed.is_multiple_of(MOST) {
                return Ok(None);
            }
            self.look(files, &Note::read(files))?;
        }
    }

    /// Looks at all of them: those behind the newest so many, and those that were kept for long enough.
    fn look(&mut self, files: &Files, note: &Note) -> io::Result<()> {
        let names = names(files)?;
        let most = most(files);
        let spare = names.len().saturating_sub(most);
        let beyond = if spare == 0 { 0 } else { names.len().min(spare + most / 8) };
        let mut old = 0;
        while old < names.len().min(MOST) && is_old(files, &names[old])? {
            old += 1;
        }
        let mut offered = names[..beyond.max(old)].to_vec();
        let mut flushed = note.flushed.clone();
        if beyond > old {
            // A young one would have to stay displaced after a loss of power. After a minute it would by itself; sooner the
            // folder is flushed first, once for many. Otherwise an old name could come back to find new bytes under it.
            let settled = offered.iter().filter(|it| **it <= flushed).count().max(old);
            if settled == 0 {
                files.vfs.sync("")?;
                let newest = names.iter().rev().find(|it| is_in_turn(it)).and_then(|it| it.get(..NUMBERS));
                // With `~` behind it, it is the last of all names that begin so.
                flushed = newest.map(|it| format!("{it}~")).unwrap_or_default();
            } else {
                offered.truncate(settled);
            }
        }
        (self.has_looked, self.is_fruitful) = (true, false);
        // What is noted must be short enough to be read again; the rest is found by the next look.
        offered.truncate(MOST);
        let note = Note { at: self.seq.unwrap_or(0), flushed, names: offered };
        note.write(files)?;
        self.names = Some(note.names.into());
        Ok(())
    }
}

/// What is offered, with that last which the changes since will have used: most use one.
fn unused(offered: Vec<String>, since: u64) -> VecDeque<String> {
    let mut names = VecDeque::from(offered);
    names.rotate_left(names.len().min(usize::try_from(since).unwrap_or(usize::MAX)));
    names
}

/// The path of a file without a byte that nobody has seen.
fn blank(n: usize) -> String {
    format!("{SPARE}/{BLANK}{n:02}")
}

/// The place of the one that was made for a change: most need one, so that each finds its own at once.
fn slot(seq: u64, given: usize) -> usize {
    usize::try_from(seq).unwrap_or(0).wrapping_add(given) % BLANKS
}

/// Whether a file is a draft now. What stood in its place is a displaced file from now on.
fn moved(files: &Files, path: &str, draft: &str) -> io::Result<bool> {
    match files.vfs.place(path, draft) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            clear(files, draft);
            Ok(missing(files.vfs.place(path, draft))?.is_some())
        }
        done => Ok(missing(done)?.is_some()),
    }
}

fn most(files: &Files) -> usize {
    if files.format.shape().single_file.is_some() { MOST / 16 } else { MOST }
}

/// So many changes may go by until somebody looks again.
fn every(files: &Files) -> u64 {
    most(files) as u64 / 8
}

fn is_old(files: &Files, name: &str) -> io::Result<bool> {
    let stat = missing(files.vfs.stat(&format!("{SPARE}/{name}")))?;
    Ok(stat.is_some_and(|it| it.changed_ago(files.clock.now()) > KEPT_MS))
}

/// The names of all displaced files, the oldest first. What a process that died or failed left half way is one of them from
/// now on.
fn names(files: &Files) -> io::Result<Vec<String>> {
    let all = missing(files.vfs.names(SPARE))?.unwrap_or_default();
    let (drafts, mut names): (Vec<_>, Vec<_>) = all.into_iter().partition(|it| it.starts_with(DRAFT));
    names.retain(|it| is_name(it));
    names.extend(drafts.iter().filter_map(|it| take_in(files, it)));
    names.sort_unstable();
    Ok(names)
}

/// Bytes of the last line: a loss of power can mix two notes.
const CHECK: usize = 33;

fn checked(text: &str) -> String {
    format!("{:032x}\n", hash(text))
}

/// What is on disk of it.
#[derive(Default)]
struct Note {
    at: u64,
    flushed: String,
    names: Vec<String>,
}

impl Note {
    /// One that cannot be read says nothing.
    fn read(files: &Files) -> Note {
        let text = files.vfs.read(OFFERED, MAX_NOTE).ok().and_then(|it| String::from_utf8(it).ok());
        text.and_then(|it| Note::of(&it)).unwrap_or_default()
    }

    fn of(text: &str) -> Option<Note> {
        let (told, check) = text.split_at_checked(text.len().checked_sub(CHECK)?)?;
        if check != checked(told) {
            return None;
        }
        let mut lines = told.lines();
        let at = u64::from_str_radix(lines.next()?, 16).ok()?;
        let flushed = lines.next()?.to_owned();
        Some(Note { at, flushed, names: lines.filter(|it| is_name(it)).map(str::to_owned).collect() })
    }

    fn text(&self) -> String {
        let mut text = format!("{:016x}\n{}\n", self.at, self.flushed);
        for name in &self.names {
            text.extend([name, "\n"]);
        }
        text += &checked(&text);
        text
    }

    fn write(&self, files: &Files) -> io::Result<()> {
        files.vfs.write(OFFERED, self.text().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_notes_that_were_mixed_say_nothing() {
        let name = |n: u64| format!("{n:016x}-000000-{:032x}-7.json", 5);
        let note = |n: u64| Note { at: n, flushed: format!("{n:016x}-000000~"), names: vec![name(n)] };
        let (one, other) = (note(0x0123_4567).text(), note(0x89ab_cdef).text());
        assert_eq!(Note::of(&one).map(|it| (it.at, it.names)), Some((0x0123_4567, vec![name(0x0123_4567)])));
        let mixed = |at: usize| [&one[..at], &other[at..]].concat();
        let read = (1..one.len()).filter(|at| mixed(*at) != one && mixed(*at) != other);
        assert_eq!(read.filter(|at| Note::of(&mixed(*at)).is_some()).count(), 0);
        for part in ["", "\n", "0123", &one[..one.len() - 1], "0000000000000104-000000~"] {
            assert!(Note::of(part).is_none(), "{part:?}");
        }
    }
}
