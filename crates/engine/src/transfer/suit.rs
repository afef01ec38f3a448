//! Making a list suit another format: ids that cannot be there are given anew, and what its files cannot show is told.

use crate::{
    format::{Format, MAX_NUMBER},
    id::TaskId,
    portable::field_to_json,
    store::Whole,
    task::{Field, Task},
};
use std::collections::{HashMap, HashSet};

/// A list that suits a format, and what became of it on the way.
#[derive(Debug)]
pub struct Suited {
    /// The list.
    pub whole: Whole,
    /// Tasks that have another id now: the old one and the new one.
    pub renamed: Vec<(TaskId, TaskId)>,
    /// Fields that the files of the format cannot show, and in how many tasks: they are kept beside the files.
    pub beside: Vec<(Field, usize)>,
}

/// Whether a task of a format can have an id.
pub fn fits(format: &dyn Format, id: &TaskId) -> bool {
    id.is_plain() && format.is_task_file(&format.file_of(id))
}

/// The list as it can be in a format.
pub fn suit(whole: &Whole, format: &dyn Format) -> Suited {
    let renamed = renamed(whole, format);
    let names: HashMap<TaskId, TaskId> = renamed.iter().cloned().collect();
    let mut suited = whole.renamed(&names);
    let old: HashMap<&TaskId, &TaskId> = renamed.iter().map(|(old, new)| (new, old)).collect();
    for entry in &mut suited.entries {
        let Some(old) = old.get(&entry.task.id) else { continue };
        if entry.task.imported_from.as_deref() == Some(entry.task.id.as_str()) {
            // It is called again what it was called at first.
            entry.task.imported_from = None;
        } else {
            entry.task.imported_from.get_or_insert_with(|| old.to_string());
        }
    }
    let numbers = suited.entries.iter().filter_map(|it| it.task.id.number());
    suited.highest = numbers.chain([whole.highest]).max().unwrap_or(0);
    let beside = Field::ALL.into_iter().filter(|it| !format.shape().carries(*it) && *it != Field::Blocks);
    let count = |field: Field| suited.entries.iter().filter(|it| says(&it.task, field)).count();
    let beside = beside.map(|it| (it, count(it))).filter(|(_, count)| *count > 0).collect();
    Suited { whole: suited, renamed, beside }
}

/// Takes edges and parents out that lead to tasks which do not come along; how many there were.
pub fn drop_strangers(tasks: &mut [Task]) -> usize {
    let known: HashSet<TaskId> = tasks.iter().map(|it| it.id.clone()).collect();
    let mut dropped = 0;
    for task in tasks {
        let before = task.blocks.len() + task.blocked_by.len() + usize::from(task.parent.is_some());
        task.blocks.retain(|it| known.contains(it));
        task.blocked_by.retain(|it| known.contains(it));
        task.parent = task.parent.take().filter(|it| known.contains(it));
        dropped += before - task.blocks.len() - task.blocked_by.len() - usize::from(task.parent.is_some());
    }
    dropped
}

fn says(task: &Task, field: Field) -> bool {
    field_to_json(task, field).is_some()
}

/// New ids for what does not fit, in the order of the list. Tasks of the past are given one too.
fn renamed(whole: &Whole, format: &dyn Format) -> Vec<(TaskId, TaskId)> {
    let living = whole.entries.iter().map(|it| &it.task.id);
    let past = whole.events.iter().flat_map(|it| it.changes.iter().map(|it| &it.id));
    let mut seen = HashSet::new();
    let (fine, odd): (Vec<&TaskId>, Vec<&TaskId>) =
        living.chain(past).filter(|it| seen.insert(*it)).partition(|it| fits(format, it));
    let mut taken: HashSet<TaskId> = fine.into_iter().cloned().collect();
    let mut number = taken.iter().filter_map(TaskId::number).max().unwrap_or(0).max(whole.highest);
    let mut renamed = returning(whole, format, &mut taken);
    for old in odd {
        let mut new = prefixed(old).filter(|it| fits(format, it) && !taken.contains(it));
        while new.is_none() {
            number += 1;
            // Formats whose ids are not numbers take one with a prefix.
            let forms = [TaskId::from(number), TaskId::found(&format!("task_{number}"))];
            new = forms.into_iter().find(|it| fits(format, it) && !taken.contains(it));
        }
        taken.extend(new.clone());
        renamed.extend(new.map(|new| (old.clone(), new)));
    }
    renamed
}

/// Tasks that an earlier move called `task_7` for want of `7`, or the other way round, and that can go back.
fn returning(whole: &Whole, format: &dyn Format, taken: &mut HashSet<TaskId>) -> Vec<(TaskId, TaskId)> {
    let mut back = Vec::new();
    for task in whole.entries.iter().map(|it| &it.task).filter(|it| fits(format, &it.id)) {
        let first = task.imported_from.as_deref().map(TaskId::found);
        let Some(first) = first.filter(|it| prefixed(it).as_ref() == Some(&task.id)) else { continue };
        if fits(format, &first) && taken.insert(first.clone()) {
            back.push((task.id.clone(), first));
        }
    }
    back
}

/// `7` for `task_7` and `task_7` for `7`: near enough to be known again.
fn prefixed(id: &TaskId) -> Option<TaskId> {
    let other = match id.as_str().strip_prefix("task_") {
        Some(rest) => TaskId::found(rest),
        None => TaskId::found(&format!("task_{id}")),
    };
    Some(other).filter(|it| it.number().is_none_or(|it| it < MAX_NUMBER))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Actor, Command, NewTask, TaskList, format::FORMATS};

    /// Through every format and back to the first: nothing is lost, and ids that are numbers are themselves again.
    #[test]
    fn round_trips() {
        let list = TaskList::in_memory();
        let ann = Actor::new("ann", "s");
        for n in 1..5_u64 {
            let blocked_by = if n > 1 { vec![TaskId::from(n - 1)] } else { vec![] };
            let new = NewTask { subject: format!("task {n}"), blocked_by, ..NewTask::default() };
            list.run(&ann, &Command::Create(new)).unwrap();
        }
        let first = list.whole().unwrap();
        for other in FORMATS {
            let away = suit(&first, other);
            assert!(away.whole.entries.iter().all(|it| fits(other, &it.task.id)), "{other:?}");
            let back = suit(&away.whole, FORMATS[0]);
            assert_eq!(back.whole.entries, first.entries, "{other:?}");
        }
    }
}
