//! Taking a mend back: the very bytes that it replaced, where nobody has written since. What tasks it changed is
//! undone as any event is.

use super::{
    super::{Files, pin, recover},
    copies::{self, Note, is_as_written, print},
    replace::{Replacement, bytes_of, replace},
};
use crate::{
    event::Event,
    rules::{Command, Decision, Request, decide},
    store::{Error, Store},
};
use std::collections::BTreeSet;

/// What came of taking a mend back.
#[derive(Debug)]
pub struct Unmended {
    /// The mend that was taken back.
    pub number: u64,
    /// The event that undid its own, if it had one.
    pub event: Option<Event>,
    /// The files that are as they were before it.
    pub back: Vec<String>,
    /// The files that were changed since, and stay as they are; their copies are kept.
    pub changed: Vec<String>,
}

/// What became of a file since.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Since {
    AsLeft,
    AsBefore,
    Changed,
}

/// Takes back a mend, the last one if no number is given. None if there is none.
pub(in super::super) fn unmend(
    files: &Files,
    request: &Request,
    number: Option<u64>,
) -> Result<Option<Unmended>, Error> {
    files.fit()?;
    let _lock = files.lock()?;
    pin::release_every_orphan(&*files.vfs)?;
    if let Some(mut log) = files.open_log()? {
        recover::recover(files, &mut log, files.wait_ms)?;
    }
    let Some(number) = number.or_else(|| copies::numbers(files).pop()) else { return Ok(None) };
    let Some(mut note) = copies::read(files, number)? else { return Ok(None) };
    let undone = undone(files, &note)?;
    let since = (0..note.files.len()).map(|n| since(files, &note, n, undone.as_ref()));
    let since = since.collect::<Result<Vec<_>, _>>()?;
    let event = match undone {
        Some(event) => Some(event),
        None => undo(files, request, &mut note, &since)?,
    };
    let mut unmended = Unmended { number, event, back: Vec::new(), changed: Vec::new() };
    for (n, since) in since.into_iter().enumerate() {
        let file = note.files[n].file.clone();
        let is_back = since != Since::Changed && put_back(files, &note, n)?;
        if is_back { unmended.back.push(file) } else { unmended.changed.push(file) }
    }
    files.vfs.sync("").map_err(Error::io("flush", "the folder"))?;
    // The journal must know what is in the files now, before the copies go: otherwise a loss of power would make them
    // old texts of ours again. If it cannot be told because some file cannot even be looked at, the next look does it.
    _ = files.locked(request, "look", &mut |tasks| {
        tasks.all();
        Ok(Decision::default())
    });
    if unmended.changed.is_empty() {
        note.discard(files)?;
    }
    Ok(Some(unmended))
}

fn since(files: &Files, note: &Note, n: usize, undone: Option<&Event>) -> Result<Since, Error> {
    let kept = &note.files[n];
    let now = bytes_of(files, &kept.file)?;
    Ok(if now == note.copy(files, n)? {
        Since::AsBefore
    } else if print(now.as_deref()) == kept.left || is_half_back(files, note, n, now.as_deref(), undone)? {
        Since::AsLeft
    } else {
        Since::Changed
    })
}

/// Whether a file is as the undoing of the event left it, by a process that died before it could go on.
fn is_half_back(
    files: &Files,
    note: &Note,
    n: usize,
    now: Option<&[u8]>,
    undone: Option<&Event>,
) -> Result<bool, Error> {
    let (Some(undone), Some(from)) = (undone.filter(|_| note.files[n].returns), note.undoing) else {
        return Ok(false);
    };
    let file = note.files[n].file.as_str();
    let touches = |it: &Event| it.changes.iter().any(|it| files.format.file_of(&it.id) == file);
    let others = files.events_after(from)?.iter().any(|it| it.seq != undone.seq && touches(it));
    let known = files.open_log()?.map(|it| it.all()).transpose()?.unwrap_or_default();
    Ok(!others && touches(undone) && is_as_written(files, &known, file, now))
}

/// The event by which a process that died had undone that of the mend.
fn undone(files: &Files, note: &Note) -> Result<Option<Event>, Error> {
    let (Some(seq), Some(from)) = (note.event, note.undoing) else { return Ok(None) };
    let events = files.events_after(seq.saturating_sub(1))?;
    let ids = |it: &Event| it.changes.iter().map(|it| it.id.clone()).collect::<BTreeSet<_>>();
    let Some(wanted) = events.iter().find(|it| it.seq == seq).map(ids) else { return Ok(None) };
    Ok(events.into_iter().find(|it| it.seq > from && it.command == "undo" && ids(it) == wanted))
}

/// Undoes the event of a mend; a refusal ends it here, before any file is touched.
fn undo(files: &Files, request: &Request, note: &mut Note, since: &[Since]) -> Result<Option<Event>, Error> {
    let Some(seq) = note.event else { return Ok(None) };
    let events = files.events_after(seq.saturating_sub(1))?;
    let event = events.into_iter().find(|it| it.seq == seq).ok_or(Error::NoEvent { seq })?;
    note.undoing = files.open_log()?.map(|it| it.mark.seq);
    for (kept, since) in note.files.iter_mut().zip(since) {
        kept.returns = *since != Since::Changed;
    }
    note.write(files)?;
    let command = Command::Undo(Box::new(event));
    let done = files.locked(request, "undo", &mut |tasks| decide(tasks, &command, request))?;
    Ok(done.event)
}

/// Puts the copy in the place of what is there. The undoing of an event may have written the file, too.
fn put_back(files: &Files, note: &Note, n: usize) -> Result<bool, Error> {
    let file = note.files[n].file.as_str();
    let (now, copy) = (bytes_of(files, file)?, note.copy(files, n)?);
    replace(files, &Replacement { file, before: now.as_deref(), after: copy.as_deref(), n })
}
