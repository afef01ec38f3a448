//! From a decision to bytes: which files are written how, what the journal is told, and the order of it all.

use super::{
    Files,
    foreign::{Loaded, RELAPSE_MS},
    log::Log,
    mark::Mark,
    record::{Recent, Record, Touch},
    settle::settle,
    spare::{self, Spares},
    text::{hash, understand},
    theirs,
    view::View,
};
use crate::{
    claim::Entry,
    event::{ADOPTED, Event, Origin},
    format::{MAX_TASK_BYTES, Put, WATERMARK, Writing},
    id::TaskId,
    rules::{Change, Decision, Refusal, Request, Tasks},
    store::Error,
    vfs::missing,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// So many tasks of a foreign change go into one event: a line in the journal should stay small.
const FOREIGN_AT_ONCE: usize = 64;
/// So many files are written before their time. More would make the directory of spare files larger for good.
const FEW: usize = 16;
/// So many writes of ours are remembered to tell a relapse.
const MOST_RECENT: usize = 8;

/// All that one commit will do.
#[derive(Default)]
pub(super) struct Prepared {
    records: Vec<Record>,
    writes: Vec<Write>,
    /// Our own event.
    pub(super) event: Option<Event>,
    entries: BTreeMap<TaskId, Option<Entry>>,
    /// Whether tasks come or go: by what is there others tell which id is free.
    counts: bool,
    /// Whether there is something that only the existing journal need be told.
    ours: bool,
    /// What it means for the number that others count on from.
    mark: Mark,
    /// The files in which nothing is done but putting right what others laid over ours.
    repaired: HashSet<String>,
}

/// One file to be written: from a text to a text, where none is "no file".
pub(super) struct Write {
    pub(super) name: String,
    pub(super) old: Option<String>,
    pub(super) new: Option<String>,
    pub(super) touches: Vec<Touch>,
}

impl Write {
    /// From the text before this one to the text after the later one.
    fn go_on(&mut self, later: Write) {
        self.new = later.new;
        for touch in later.touches {
            match self.touches.iter_mut().find(|it| it.id == touch.id) {
                Some(earlier) => earlier.go_on(touch),
                None => self.touches.push(touch),
            }
        }
    }
}

/// Whether a commit happened.
pub(super) enum Outcome {
    Done,
    /// This file was changed by others since it was read: nothing was done.
    Changed(String),
    /// Others made tasks with these ids in the moment in which we did: theirs stand.
    Collided(Vec<TaskId>),
}

impl Prepared {
    /// The file behind a lock of others, if nothing else is done with it than putting it right: that can wait.
    pub(super) fn can_wait(&self, lock: &str) -> Option<String> {
        lock.strip_suffix(".lock").filter(|it| self.repaired.contains(*it)).map(str::to_owned)
    }

    /// Whether it can be written together with other changes: files get other texts, and none comes, goes or is mended.
    pub(super) fn can_share(&self) -> bool {
        !self.counts
            && self.repaired.is_empty()
            && self.writes.iter().all(|it| it.old.is_some() && it.new.is_some())
    }

    /// The files that are written.
    pub(super) fn writes(&self) -> &[Write] {
        &self.writes
    }

    /// Adds what comes after it. The lines of both are on their way into the journal.
    pub(super) fn join(&mut self, later: &mut Prepared) {
        later.records.clear();
        for write in later.writes.drain(..) {
            match self.writes.iter_mut().find(|it| it.name == write.name) {
                Some(earlier) => earlier.go_on(write),
                None => self.writes.push(write),
            }
        }
    }

    /// The lines for the journal.
    pub(super) fn records(&self) -> &[Record] {
        &self.records
    }

    /// The tasks that a decision is about, as they will be.
    pub(super) fn about(&self, decision: &Decision) -> Vec<Entry> {
        decision.about.iter().filter_map(|id| self.entries.get(id).cloned().flatten()).collect()
    }
}

/// Works out what to write, without writing. What others laid over ours in files that are `left` stays for now.
pub(super) fn prepare(
    view: &View<'_>,
    request: &Request,
    command: &str,
    decision: Option<&Decision>,
    left: &HashSet<String>,
) -> Result<Prepared, Error> {
    let mut prepared = Prepared::default();
    let mut seq = view.log.map_or(0, |it| it.mark.seq);
    let changes = decision.map(|it| it.changes.as_slice()).unwrap_or_default();
    let format = view.files.format;
    if let Some(odd) =
        changes.iter().find(|it| it.before.is_none() && !format.is_task_file(&format.file_of(&it.id)))
    {
        let reason = format!("`{}` cannot be an id in format {}", odd.id, format.shape().name);
        return Err(Refusal::Invalid { field: "id".to_owned(), reason }.into());
    }
    // Working out what is touched looks at more tasks; what others did to those must be told, too.
    let ours = touches(view, changes);
    let adopted = decision.map(|it| it.adopted.as_slice()).unwrap_or_default();
    let is_settled = |id: &TaskId| adopted.contains(id) || ours.iter().any(|(it, _)| it.id == *id);
    let is_left = |it: &Loaded| {
        !left.is_empty()
            && it.repair.is_some()
            && left.contains(&format.file_of(&it.id))
            && !is_settled(&it.id)
    };
    let mut looked_at = view.looked_at();
    looked_at.retain(|it| !is_left(it));
    let (answered, others) = looked_at
        .iter()
        .filter_map(|it| it.foreign.as_ref())
        .partition::<Vec<_>, _>(|it| concerns(it, adopted));
    for (verb, touches) in [("foreign", &others), (ADOPTED, &answered)] {
        for touches in touches.chunks(FOREIGN_AT_ONCE) {
            seq += 1;
            let event = Event::bare(seq, view.now, &request.actor, verb, Origin::Foreign);
            prepared.note(event, touches.iter().map(|it| (*it).clone()).collect());
        }
    }
    prepared.ours = !adopted.is_empty();
    let mut puts: BTreeMap<String, Vec<(Touch, bool)>> = BTreeMap::new();
    // What somebody answers for is no stale copy, however old it looks.
    let settled = answered.iter().map(|it| &it.id).chain(changes.iter().map(|it| &it.id)).collect();
    let repairs = repairs(&looked_at, &settled);
    prepared.repaired = repairs.iter().map(|it| format.file_of(&it.id)).collect();
    for (touch, _) in &ours {
        prepared.repaired.remove(&format.file_of(&touch.id));
    }
    for (touch, ripple) in
        repairs.iter().map(|it| (it, false)).chain(ours.iter().map(|(it, ripple)| (it, *ripple)))
    {
        puts.entry(view.files.format.file_of(&touch.id)).or_default().push((touch.clone(), ripple));
    }
    let after: HashMap<&TaskId, Option<&Entry>> =
        changes.iter().map(|it| (&it.id, it.after.as_ref())).collect();
    let mut hashes: HashMap<TaskId, Option<u128>> = HashMap::new();
    for (name, touches) in puts {
        let write = write(view, name, touches, &after)?;
        hashes.extend(write.touches.iter().map(|it| (it.id.clone(), it.hash)));
        prepared.writes.push(write);
    }
    view.failed()?;
    let with_hash =
        |touch: Touch| Touch { hash: hashes.get(&touch.id).copied().unwrap_or(touch.hash), ..touch };
    if !repairs.is_empty() {
        seq += 1;
        let event = Event::bare(seq, view.now, &request.actor, "repair", Origin::Repair);
        prepared.note(event, repairs.into_iter().map(with_hash).collect());
    }
    if let Some(decision) = decision.filter(|it| !it.changes.is_empty()) {
        seq += 1;
        let mut event = Event::bare(seq, view.now, &request.actor, command, Origin::Ours);
        event.freed.clone_from(&decision.freed);
        event.plan.clone_from(&decision.plan);
        event.reason.clone_from(&decision.reason);
        event.undoes = decision.undoes;
        prepared.note(event.clone(), ours.into_iter().map(|(it, _)| with_hash(it)).collect());
        event.changes.clone_from(&decision.changes);
        prepared.event = Some(event);
        prepared.counts = decision.changes.iter().any(|it| it.before.is_none() || it.after.is_none());
        prepared.ours = true;
        prepared.mark = Mark::of(view, &decision.changes);
    }
    let about = decision.iter().flat_map(|it| &it.about);
    prepared.entries = about.map(|id| (id.clone(), view.get(id))).collect();
    prepared.entries.extend(answered.iter().map(|it| (it.id.clone(), it.after.clone())));
    prepared.entries.extend(changes.iter().map(|it| (it.id.clone(), it.after.clone())));
    Ok(prepared)
}

impl Prepared {
    fn note(&mut self, event: Event, touches: Vec<Touch>) {
        self.records.push(Record::Event(Box::new(event), touches.len()));
        self.records.extend(touches.into_iter().map(|it| Record::Touch(Box::new(it))));
    }
}

/// Whether what others did was done to one of these tasks, or to the other end of an edge of theirs.
fn concerns(touch: &Touch, ids: &[TaskId]) -> bool {
    let states = || touch.before.iter().chain(&touch.after);
    let edges = || states().flat_map(|it| it.task.blocked_by.iter().chain(&it.task.blocks));
    ids.contains(&touch.id) || !ids.is_empty() && edges().any(|it| ids.contains(it))
}

/// What must be put right in files of which it is not settled anyway what will be in them.
fn repairs(looked_at: &[std::rc::Rc<Loaded>], settled: &HashSet<&TaskId>) -> Vec<Touch> {
    let others = looked_at.iter().filter(|it| !settled.contains(&it.id));
    others
        .filter_map(|it| {
            let foreign = it.foreign.clone()?;
            let after = Some(it.repair.clone()?);
            Some(Touch { before: foreign.after.clone(), after, base: it.hash, ..foreign })
        })
        .collect()
}

/// The lines for our changes, and for the tasks whose files speak of a changed one.
fn touches(view: &View<'_>, changes: &[Change]) -> Vec<(Touch, bool)> {
    let mut touches: Vec<(Touch, bool)> = Vec::new();
    let mut touched: HashSet<TaskId> = changes.iter().map(|it| it.id.clone()).collect();
    for change in changes {
        let loaded = view.load(&change.id);
        touches.push((
            Touch {
                id: change.id.clone(),
                at: view.now,
                before: change.before.clone(),
                after: change.after.clone(),
                base: loaded.as_ref().and_then(|it| it.hash),
                hash: None,
                implied: Vec::new(),
                recent: recent(view, change, loaded.as_deref()),
            },
            false,
        ));
    }
    if view.files.format.shape().ripples {
        for id in changes.iter().filter(|it| it.turns()).flat_map(|it| view.dependents(&it.id)) {
            if !touched.insert(id.clone()) {
                continue;
            }
            let Some(loaded) = view.load(&id).filter(|it| it.entry.is_some()) else { continue };
            let (entry, base) = (loaded.entry.clone(), loaded.hash);
            let recent = loaded.known.as_ref().map(|it| it.recent.clone()).unwrap_or_default();
            let (before, after, implied) = (entry.clone(), entry, loaded.implied.clone());
            touches
                .push((Touch { id, at: view.now, before, after, base, hash: None, implied, recent }, true));
        }
    }
    touches
}

fn recent(view: &View<'_>, change: &Change, loaded: Option<&Loaded>) -> Vec<Recent> {
    let (true, Some(before), Some(_)) = (view.files.format.shape().repairs, &change.before, &change.after)
    else {
        return Vec::new();
    };
    let new = Recent { at: view.now, fields: change.fields(), was: before.task.clone() };
    let old = loaded.and_then(|it| it.known.as_ref()).map(|it| it.recent.clone()).unwrap_or_default();
    let young = old.into_iter().filter(|it| view.now.0 - it.at.0 <= RELAPSE_MS);
    std::iter::once(new).filter(|it| !it.fields.is_empty()).chain(young).take(MOST_RECENT).collect()
}

/// The text of one file after some touches.
fn write(
    view: &View<'_>,
    name: String,
    touches: Vec<(Touch, bool)>,
    after: &HashMap<&TaskId, Option<&Entry>>,
) -> Result<Write, Error> {
    let format = view.files.format;
    let text = view.text(&name).ok_or_else(|| Error::Contended { file: name.clone() })?;
    let whole_list = format.shape().single_file.is_some();
    let lost = touches.iter().find_map(|(it, _)| it.before.as_ref().and_then(|_| text.fault(&it.id)));
    match &text.broken {
        // What is not even text, or holds the whole list, is not replaced by a write to one task.
        Some(reason) if whole_list || text.whole.is_none() => {
            return Err(Error::Unreadable { file: name, reason: reason.clone() });
        }
        None if text.blank && (lost.is_some() || view.knows_any()) => {
            return Err(Error::Unreadable { file: name, reason: "the file is empty".to_owned() });
        }
        _ => {}
    }
    if let (Some(_), Some(old)) = (&text.broken, &text.whole) {
        spare::quarantine(view.files, &name, old.as_bytes())?;
    }
    let finished = |id: &TaskId| match after.get(id) {
        Some(entry) => entry.is_some_and(|it| !it.task.is_open()),
        None => view.get(id).is_some_and(|it| !it.task.is_open()),
    };
    let puts: Vec<Put<'_>> = touches
        .iter()
        .map(|(touch, ripple)| match (&touch.after, ripple) {
            (Some(entry), false) => Put::Task(&entry.task),
            (Some(entry), true) => Put::Ripple(&entry.task),
            (None, _) => Put::Gone(&touch.id),
        })
        .collect();
    let writing = Writing { finished: &finished, now: view.now };
    let unreadable =
        |fault: crate::json::Malformed| Error::Unreadable { file: name.clone(), reason: fault.to_string() };
    let new = format.encode(text.whole.as_deref(), &puts, &writing).map_err(unreadable)?;
    let hashes: BTreeMap<TaskId, u128> = match &new {
        Some(new) => {
            understand(format, &name, new.clone()).found.into_iter().map(|it| (it.id, it.hash)).collect()
        }
        None => BTreeMap::new(),
    };
    if new.as_ref().is_some_and(|it| format.shape().single_file.is_none() && it.len() as u64 > MAX_TASK_BYTES)
    {
        return Err(Refusal::invalid("task", "would be larger than 1 MiB in its file").into());
    }
    let mut touches: Vec<Touch> = touches.into_iter().map(|(it, _)| it).collect();
    for touch in &mut touches {
        touch.hash = hashes.get(&touch.id).copied();
    }
    // The decision saw no such task: another program made it since then. What is compared is what was seen, so that all
    // is decided again, and theirs is not taken for the old text of ours.
    let is_taken = touches.iter().any(|it| it.before.is_none() && text.own(&it.id).is_some());
    let old = text.whole.clone().filter(|_| !is_taken);
    Ok(Write { name, old, new, touches })
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
    if prepared.records.is_empty() && !is_staged || log.is_none() && !prepared.ours {
        return Ok(Outcome::Done);
    }
    // A file that is not there yet cannot be locked by them; the list's lock keeps them from making it.
    let there = prepared.writes.iter().filter(|it| it.old.is_some());
    let _held = theirs::take(files, there.map(|it| it.name.clone()), prepared.counts, wait_ms)?;
    let mut spares = Spares::after(files, log.as_ref().map_or(0, |it| it.mark.seq));
    if log.is_some() && prepared.writes.len() <= FEW {
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
    log.stage(&prepared.records)?;
    log.flush()?;
    lay_down(spares, log, prepared).map_err(|error| Error::Unsettled(Box::new(error)))
}

/// The texts of a few files, before they are compared: so that between that and the exchange there is only the journal.
fn write_ahead(spares: &mut Spares<'_>, prepared: &Prepared) -> Result<(), Error> {
    for (n, write) in prepared.writes.iter().enumerate() {
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
    for (n, write) in prepared.writes.iter().enumerate() {
        let spare = spare::Name { seq, n, hash: write.old.as_deref().map_or(0, hash), file: &write.name };
        collided.extend(settle(&mut spares, &log, write, &spare)?);
    }
    if prepared.writes.iter().any(|it| it.old.is_none() != it.new.is_none()) {
        // Names that came or went must survive: afterwards a missing file is one that somebody removed.
        files.vfs.sync("").map_err(Error::io("flush", "the folder"))?;
    }
    prepared.mark.raise(&mut spares, seq, spare::MARK)?;
    log.publish()?;
    // The change is there; a journal that cannot be made shorter now will be later.
    _ = super::compact::maybe(files, log);
    Ok(if collided.is_empty() { Outcome::Done } else { Outcome::Collided(collided) })
}

/// The first file that is not any more as it was read.
fn changed(files: &Files, prepared: &Prepared) -> Result<Option<String>, Error> {
    for write in &prepared.writes {
        let now = missing(files.vfs.read(&write.name, u64::MAX)).map_err(Error::io("read", &write.name))?;
        if now.as_deref() != write.old.as_deref().map(str::as_bytes) {
            return Ok(Some(write.name.clone()));
        }
    }
    Ok(None)
}
