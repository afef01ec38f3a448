//! Finishing what a dead process began, and what a loss of power took. Runs before anything is decided.

use super::{
    BRIEF_MS, Files,
    log::Log,
    mark,
    pin::{self, Pins},
    prepare::Write,
    record::Touch,
    scan::Batch,
    settle::settle,
    spare::{self, Name, Spares},
    text::{Patience, Text, hash, limit},
    theirs,
};
use crate::{
    claim::Entry,
    event::Origin,
    format::WATERMARK,
    id::TaskId,
    spread::{Work, spread},
    store::Error,
    time::Time,
    vfs::missing,
};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

/// A file that was last written within this time of a write of ours is that write.
const SAME_MS: u64 = 5_000;

/// What we ever wrote of a task.
#[derive(Default)]
struct Past {
    hashes: HashSet<u128>,
    times: Vec<Time>,
}

/// The list's lock must be held; locks of other programs are waited for so long.
pub(super) fn recover(files: &Files, log: &mut Log, wait_ms: u64) -> Result<(), Error> {
    if log.unsettled.is_empty() && !log.rebooted {
        return Ok(());
    }
    if log.rebooted {
        pin::release_every_orphan(&*files.vfs)?;
    }
    spare::count_anew(files)?;
    let touches = if log.rebooted { lost(files, log)? } else { unsettled(log) };
    let (mut patience, mut spares) = (Patience::default(), Spares::of(files));
    let mut by_file: BTreeMap<String, Vec<Touch>> = BTreeMap::new();
    for touch in touches {
        by_file.entry(files.format.file_of(&touch.id)).or_default().push(touch);
    }
    let is_gone = |it: &&Touch| it.after.is_none();
    let gone: Vec<TaskId> = by_file.values().flatten().filter(is_gone).map(|it| it.id.clone()).collect();
    if !gone.is_empty() && !log.rebooted {
        remark(files, &gone.iter().collect::<Vec<_>>())?;
    }
    let deadline = files.clock.ticks() + wait_ms;
    for (n, (name, touches)) in by_file.into_iter().enumerate() {
        // A file that is not there cannot be locked by them, and one that they make meanwhile is not replaced.
        let is_there = !matches!(missing(files.vfs.stat(&name)), Ok(None));
        let counts = touches.iter().any(|it| it.after.is_none());
        let needed = theirs::needed(files, is_there.then(|| name.clone()).into_iter(), counts);
        let _pins = Pins::take(&*files.vfs, &*files.clock, &needed, deadline)?;
        let old = patience.read_text(files, &name)?.whole;
        // Asking for what is there makes every touch be looked at one by one.
        let write = Write { new: old.clone(), old, name: name.clone(), touches };
        let spare = Name {
            seq: log.mark.seq,
            n: 0x8000 + n,
            hash: write.old.as_deref().map_or(0, hash),
            file: &name,
        };
        lay(&mut spares, log, write, &spare)?;
    }
    log.publish()
}

/// The same for a look, if the list may be written and can be locked at once.
pub(super) fn at_once(files: &Files) -> Result<(), Error> {
    files.fit()?;
    let Some(_lock) = files.try_lock()? else { return Ok(()) };
    files.open_log()?.map_or(Ok(()), |mut log| recover(files, &mut log, BRIEF_MS))
}

fn lay(spares: &mut Spares<'_>, log: &Log, write: Write, spare: &Name<'_>) -> Result<(), Error> {
    let wanted = super::settle::laid(spares.files, log, &write, write.old.as_deref())?;
    settle(spares, log, &Write { new: wanted, ..write }, spare)?;
    Ok(())
}

/// The last touch of each task in the batches that the index does not cover.
fn unsettled(log: &Log) -> Vec<Touch> {
    let mut last: HashMap<TaskId, Touch> = HashMap::new();
    // What others did is in their files, or was until they did something else; only what we took over late is not.
    let is_ours = |it: &&Batch| {
        it.event.as_ref().is_some_and(|it| it.origin != Origin::Foreign || it.command == "late")
    };
    for (_, touch) in log.unsettled.iter().filter(is_ours).flat_map(|it| &it.touches) {
        match last.get_mut(&touch.id) {
            Some(first) => first.go_on(touch.clone()),
            None => _ = last.insert(touch.id.clone(), touch.clone()),
        }
    }
    last.into_values().filter(|it| it.base != it.hash).collect()
}

/// The watermark is written without being flushed: what it must say at least follows from the ids that were given.
fn remark(files: &Files, gone: &[&TaskId]) -> Result<(), Error> {
    let names = files.vfs.names("").map_err(Error::io("list", "the folder"))?;
    // What is about to go does not count as there.
    let going: HashSet<String> = gone.iter().map(|it| files.format.file_of(it)).collect();
    let names: Vec<String> = names.into_iter().filter(|it| !going.contains(it)).collect();
    let old = missing(files.vfs.read(WATERMARK, 4096)).map_err(Error::io("read", WATERMARK))?;
    let old = old.map(|it| String::from_utf8_lossy(&it).into_owned());
    // A loss of power leaves an older number, or nothing; what else is there somebody wrote, and `doctor` asks about it.
    if old.as_deref().is_some_and(|it| it.bytes().any(|it| it != 0 && !it.is_ascii_digit())) {
        return Ok(());
    }
    let Some((_, new)) = files.format.watermark_fault(old.as_deref(), &names, gone) else { return Ok(()) };
    mark::raise(&mut Spares::of(files), &new, 0, spare::MARK_AGAIN)
}

/// What the files lack of what the journal knows, where that can only have been lost.
fn lost(files: &Files, log: &mut Log) -> Result<Vec<Touch>, Error> {
    let mut ours: HashMap<TaskId, Past> = HashMap::new();
    let mut all: HashMap<TaskId, Touch> = HashMap::new();
    let past = std::mem::take(&mut log.past).into_iter().flat_map(|it| it.touches);
    for (_, touch) in past.chain(log.unsettled.iter().flat_map(|it| it.touches.clone())) {
        let past = ours.entry(touch.id.clone()).or_default();
        past.hashes.extend(touch.base.into_iter().chain(touch.hash));
        past.times.push(touch.at);
        all.insert(touch.id.clone(), touch);
    }
    let newest: HashMap<TaskId, usize> = log
        .unsettled
        .last()
        .into_iter()
        .flat_map(|it| it.touches.iter().map(|(_, it)| it.id.clone()).enumerate())
        .map(|(n, id)| (id, n))
        .collect();
    let is_list = files.format.shape().single_file.is_some();
    let mut texts: HashMap<String, Text> = HashMap::new();
    let mut patience = Patience::default();
    let mut lost = Vec::new();
    // In one order, because a file of a whole list keeps it.
    let mut all: Vec<(TaskId, Touch)> = all.into_iter().collect();
    let gone: Vec<&TaskId> = all.iter().filter(|(_, it)| it.after.is_none()).map(|(id, _)| id).collect();
    remark(files, &gone)?;
    let made = |it: &Touch| it.after.as_ref().and_then(|it| it.task.created_at);
    let last = |id: &TaskId| newest.get(id).copied().unwrap_or(usize::MAX);
    all.sort_unstable_by(|(left, one), (right, two)| {
        (last(left), made(one), left).cmp(&(last(right), made(two), right))
    });
    let are_intact =
        |part: &[(_, Touch)]| part.iter().map(|(_, it)| is_intact(files, it)).collect::<Vec<_>>();
    let intact = spread(Work::Read, &all, are_intact).concat();
    for (id, touch) in all.into_iter().zip(intact).filter(|(_, intact)| !intact).map(|(it, _)| it) {
        let name = files.format.file_of(&id);
        if !texts.contains_key(&name) {
            let text = patience.read_text(files, &name)?;
            texts.insert(name.clone(), text);
        }
        let text = &texts[&name];
        let own = text.own(&id);
        let past = ours.remove(&id).unwrap_or_default();
        let is_older = |hash: u128| past.hashes.contains(&hash);
        // Not written since our last write; or, where the clock was set back, at the time of one of our writes.
        let untouched = || {
            let modified = files.vfs.stat(&name).map_or(0, |it| it.modified / 1_000_000);
            let near = |at: &Time| modified.abs_diff(at.0) <= SAME_MS;
            modified <= touch.at.0 || past.times.iter().any(near)
        };
        let gone = match (own, &touch.after) {
            (Some(own), Some(_)) => Some(own.hash) != touch.hash && is_older(own.hash) && untouched(),
            (Some(own), None) => is_older(own.hash) && untouched(),
            // Names are flushed before a change is acknowledged: only the last may be missing for want of that. A
            // file of a whole list may also have fallen back to a text in which the task was not yet.
            (None, Some(_)) => {
                text.fault(&id).is_some() || newest.contains_key(&id) || is_list && untouched()
            }
            (None, None) => text.broken.is_some() && untouched(),
        };
        if gone {
            let before = own.map(|it| Arc::new(Entry::new(it.task.clone())));
            lost.push(Touch { base: own.map(|it| it.hash), before, ..touch });
        }
    }
    Ok(lost)
}

/// Whether a task's own file is what was last written: then nothing of it was lost.
fn is_intact(files: &Files, touch: &Touch) -> bool {
    let bytes = || files.vfs.read(&files.format.file_of(&touch.id), limit(files.format));
    files.format.shape().single_file.is_none()
        && touch.after.is_some()
        && touch.hash.is_some()
        && bytes().is_ok_and(|it| Some(hash(&it)) == touch.hash)
}
