//! The order in which a prepared change is written: locks of others, comparison, journal, files, index. Not what is written.

use super::{
    Files,
    log::Log,
    prepare::{Prepared, Write},
    settle::settle,
    spare::{self, Spares},
    text::hash,
    theirs,
};
use crate::{
    format::WATERMARK,
    id::TaskId,
    spread::{Work, spread},
    store::Error,
    vfs::{Stat, missing},
};

/// So many files are written before their time. More would make the directory of spare files larger for good.
const FEW: usize = 16;

/// Whether a commit happened.
pub(super) enum Outcome {
    Done,
    /// This file was changed by others since it was read: nothing was done.
    Changed(String),
    /// Others made tasks with these ids in the moment in which we did: theirs stand.
    Collided(Vec<TaskId>),
}

/// Does what was prepared: foreign locks, which are waited for so long, comparison, journal, files, index.
pub(super) fn commit(
    files: &Files,
    log: Option<Log>,
    prepared: &Prepared,
    wait_ms: u64,
) -> Result<Outcome, Error> {
    // A journal is not begun only to note what others did.
    let is_staged = log.as_ref().is_some_and(Log::has_staged);
    if prepared.records().is_empty() && !is_staged || log.is_none() && !prepared.ours {
        return Ok(Outcome::Done);
    }
    // A file that is not there yet cannot be locked by them; the list's lock keeps them from making it.
    let there = prepared.writes().iter().filter(|it| it.old.is_some());
    let _held = theirs::take(files, there.map(|it| it.name.clone()), prepared.counts, wait_ms)?;
    let seq = log.as_ref().map_or(0, |it| it.mark.seq);
    let mut spares = Spares::after(files, seq, prepared.writes().len());
    if log.is_some() && prepared.writes().len() <= FEW {
        write_ahead(&mut spares, prepared)?;
    }
    if let Some(changed) = changed(files, prepared)? {
        return Ok(Outcome::Changed(changed));
    }
    if prepared.mark.is_overtaken(files)? {
        return Ok(Outcome::Changed(WATERMARK.to_owned()));
    }
    let mut log = match log {
        Some(log) => log,
        None => files.create_log()?,
    };
    log.stage(prepared.records())?;
    log.flush()?;
    lay_down(spares, log, prepared).map_err(|error| Error::Unsettled(Box::new(error)))
}

/// The texts of a few files, before they are compared: so that between that and the exchange there is only the journal.
fn write_ahead(spares: &mut Spares<'_>, prepared: &Prepared) -> Result<(), Error> {
    for (n, write) in prepared.writes().iter().enumerate() {
        if let Some(new) = write.new.as_ref().filter(|_| write.old != write.new) {
            let draft = spare::Name { seq: 0, n, hash: 0, file: &write.name }.draft();
            let written = spares.write_ahead(draft, new.as_bytes());
            written.map_err(Error::io("write", &write.name))?;
        }
    }
    Ok(())
}

/// The files, after the point of no return.
fn lay_down(mut spares: Spares<'_>, mut log: Log, prepared: &Prepared) -> Result<Outcome, Error> {
    let (files, seq, mut collided) = (spares.files, log.mark.seq, Vec::new());
    // Before the files: when one goes, its number must be known already.
    prepared.mark.raise(&mut spares, seq, spare::MARK)?;
    let made = make_new(files, prepared.writes());
    for (n, write) in prepared.writes().iter().enumerate().filter(|(n, _)| !is_at(&made, *n)) {
        let spare = spare::Name { seq, n, hash: write.old.as_deref().map_or(0, hash), file: &write.name };
        collided.extend(settle(&mut spares, &log, write, &spare)?);
    }
    if prepared.writes().iter().any(|it| it.old.is_none() != it.new.is_none()) {
        // Names that came or went must survive: afterwards a missing file is one that somebody removed.
        files.vfs.sync("").map_err(Error::io("flush", "the folder"))?;
    }
    prepared.mark.raise(&mut spares, seq, spare::MARK)?;
    log.publish()?;
    // The change is there; a journal that cannot be made shorter now will be later.
    _ = super::compact::maybe(files, log);
    Ok(if collided.is_empty() { Outcome::Done } else { Outcome::Collided(collided) })
}

fn is_at(all: &[bool], n: usize) -> bool {
    all.get(n).is_some_and(|it| *it)
}

/// Of which files that come it is known that nothing stands in their places yet, if there are many.
fn still_absent(files: &Files, writes: &[Write]) -> Vec<bool> {
    if writes.len() <= FEW {
        return Vec::new();
    }
    let asked = spread(Work::Ask, writes, |part| {
        let mut absent = vec![false; part.len()];
        let name = |n: usize, name: &mut String| name.push_str(&part[n].name);
        let mut see = |n: usize, found: Option<Stat>| absent[n] = found.is_none() && part[n].old.is_none();
        files.vfs.stat_each(part.len(), &name, &mut see);
        absent
    });
    asked.concat()
}

/// The files that come, if there are many: each in one step and on every core. Says which are there now; the rest is settled like
/// others, one after the other.
fn make_new(files: &Files, writes: &[Write]) -> Vec<bool> {
    if writes.len() <= FEW {
        return Vec::new();
    }
    let make = |it: &Write| match (&it.old, &it.new) {
        (None, Some(new)) => files.vfs.create(&it.name, new.as_bytes()).is_ok(),
        _ => false,
    };
    spread(Work::Make, writes, |part| part.iter().map(make).collect::<Vec<_>>()).concat()
}

/// The first file that is not any more as it was read.
fn changed(files: &Files, prepared: &Prepared) -> Result<Option<String>, Error> {
    let absent = still_absent(files, prepared.writes());
    for (_, write) in prepared.writes().iter().enumerate().filter(|(n, _)| !is_at(&absent, *n)) {
        let now = missing(files.vfs.read(&write.name, u64::MAX)).map_err(Error::io("read", &write.name))?;
        if now.as_deref() != write.old.as_deref().map(str::as_bytes) {
            return Ok(Some(write.name.clone()));
        }
    }
    Ok(None)
}
