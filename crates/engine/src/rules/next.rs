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
    let agent = &draft.request.actor.agent;
    let suits =
        |it: &Entry| it.task.owner.as_deref().is_none_or(|owner| owner == agent) && wanted.suits(&it.task);
    let best = if reap::decide(draft).about.is_empty() {
        draft.tasks.best(&suits)
    } else {
        // What was just taken back can be the best one: only this draft knows of it.
        best(&draft.all(), &suits)
    };
    let Some(id) = best else { return Ok(Decision::default()) };
    if wanted.one_at_a_time {
        claim::idle(draft, &id)?;
    }
    let entry = draft.require(&id)?;
    let token = claim::take(draft, entry, wanted.begin, wanted.lease)?;
    Ok(Decision::about(&id).with_token(token))
}

/// The best of all tasks that could be started now and suit.
pub fn best(all: &[Arc<Entry>], suits: &dyn Fn(&Entry) -> bool) -> Option<TaskId> {
    let graph = Graph::new(all.iter().map(|it| &it.task));
    let ready = |it: &&Arc<Entry>| is_startable(it) && suits(it) && !graph.is_blocked(&it.task.id);
    let urgency = |it: &Entry| it.task.priority.unwrap_or(Priority::Medium);
    let ready: Vec<&Arc<Entry>> = all.iter().filter(ready).collect();
    let highest = ready.iter().map(|it| urgency(it)).max()?;
    // What waits for each is counted only among the most urgent: the walk is the costly part.
    let candidates: Vec<_> =
        ready.into_iter().filter(|it| urgency(it) == highest).map(|it| &it.task).collect();
    graph.urgencies(&candidates).into_iter().min().map(|(.., id)| id.clone())
}

/// Whether a task could be started as far as it itself is concerned: whatever it waits for, and whoever asks.
pub fn is_startable(entry: &Entry) -> bool {
    entry.task.status == Status::Pending
        && entry.standing.claim.is_none()
        && !entry.standing.parked
        && !entry.task.is_internal()
}
