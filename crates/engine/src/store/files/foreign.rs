//! What others did to a task since we last looked: adopted as it is, except where it is known to be a relapse.
//! Not the writing of it: that is the commit's.

use super::{edges::Edges, record::Touch, text::Own};
use crate::{
    claim::{Entry, Standing},
    format::Format,
    id::TaskId,
    task::{Field, Status, Task},
    time::Time,
};
use std::{collections::HashSet, sync::Arc};

/// Within this time after a write of ours, an older state that comes back is another program's stale copy.
pub(super) const RELAPSE_MS: i64 = 30_000;

/// One task as it stands, and what the journal must be told about it.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) id: TaskId,
    pub(super) entry: Option<Arc<Entry>>,
    /// The hash of its bytes in the file.
    pub(super) hash: Option<u128>,
    pub(super) known: Option<Touch>,
    /// What others did.
    pub(super) foreign: Option<Touch>,
    /// What of that must be put right in the file.
    pub(super) repair: Option<Arc<Entry>>,
    pub(super) implied: Vec<TaskId>,
}

impl Loaded {
    /// Whether there is something that the journal does not know yet.
    pub(super) fn is_news(&self) -> bool {
        self.foreign.is_some() || self.repair.is_some()
    }

    /// A task whose file cannot be read, as the journal last knew it.
    pub(super) fn from_journal(id: &TaskId, known: Touch) -> Loaded {
        let (entry, hash) = (known.after.clone(), known.hash);
        Loaded {
            id: id.clone(),
            entry,
            hash,
            known: Some(known),
            foreign: None,
            repair: None,
            implied: Vec::new(),
        }
    }
}

/// Puts together what the file says, what the neighbours say and what the journal knows.
pub(super) fn combine(
    format: &dyn Format,
    id: &TaskId,
    own: Option<&Own>,
    known: Option<Touch>,
    edges: &Edges,
    now: Time,
) -> Loaded {
    let hash = own.map(|it| it.hash);
    let before = known.as_ref().and_then(|it| it.after.clone());
    let unchanged = hash.is_some() && known.as_ref().is_some_and(|it| it.hash == hash);
    let implied = if format.shape().has_blocks {
        implied(edges, before.as_deref().filter(|_| unchanged), known.as_ref())
    } else {
        Vec::new()
    };
    let found = own.map(|own| {
        let task = match &before {
            Some(before) if unchanged => with_edges(before.task.clone(), own, edges, &before.task),
            Some(before) => {
                with_edges(carried_over(format, &own.task, &before.task), own, edges, &before.task)
            }
            None => with_edges(own.task.clone(), own, edges, &own.task),
        };
        Arc::new(Entry { standing: standing(before.as_deref(), known.as_ref(), &task), task })
    });
    let repair = match (&found, &known) {
        (Some(found), Some(known)) if !unchanged && format.shape().repairs => {
            repaired(found, known, now).map(Arc::new)
        }
        _ => None,
    };
    let told = before == found
        && known
            .as_ref()
            .map_or(hash.is_none(), |it| it.hash == hash || it.after.is_none() && hash.is_none());
    let foreign = (!told).then(|| Touch {
        id: id.clone(),
        at: now,
        base: known.as_ref().and_then(|it| it.hash),
        hash,
        implied: implied.clone(),
        recent: known.as_ref().map(|it| it.recent.clone()).unwrap_or_default(),
        before,
        after: found.clone(),
    });
    let entry = repair.clone().or(found);
    Loaded { id: id.clone(), entry, hash, known, foreign, repair, implied }
}

/// The neighbours whose word alone makes an edge of ours.
fn implied(edges: &Edges, trusted: Option<&Entry>, known: Option<&Touch>) -> Vec<TaskId> {
    let old = |id: &TaskId| {
        trusted.is_some_and(|it| it.task.blocked_by.contains(id) || it.task.blocks.contains(id))
            && known.is_none_or(|it| !it.implied.contains(id))
    };
    let mut implied: Vec<TaskId> =
        edges.blocked_by.iter().chain(&edges.blocks).filter(|id| !old(id)).cloned().collect();
    implied.sort_unstable();
    implied.dedup();
    implied
}

/// What the file cannot say stays as it was.
fn carried_over(format: &dyn Format, own: &Task, before: &Task) -> Task {
    let mut task = own.clone();
    for field in Field::ALL.into_iter().filter(|it| !format.shape().carries(*it)) {
        task.adopt(field, before);
    }
    task
}

fn with_edges(mut task: Task, own: &Own, edges: &Edges, before: &Task) -> Task {
    task.blocked_by = joined(&own.task.blocked_by, &edges.blocked_by);
    task.blocks = joined(&own.task.blocks, &edges.blocks);
    // The same edges in another order are the same edges.
    for field in [Field::BlockedBy, Field::Blocks] {
        if task.agrees(before, field) {
            task.adopt(field, before);
        }
    }
    task
}

fn joined(own: &[TaskId], others: &[TaskId]) -> Vec<TaskId> {
    let known: HashSet<&TaskId> = own.iter().collect();
    own.iter().chain(others.iter().filter(|it| !known.contains(it))).cloned().collect()
}

/// Whether the journal's word on a task is the last: a completed task that still has a claim is one that others completed.
pub(super) fn is_last_word(entry: &Entry) -> bool {
    standing(Some(entry), None, &entry.task) == entry.standing
}

/// Whoever completes a task outside ends its claim; whatever else they write, the claim stands.
fn standing(before: Option<&Entry>, known: Option<&Touch>, task: &Task) -> Standing {
    let old = before.or(known.and_then(|it| it.before.as_deref()));
    let mut standing = old.map(|it| it.standing.clone()).unwrap_or_default();
    if before.is_none() || task.status == Status::Completed {
        standing.clear();
    }
    if before.is_none() || task.status != Status::Completed {
        standing.evidence = None;
    }
    standing
}

/// Fields that fell back to what a recent write of ours replaced are put right.
fn repaired(found: &Entry, known: &Touch, now: Time) -> Option<Entry> {
    let ours = known.after.as_ref()?;
    let mut entry = found.clone();
    let recent = known.recent.iter().filter(|it| now.0 - it.at.0 <= RELAPSE_MS);
    for (field, was) in recent.flat_map(|it| it.fields.iter().map(move |field| (*field, &it.was))) {
        if field != Field::UpdatedAt && found.task.agrees(was, field) && !found.task.agrees(&ours.task, field)
        {
            entry.task.adopt(field, &ours.task);
        }
    }
    if entry == *found {
        return None;
    }
    entry.standing = ours.standing.clone();
    Some(entry)
}
