//! Taking tasks over from elsewhere, all or none. They keep what they are, also their times; ids that are taken or
//! do not suit this list are given anew and remembered.

use super::{Decision, PlanNote, Refusal, draft::Draft};
use crate::{claim::Entry, graph::Graph, id::TaskId, task::Task};
use std::collections::{HashMap, HashSet};

pub(super) fn decide(draft: &mut Draft<'_>, tasks: &[Task]) -> Result<Decision, Refusal> {
    if tasks.is_empty() {
        return Err(Refusal::invalid("tasks", "of an import may not be empty"));
    }
    let names = names(draft, tasks)?;
    for task in tasks {
        super::edit::check_subject(&task.subject)?;
        let mut new = task.renamed(&names);
        if new.id != task.id {
            new.imported_from.get_or_insert_with(|| task.id.to_string());
        }
        no_strangers(draft, &names, task)?;
        draft.put(Entry::new(new));
    }
    let ids: Vec<TaskId> = tasks.iter().map(|it| names[&it.id].clone()).collect();
    both_ends(draft, &ids);
    no_cycle(draft, &ids)?;
    let note = tasks.iter().map(|it| (it.id.to_string(), names[&it.id].clone()));
    let plan = Some(PlanNote { key: None, names: note.collect() });
    Ok(Decision { about: ids, plan, ..Decision::default() })
}

/// The id that each task will have here.
fn names(draft: &Draft<'_>, tasks: &[Task]) -> Result<HashMap<TaskId, TaskId>, Refusal> {
    let mut names = HashMap::new();
    let mut homeless = Vec::new();
    let mut seen = HashSet::new();
    for task in tasks {
        if !seen.insert(&task.id) {
            return Err(Refusal::Exists { id: task.id.clone() });
        }
        if draft.tasks.fits(&task.id) && draft.get(&task.id).is_none() {
            names.insert(task.id.clone(), task.id.clone());
        } else {
            homeless.push(task.id.clone());
        }
    }
    if homeless.is_empty() {
        return Ok(names);
    }
    // Fresh ids know of the list, not of what comes in at the same time.
    let fresh = draft.tasks.fresh_ids(homeless.len() + names.len());
    let free: Vec<TaskId> = fresh.into_iter().filter(|it| !names.contains_key(it)).collect();
    names.extend(homeless.into_iter().zip(free));
    Ok(names)
}

/// Edges and parents must be among what comes in, or be there.
fn no_strangers(draft: &Draft<'_>, names: &HashMap<TaskId, TaskId>, task: &Task) -> Result<(), Refusal> {
    let mut others = task.blocked_by.iter().chain(&task.blocks).chain(&task.parent);
    match others.find(|it| !names.contains_key(*it) && draft.get(it).is_none()) {
        Some(id) => Err(Refusal::NotFound { id: id.clone() }),
        None => Ok(()),
    }
}

/// An edge that one end names stands on both.
fn both_ends(draft: &mut Draft<'_>, ids: &[TaskId]) {
    for id in ids {
        let Some(entry) = draft.get(id) else { continue };
        for blocker in &entry.task.blocked_by {
            super::edges::set(draft, blocker, id);
        }
        for dependent in &entry.task.blocks {
            super::edges::set(draft, id, dependent);
        }
    }
}

fn no_cycle(draft: &Draft<'_>, ids: &[TaskId]) -> Result<(), Refusal> {
    let new: HashSet<&TaskId> = ids.iter().collect();
    let all = draft.all();
    match Graph::new(all.iter().map(|it| &it.task)).cycle() {
        // A circle that was there before is nobody's mistake now.
        Some(path) if path.iter().any(|id| new.contains(*id)) => {
            Err(Refusal::Cycle { path: path.into_iter().cloned().collect() })
        }
        _ => Ok(()),
    }
}
