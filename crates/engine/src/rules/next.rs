//! Choosing and taking the best ready task in one step. An empty answer is not a refusal: nothing is ready.
//!
//! Best is: highest priority, then the one that most others wait for, then the oldest.

use super::{Decision, NextTask, Refusal, claim, draft::Draft, reap};
use crate::{
    claim::Entry,
    graph::Graph,
    id::TaskId,
    task::{Priority, Status},
};
use std::sync::Arc;

pub(super) fn decide(draft: &mut Draft<'_>, wanted: &NextTask) -> Result<Decision, Refusal> {
    reap::decide(draft);
    let all = draft.all();
    let Some(id) = best(&all, wanted, &draft.request.actor.agent) else {
        return Ok(Decision::default());
    };
    if wanted.one_at_a_time {
        claim::idle(draft, &id)?;
    }
    let entry = draft.require(&id)?;
    let token = claim::take(draft, entry, wanted.begin, wanted.lease)?;
    Ok(Decision::about(&id).with_token(token))
}

fn best(all: &[Arc<Entry>], wanted: &NextTask, agent: &str) -> Option<TaskId> {
    let graph = Graph::new(all.iter().map(|it| &it.task));
    let suits = |it: &&Arc<Entry>| {
        it.task.status == Status::Pending
            && it.standing.claim.is_none()
            && !it.standing.parked
            && !it.task.is_internal()
            && it.task.owner.as_deref().is_none_or(|owner| owner == agent)
            && wanted.suits(&it.task)
            && !graph.is_blocked(&it.task.id)
    };
    let urgency = |it: &Entry| it.task.priority.unwrap_or(Priority::Medium);
    let ready: Vec<&Arc<Entry>> = all.iter().filter(suits).collect();
    let highest = ready.iter().map(|it| urgency(it)).max()?;
    // What waits for each is counted only among the most urgent: the walk is the costly part.
    let candidates: Vec<_> =
        ready.into_iter().filter(|it| urgency(it) == highest).map(|it| &it.task).collect();
    graph.urgencies(&candidates).into_iter().min().map(|(.., id)| id.clone())
}
