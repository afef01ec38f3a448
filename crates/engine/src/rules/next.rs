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
use std::{cmp::Reverse, sync::Arc};

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
    let outlines = all.iter().map(|it| Outline::of(it)).enumerate();
    let ready = outlines.filter(|(place, it)| it.is_startable() && !web.waits(*place));
    chosen(web, ready.map(|(place, it)| (place, it.priority)).collect(), |place| all[place].clone(), suits)
}

/// The best of some tasks that are ready, of those that suit. Each with its place and its priority: what else is said of it is
/// asked for only where that decides.
pub(crate) fn chosen(
    web: &Web,
    mut ready: Vec<(usize, Priority)>,
    entry: impl Fn(usize) -> Arc<Entry>,
    suits: &dyn Fn(&Entry) -> bool,
) -> Option<TaskId> {
    ready.sort_by_key(|(_, priority)| Reverse(*priority));
    for alike in ready.chunk_by(|one, other| one.1 == other.1) {
        // What waits for each is counted only among the most urgent: the walk is the costly part.
        let places: Vec<usize> = alike.iter().map(|(place, _)| *place).collect();
        let mut counted: Vec<(usize, usize)> = web.all_unblock(&places).into_iter().zip(places).collect();
        counted.sort_by_key(|(unblocks, _)| Reverse(*unblocks));
        for alike in counted.chunk_by(|one, other| one.0 == other.0) {
            let entries = alike.iter().map(|(_, place)| entry(*place)).filter(|it| suits(it));
            let oldest = entries
                .min_by(|one, other| urgency(&one.task, alike[0].0).cmp(&urgency(&other.task, alike[0].0)));
            if let Some(it) = oldest {
                return Some(it.task.id.clone());
            }
        }
    }
    None
}
