//! Giving a task back: it is pending and nobody's again. By its claimant, or for everything that somebody held.

use super::{Decision, Holder, Refusal, ReleaseTask, draft::Draft};
use crate::{
    claim::Entry,
    task::{Status, Task},
};
use std::sync::Arc;

pub(super) fn decide(draft: &mut Draft<'_>, wanted: &ReleaseTask) -> Result<Decision, Refusal> {
    let entry = draft.require(&wanted.id)?;
    if entry.task.status == Status::Completed {
        return Err(Refusal::AlreadyResolved { id: wanted.id.clone() });
    }
    let mine = match &entry.standing.claim {
        Some(claim) => draft.is_mine(claim, wanted.token),
        None => {
            let own = entry.task.owner.as_deref() == Some(&draft.request.actor.agent);
            wanted.token.is_none() && (own || entry.standing.parked)
        }
    };
    if !mine && !wanted.force {
        let holder = entry.standing.claim.map(|it| it.by.agent).or(entry.task.owner);
        return Err(Refusal::StaleToken { id: wanted.id.clone(), holder });
    }
    draft.put(given_back(entry));
    Ok(Decision { reason: wanted.reason.clone(), ..Decision::about(&wanted.id) })
}

/// What a shutdown does: every open task of the holder loses its owner and is pending again.
pub(super) fn decide_all(draft: &mut Draft<'_>, holder: &Holder) -> Decision {
    let held = |it: &Arc<Entry>| {
        it.task.is_open()
            && match (&it.standing.claim, holder) {
                (Some(claim), Holder::Session(session)) => claim.by.is_within(session),
                (Some(claim), Holder::Agent(agent)) => claim.by.agent == *agent,
                (None, Holder::Agent(agent)) => it.task.owner.as_deref() == Some(agent),
                (None, Holder::Session(_)) => false,
            }
    };
    let held: Vec<Entry> = draft.all().into_iter().filter(held).map(Arc::unwrap_or_clone).collect();
    let about = held.iter().map(|it| it.task.id.clone()).collect();
    for entry in held {
        draft.put(given_back(entry));
    }
    Decision { about, ..Decision::default() }
}

pub(super) fn given_back(mut entry: Entry) -> Entry {
    to_pending(&mut entry.task);
    entry.standing.clear();
    entry
}

/// Nobody's and not begun.
pub(super) fn to_pending(task: &mut Task) {
    task.owner = None;
    task.status = Status::Pending;
}
