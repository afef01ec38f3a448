//! Making many tasks at once: names of the plan become ids, and either all of it happens or none.

use super::{Decision, Plan, PlanNote, Refusal, create, draft::Draft, edges};
use crate::{graph::Graph, id::TaskId};
use std::collections::{HashMap, HashSet};

pub(super) fn decide(draft: &mut Draft<'_>, plan: &Plan) -> Result<Decision, Refusal> {
    // A plan that was taken back is remembered without names.
    let done = plan.key.as_ref().and_then(|key| draft.tasks.planned(key));
    if let Some(done) = done.filter(|it| !it.names.is_empty()) {
        let about =
            done.names.iter().map(|(_, id)| id.clone()).filter(|id| draft.get(id).is_some()).collect();
        return Ok(Decision { about, plan: Some(done), ..Decision::default() });
    }
    if plan.tasks.is_empty() {
        return Err(Refusal::invalid("tasks", "of a plan may not be empty"));
    }
    let ids = draft.tasks.fresh_ids(plan.tasks.len());
    let names = names_of(plan, &ids)?;
    for (task, id) in plan.tasks.iter().zip(&ids) {
        create::make(draft, id.clone(), &task.task)?;
    }
    for (task, id) in plan.tasks.iter().zip(&ids) {
        for name in &task.after {
            link(draft, &resolved(&names, name)?, id)?;
        }
        for blocker in &task.task.blocked_by {
            link(draft, blocker, id)?;
        }
    }
    no_cycle(draft, &ids)?;
    for (task, id) in plan.tasks.iter().zip(&ids) {
        if let Some(parent) = &task.parent {
            join(draft, &resolved(&names, parent)?, id)?;
        }
    }
    if plan.tasks.iter().any(|it| it.parent.is_some()) {
        no_part_of_itself(draft, &ids)?;
    }
    // Edges onto older tasks can close a circle with older tasks: these take the careful way.
    for (task, id) in plan.tasks.iter().zip(&ids) {
        for dependent in &task.task.blocks {
            edges::add(draft, id, dependent, false)?;
        }
    }
    let position = |n: usize| (n + 1).to_string();
    let named = plan.tasks.iter().enumerate().map(|(n, it)| it.name.clone().unwrap_or_else(|| position(n)));
    let note = PlanNote { key: plan.key.clone(), names: named.zip(ids.iter().cloned()).collect() };
    Ok(Decision { about: ids, plan: Some(note), ..Decision::default() })
}

/// What the names of a plan stand for.
fn names_of<'a>(plan: &'a Plan, ids: &'a [TaskId]) -> Result<HashMap<&'a str, &'a TaskId>, Refusal> {
    let mut names: HashMap<&str, &TaskId> = HashMap::new();
    for (task, id) in plan.tasks.iter().zip(ids) {
        if let Some(name) = &task.name
            && names.insert(name, id).is_some()
        {
            return Err(Refusal::Invalid {
                field: "name".into(),
                reason: format!("`{name}` is given twice"),
            });
        }
    }
    Ok(names)
}

/// A name of the plan, or else the id of a task.
fn resolved(names: &HashMap<&str, &TaskId>, name: &str) -> Result<TaskId, Refusal> {
    match names.get(name) {
        Some(id) => Ok((*id).clone()),
        None => TaskId::typed(name).ok_or_else(|| Refusal::NotFound { id: TaskId::found(name) }),
    }
}

fn link(draft: &mut Draft<'_>, blocker: &TaskId, id: &TaskId) -> Result<(), Refusal> {
    if blocker == id {
        return Err(Refusal::SelfEdge { id: id.clone() });
    }
    if !draft.has(blocker) {
        return Err(Refusal::NotFound { id: blocker.clone() });
    }
    edges::set(draft, blocker, id);
    Ok(())
}

fn join(draft: &mut Draft<'_>, parent: &TaskId, id: &TaskId) -> Result<(), Refusal> {
    draft.require(parent)?;
    let mut entry = draft.require(id)?;
    entry.task.parent = Some(parent.clone());
    draft.put(entry);
    Ok(())
}

/// Looks once all parents are set, and up every way only once: a chain of parts may be as long as the plan.
fn no_part_of_itself(draft: &Draft<'_>, ids: &[TaskId]) -> Result<(), Refusal> {
    let mut sound: HashSet<TaskId> = HashSet::new();
    for id in ids {
        let mut way: HashSet<TaskId> = HashSet::new();
        let mut above = Some(id.clone());
        while let Some(id) = above.filter(|it| !sound.contains(it)) {
            above = draft.get(&id).and_then(|it| it.task.parent.clone());
            if !way.insert(id) {
                return Err(Refusal::invalid("parent", "may not be the task itself or a part of it"));
            }
        }
        sound.extend(way);
    }
    Ok(())
}

/// New tasks wait for each other in circles among themselves; or, if they wait for older ones, through an older one
/// that named an id before it was given.
fn no_cycle(draft: &Draft<'_>, ids: &[TaskId]) -> Result<(), Refusal> {
    let new: Vec<_> = ids.iter().filter_map(|id| draft.get(id)).collect();
    let known: HashSet<&TaskId> = ids.iter().collect();
    let waits_for_older = new.iter().any(|it| it.task.blocked_by.iter().any(|id| !known.contains(id)));
    let all = if waits_for_older { draft.all() } else { new };
    match Graph::new(all.iter().map(|it| &it.task)).cycle() {
        // A circle that was there before is nobody's mistake now.
        Some(path) if path.iter().any(|id| known.contains(*id)) => {
            Err(Refusal::Cycle { path: path.into_iter().cloned().collect() })
        }
        _ => Ok(()),
    }
}
