//! From a decision to all that writing it takes: which files get which texts, and what the journal is told. Nothing is written.

mod touches;
mod write;

use super::{
    foreign::Loaded,
    mark::Mark,
    record::{Record, Touch},
    view::View,
};
use crate::{
    claim::Entry,
    event::{ADOPTED, Event, Origin},
    id::TaskId,
    rules::{Decision, Refusal, Request, Tasks},
    store::Error,
};
use foldhash::{HashMap, HashSet};
use std::{collections::BTreeMap, sync::Arc};
use touches::{repairs, touches};
pub(super) use write::Write;
use write::write;

/// So many tasks of a foreign change go into one event: a line in the journal should stay small.
const FOREIGN_AT_ONCE: usize = 64;

/// All that one commit will do.
#[derive(Default)]
pub(super) struct Prepared {
    records: Vec<Record>,
    writes: Vec<Write>,
    /// Our own event.
    pub(super) event: Option<Event>,
    entries: HashMap<TaskId, Option<Arc<Entry>>>,
    /// Whether tasks come or go: by what is there others tell which id is free.
    pub(super) counts: bool,
    /// Whether there is something that only the existing journal need be told.
    pub(super) ours: bool,
    /// What it means for the number that others count on from.
    pub(super) mark: Mark,
    /// The files in which nothing is done but putting right what others laid over ours.
    repaired: HashSet<String>,
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
    pub(super) fn about(&self, decision: &Decision) -> Vec<Arc<Entry>> {
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
        changes.iter().map(|it| (&it.id, it.after.as_deref())).collect();
    let mut hashes: HashMap<TaskId, Option<u128>> = HashMap::default();
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
