//! Choosing and taking the best ready task in one step. An empty answer is not a refusal: nothing is ready.
//!
//! Best is: highest priority, then the one that most others wait for, then the oldest.

use super::{Decision, NextTask, Outline, Refusal, claim, draft::Draft, reap};
use crate::{
    claim::Entry,
    graph::{Graph, Web, urgency},
    id::TaskId,
    task::Priority,
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
    let web = graph.web();
    let is_ready =
        |place: usize, it: &Entry| Outline::of(it).is_startable() && suits(it) && !web.waits(place);
    let ready = all.iter().enumerate().filter(|(place, it)| is_ready(*place, it));
    chosen(web, ready.map(|(place, it)| (place, it.clone())).collect())
}

/// The best of some tasks that are ready, each with its place.
pub(crate) fn chosen(web: &Web, mut ready: Vec<(usize, Arc<Entry>)>) -> Option<TaskId> {
    let priority = |it: &Entry| it.task.priority.unwrap_or(Priority::Medium);
    let highest = ready.iter().map(|(_, it)| priority(it)).max()?;
    // What waits for each is counted only among the most urgent: the walk is the costly part.
    ready.retain(|(_, it)| priority(it) == highest);
    let places: Vec<usize> = ready.iter().map(|(place, _)| *place).collect();
    let urgencies = web.all_unblock(&places).into_iter().zip(&ready);
    let best = urgencies.map(|(unblocks, (_, it))| urgency(&it.task, unblocks)).min();
    best.map(|(.., id)| id.clone())
}
