//! Taking back an earlier event, by whomever: what it changed must still stand as it left it, field by field.
//!
//! A claim is never brought back: its number has passed. What it held comes back as pending.

use super::{Change, Decision, PlanNote, Refusal, draft::Draft, release};
use crate::{
    claim::{Entry, Standing},
    event::Event,
    graph::Graph,
    task::{Field, Status},
};
use std::sync::Arc;

pub(super) fn decide(draft: &mut Draft<'_>, event: &Event) -> Result<Decision, Refusal> {
    for change in &event.changes {
        let entry = undone(draft, change)?;
        match entry {
            Some(entry) => draft.put(entry),
            None => draft.remove(&change.id),
        }
    }
    check_edges(draft, event)?;
    let plan = event.plan.as_ref().map(|it| PlanNote { key: it.key.clone(), names: Vec::new() });
    Ok(Decision {
        plan,
        undoes: Some(event.seq),
        about: event.changes.iter().map(|it| it.id.clone()).collect(),
        ..Decision::default()
    })
}

fn undone(draft: &Draft<'_>, change: &Change) -> Result<Option<Entry>, Refusal> {
    let id = &change.id;
    match (&change.before, &change.after, draft.get(id)) {
        // It was made: it goes, unless it has become something else since.
        (None, Some(after), Some(now)) => {
            let since = since(&now, after, &Field::ALL);
            if since.is_empty() {
                Ok(None)
            } else {
                Err(Refusal::ChangedSince { id: id.clone(), fields: since })
            }
        }
        (None, _, None) => Ok(None),
        // It was removed: it comes back, unless its id lives again.
        (Some(_), None, Some(_)) => Err(Refusal::Exists { id: id.clone() }),
        (Some(before), None, None) => Ok(Some(without_claim(Entry::clone(before), draft))),
        (Some(before), Some(after), Some(now)) => {
            let mut now = Arc::unwrap_or_clone(now);
            let fields = change.fields();
            let since = since(&now, after, &fields);
            if !since.is_empty() {
                return Err(Refusal::ChangedSince { id: id.clone(), fields: since });
            }
            for field in fields {
                now.task.adopt(field, &before.task);
            }
            if after.standing.claim != before.standing.claim && now.standing.claim == after.standing.claim {
                now.standing.claim = None;
            }
            let counts = |it: &Standing| (it.lost, it.failed, it.parked, it.evidence.clone());
            if counts(&before.standing) != counts(&after.standing) {
                let counted = counts(&before.standing);
                let is = &mut now.standing;
                (is.lost, is.failed, is.parked, is.evidence) = counted;
            }
            Ok(Some(without_claim(now, draft)))
        }
        (Some(_), Some(_), None) => Err(Refusal::NotFound { id: id.clone() }),
        (None, None, Some(now)) => Ok(Some(Arc::unwrap_or_clone(now))),
    }
}

/// The fields that are not any more as the event left them. The time of the last change is bound to differ.
fn since(now: &Entry, after: &Entry, fields: &[Field]) -> Vec<String> {
    let kept = |field: &&Field| **field != Field::UpdatedAt && !now.task.agrees(&after.task, **field);
    let mut names: Vec<String> = fields.iter().filter(kept).map(|it| it.name().to_owned()).collect();
    if now.standing.claim.is_some() && now.standing.claim != after.standing.claim {
        names.push("claim".to_owned());
    }
    names
}

fn without_claim(mut entry: Entry, draft: &Draft<'_>) -> Entry {
    let live = draft.get(&entry.task.id).and_then(|it| it.standing.claim.clone());
    if entry.standing.claim != live {
        entry.standing = Standing { claim: None, ..entry.standing };
    }
    if entry.standing.claim.is_none() && entry.task.status == Status::InProgress {
        release::to_pending(&mut entry.task);
    }
    entry
}

/// Edges that come back must lead to tasks that still are there, and may not close a circle.
fn check_edges(draft: &Draft<'_>, event: &Event) -> Result<(), Refusal> {
    let mut back = event.changes.iter().filter_map(|it| draft.get(&it.id)).filter(|entry| {
        let before = draft.tasks.get(&entry.task.id).map(|it| it.task.blocked_by.clone()).unwrap_or_default();
        entry.task.blocked_by.iter().any(|it| !before.contains(it))
    });
    if back.next().is_none() {
        return Ok(());
    }
    let (all, old) = (draft.all(), draft.tasks.all());
    match Graph::new(all.iter().map(|it| &it.task)).cycle() {
        Some(path) if Graph::new(old.iter().map(|it| &it.task)).cycle().is_none() => {
            Err(Refusal::Cycle { path: path.into_iter().cloned().collect() })
        }
        _ => Ok(()),
    }
}
