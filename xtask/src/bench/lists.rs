//! Lists to measure in: N tasks with 2N edges and texts as people write them, in the default format. Not kept: they are
//! made for a run and removed after it.

use super::text::Author;
use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
};
use worklist::{
    Actor, Command, NewTask, Options, TaskId, TaskList,
    plan::MAX_TASKS,
    rules::{Plan, PlanTask},
};

/// One task of so many waits for nothing.
const ROOTS: usize = 10;

/// A list on disk.
pub(super) struct List {
    pub(super) folder: PathBuf,
    pub(super) size: usize,
    /// The tasks that can be claimed from the start.
    pub(super) free: Vec<TaskId>,
    /// The file of each task.
    pub(super) files: Vec<String>,
}

impl List {
    pub(super) fn make(folder: &Path, size: usize) -> io::Result<List> {
        let options = Options { format: Some("claude".to_owned()), ..Options::default() };
        let list = TaskList::create(folder, &options).map_err(io::Error::other)?;
        let mut ids: Vec<TaskId> = Vec::new();
        for mut part in parts(&plan(size)) {
            // What is there already is called by its id.
            for name in part.tasks.iter_mut().flat_map(|it| &mut it.after) {
                let id = name[1..].parse::<usize>().ok().and_then(|it| ids.get(it));
                if let Some(id) = id {
                    *name = id.to_string();
                }
            }
            let made = list.run(&actor(), &Command::Plan(part)).map_err(io::Error::other)?;
            ids.extend(made.decision.about);
        }
        let files = ids.iter().map(|it| format!("{it}.json")).collect();
        let free = ids.into_iter().take(roots(size)).collect();
        flush(folder)?;
        Ok(List { folder: folder.to_owned(), size, free, files })
    }

    /// A free task; another one in each round.
    pub(super) fn id(&self, round: usize) -> &str {
        self.free[round % self.free.len()].as_str()
    }
}

/// Waits until everything is on the disk: a flush that is measured shall not wait for the files of a list that was just made.
pub(super) fn flush(folder: &Path) -> io::Result<()> {
    Ok(rustix::fs::syncfs(File::open(folder)?)?)
}

pub(super) fn actor() -> Actor {
    Actor::new("bench", "bench")
}

/// N tasks, each but the first ones behind some that stand before it, 2N edges in all.
pub(super) fn plan(size: usize) -> Plan {
    let mut author = Author::new(20);
    let mut tasks: Vec<PlanTask> = (0..size).map(|n| planned(&mut author, n)).collect();
    let roots = roots(size);
    let waiting = size - roots;
    for edge in 0..2 * size {
        let task = roots + edge % waiting;
        let mut blocker = author.below(task);
        // The earliest have few before them: the next one that it does not wait for yet.
        while tasks[task].after.contains(&blocker.to_string()) {
            blocker = (blocker + 1) % task;
        }
        tasks[task].after.push(blocker.to_string());
    }
    for task in &mut tasks {
        for name in &mut task.after {
            name.insert(0, 't');
        }
    }
    Plan { key: None, tasks }
}

/// A plan as several, none of which is longer than one may be.
fn parts(plan: &Plan) -> impl Iterator<Item = Plan> {
    plan.tasks.chunks(MAX_TASKS).map(|tasks| Plan { key: None, tasks: tasks.to_vec() })
}

fn planned(author: &mut Author, n: usize) -> PlanTask {
    let (subject, description) = (author.subject(), author.description());
    let task = NewTask { subject, description, ..NewTask::default() };
    PlanTask { name: Some(format!("t{n}")), task, ..PlanTask::default() }
}

fn roots(size: usize) -> usize {
    size.div_ceil(ROOTS).max(4).min(size - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_twice_as_many_edges_as_tasks() {
        for size in [20, 100, 1_000] {
            let plan = plan(size);
            assert_eq!(plan.tasks.len(), size);
            assert_eq!(plan.tasks.iter().map(|it| it.after.len()).sum::<usize>(), 2 * size);
            assert!(plan.tasks.iter().take(roots(size)).all(|it| it.after.is_empty()));
        }
    }

    #[test]
    fn it_lies_on_disk_as_it_says() {
        let place = tempfile::tempdir().unwrap();
        let list = List::make(&place.path().join("list"), 30).unwrap();
        assert!(list.files.iter().all(|it| list.folder.join(it).is_file()));
        assert_eq!((list.files.len(), list.free.len()), (30, 4));
        assert_eq!(list.id(0), list.id(4));
    }
}
