//! Taking tasks back from claimants that are gone. After three lost leases a task is parked for a person.

use super::{Decision, draft::Draft, release};
use crate::{
    claim::{Entry, MAX_LOST},
    id::TaskId,
};
use std::sync::Arc;

pub(super) fn decide(draft: &mut Draft<'_>) -> Decision {
    let lost = draft.tasks.lapsed().into_iter().filter(|it| is_lost(draft, it));
    let lost: Vec<Entry> = lost.map(Arc::unwrap_or_clone).collect();
    let about = lost.iter().map(|it| it.task.id.clone()).collect();
    for entry in lost {
        draft.put(taken_back(entry));
    }
    Decision { about, ..Decision::default() }
}

/// The same for one task, before it is claimed.
pub(super) fn one(draft: &mut Draft<'_>, id: &TaskId) {
    if let Some(entry) = draft.get(id).filter(|it| is_lost(draft, it)) {
        draft.put(taken_back(Arc::unwrap_or_clone(entry)));
    }
}

fn is_lost(draft: &Draft<'_>, entry: &Entry) -> bool {
    entry.standing.claim.as_ref().is_some_and(|it| !draft.tasks.life(it).is_alive())
}

fn taken_back(mut entry: Entry) -> Entry {
    if entry.task.is_open() {
        release::to_pending(&mut entry.task);
    }
    entry.standing.claim = None;
    entry.standing.lost += 1;
    entry.standing.parked = entry.standing.lost >= MAX_LOST;
    entry
}
