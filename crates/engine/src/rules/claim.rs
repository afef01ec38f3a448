//! Taking a task: exists, open, nobody's, nothing to wait for; then it is the caller's, by a new number.

use super::{Begin, ClaimTask, Decision, Refusal, draft::Draft, heartbeat, reap};
use crate::{
    claim::{Claim, DEFAULT_LEASE, Entry},
    id::TaskId,
    task::Status,
};
use std::sync::Arc;

pub(super) fn decide(draft: &mut Draft<'_>, wanted: &ClaimTask) -> Result<Decision, Refusal> {
    reap::one(draft, &wanted.id);
    let entry = draft.require(&wanted.id)?;
    if entry.task.status == Status::Completed {
        return Err(Refusal::AlreadyResolved { id: wanted.id.clone() });
    }
    if let Some(claim) = &entry.standing.claim {
        if wanted.resume && claim.by.session == draft.request.actor.session {
            return resume(draft, entry.clone(), wanted, claim.token);
        }
        if !wanted.force {
            return Err(draft.claimed(&wanted.id, claim));
        }
    } else if !wanted.force {
        unheld(draft, &entry)?;
    }
    if wanted.one_at_a_time {
        idle(draft, &wanted.id)?;
    }
    let token = take(draft, entry, wanted.begin, wanted.lease)?;
    Ok(Decision::about(&wanted.id).with_token(token))
}

/// Makes a task the caller's. Whether it may be taken was asked before; whether it may start is asked here.
pub(super) fn take(
    draft: &mut Draft<'_>,
    mut entry: Entry,
    begin: Begin,
    lease: Option<i64>,
) -> Result<u64, Refusal> {
    draft.unblocked(&entry.task)?;
    let lease = lease.unwrap_or(DEFAULT_LEASE);
    if lease <= 0 {
        return Err(Refusal::invalid("lease", "must be longer than nothing"));
    }
    let token = draft.tasks.next_token();
    let by = draft.request.actor.clone();
    entry.task.owner = Some(by.agent.clone());
    if begin == Begin::Now {
        entry.task.status = Status::InProgress;
    }
    entry.standing.fence = token;
    entry.standing.parked = false;
    entry.standing.claim = Some(Box::new(Claim { token, by, since: draft.request.now, lease }));
    draft.put(entry);
    Ok(token)
}

/// The claim that the session has already: perhaps started only now, perhaps with another lease from now on.
fn resume(
    draft: &mut Draft<'_>,
    mut entry: Entry,
    wanted: &ClaimTask,
    token: u64,
) -> Result<Decision, Refusal> {
    if wanted.begin == Begin::Now && entry.task.status == Status::Pending {
        draft.unblocked(&entry.task)?;
        entry.task.status = Status::InProgress;
    }
    draft.put(entry);
    match wanted.lease {
        Some(_) => heartbeat::decide(draft, &wanted.id, Some(token), wanted.lease),
        None => Ok(Decision::about(&wanted.id).with_token(token)),
    }
}

/// Without a claim of ours a task can still be parked, or be somebody's who writes the file without us.
fn unheld(draft: &Draft<'_>, entry: &Entry) -> Result<(), Refusal> {
    let id = entry.task.id.clone();
    if entry.standing.parked {
        return Err(Refusal::Parked { id, lost: entry.standing.lost, failed: entry.standing.failed });
    }
    let mine = entry.task.owner.as_deref() == Some(&draft.request.actor.agent);
    if !mine && (entry.task.owner.is_some() || entry.task.status == Status::InProgress) {
        return Err(Refusal::AlreadyClaimed { id, by: entry.task.owner.clone(), until: None, mine: false });
    }
    Ok(())
}

/// Refuses if the agent has another open task.
pub(super) fn idle(draft: &Draft<'_>, wanted: &TaskId) -> Result<(), Refusal> {
    let agent = &draft.request.actor.agent;
    let busy = |it: &Arc<Entry>| {
        it.task.id != *wanted
            && it.task.is_open()
            && match &it.standing.claim {
                Some(claim) => claim.by.agent == *agent && draft.tasks.life(claim).is_alive(),
                None => it.task.owner.as_deref() == Some(agent),
            }
    };
    let with: Vec<TaskId> = draft.all().into_iter().filter(busy).map(|it| it.task.id.clone()).collect();
    if with.is_empty() { Ok(()) } else { Err(Refusal::AgentBusy { agent: agent.clone(), with }) }
}
