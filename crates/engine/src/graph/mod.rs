//! The tasks of one list and what waits for what. Built from tasks, never stored beside them.
//!
//! Every walk is a loop: a chain of a million tasks needs heap, not stack.

mod edges;
mod order;
mod reach;
mod web;

pub use web::Web;

use crate::{
    id::TaskId,
    task::{Priority, Status, Task},
    time::Time,
};
use foldhash::HashMap;
use std::cmp::Reverse;

/// What decides which of two ready tasks is taken first: the smaller.
pub type Urgency<'a> = (Reverse<Priority>, Reverse<usize>, Option<Time>, &'a TaskId);

/// By this order ready tasks are taken: highest priority, then the one that most others wait for, then the oldest.
pub fn urgency(task: &Task, unblocks: usize) -> Urgency<'_> {
    let priority = task.priority.unwrap_or(Priority::Medium);
    (Reverse(priority), Reverse(unblocks), task.created_at, &task.id)
}

/// The dependency graph of some tasks. An edge that stands on either end is an edge.
pub struct Graph<'a> {
    tasks: Vec<&'a Task>,
    places: HashMap<&'a TaskId, usize>,
    web: Web,
    /// The ids that some tasks wait for and that no task has, by place.
    missing: HashMap<usize, Vec<&'a TaskId>>,
}

impl<'a> Graph<'a> {
    /// The graph of these tasks.
    pub fn new(tasks: impl IntoIterator<Item = &'a Task>) -> Graph<'a> {
        let tasks: Vec<&Task> = tasks.into_iter().collect();
        let places: HashMap<_, _> = tasks.iter().enumerate().map(|(place, task)| (&task.id, place)).collect();
        let (mut pairs, mut missing) = (Vec::new(), HashMap::<usize, Vec<&TaskId>>::default());
        for (place, task) in tasks.iter().enumerate() {
            for id in &task.blocked_by {
                match places.get(id) {
                    Some(blocker) => pairs.push((place, *blocker)),
                    None => missing.entry(place).or_default().push(id),
                }
            }
            let dependents = task.blocks.iter().filter_map(|id| places.get(id));
            pairs.extend(dependents.map(|it| (*it, place)));
        }
        for ids in missing.values_mut() {
            ids.sort_unstable();
            ids.dedup();
        }
        let open = tasks.iter().map(|it| it.is_open()).collect();
        let lacking = (0..tasks.len()).map(|it| missing.contains_key(&it)).collect();
        let web = Web::new(open, lacking, &pairs);
        Graph { tasks, places, web, missing }
    }

    /// What waits for what, by the order in which the tasks were given.
    pub(crate) fn web(&self) -> &Web {
        &self.web
    }

    /// The task of an id.
    pub fn task(&self, id: &TaskId) -> Option<&'a Task> {
        Some(self.tasks[*self.places.get(id)?])
    }

    /// What a task waits for, finished or not, missing ones last.
    pub fn blockers(&self, id: &TaskId) -> Vec<&'a TaskId> {
        self.around(id, |place| {
            let known = self.web.blockers[place].iter().map(|it| &self.tasks[*it].id);
            known.chain(self.missing(place).iter().copied()).collect()
        })
    }

    /// What waits for a task.
    pub fn dependents(&self, id: &TaskId) -> Vec<&'a TaskId> {
        self.around(id, |place| self.web.dependents[place].iter().map(|it| &self.tasks[*it].id).collect())
    }

    /// Everything that must be done before a task, near or far.
    pub fn all_blockers(&self, id: &TaskId) -> Vec<&'a TaskId> {
        self.around(id, |place| self.ids_of(&self.web.reach(place, &self.web.blockers, |_| true)))
    }

    /// Everything that waits for a task, near or far.
    pub fn all_dependents(&self, id: &TaskId) -> Vec<&'a TaskId> {
        self.around(id, |place| self.ids_of(&self.web.reach(place, &self.web.dependents, |_| true)))
    }

    /// What a task still waits for: unfinished and missing tasks.
    pub fn open_blockers(&self, id: &TaskId) -> Vec<&'a TaskId> {
        self.around(id, |place| self.open_at(place).collect())
    }

    /// The same for every task, in the order in which they were given.
    pub(crate) fn all_open_blockers(&self) -> Vec<Vec<TaskId>> {
        (0..self.tasks.len()).map(|place| self.open_at(place).cloned().collect()).collect()
    }

    fn open_at(&self, place: usize) -> impl Iterator<Item = &'a TaskId> {
        let open = self.web.blockers[place].iter().map(|it| self.tasks[*it]).filter(|it| it.is_open());
        open.map(|it| &it.id).chain(self.missing(place).iter().copied())
    }

    fn missing(&self, place: usize) -> &[&'a TaskId] {
        self.missing.get(&place).map_or(&[], Vec::as_slice)
    }

    /// Whether a task waits for anything unfinished or missing.
    pub fn is_blocked(&self, id: &TaskId) -> bool {
        self.places.get(id).is_some_and(|place| self.web.waits(*place))
    }

    /// The pending tasks without an owner that wait for nothing.
    pub fn ready(&self) -> Vec<&'a Task> {
        self.pending(|place| self.tasks[place].owner.is_none() && !self.web.waits(place))
    }

    /// The pending tasks that wait for something.
    pub fn blocked(&self) -> Vec<&'a Task> {
        self.pending(|place| self.web.waits(place))
    }

    /// How many unfinished tasks wait for a task, near or far.
    pub fn unblocks(&self, id: &TaskId) -> usize {
        self.places.get(id).map_or(0, |it| self.web.unblocks(*it))
    }

    /// How urgent each of some tasks of the graph is.
    pub fn urgencies(&self, ready: &[&'a Task]) -> Vec<Urgency<'a>> {
        let places: Vec<usize> = ready.iter().filter_map(|it| self.places.get(&it.id).copied()).collect();
        let counts = self.web.all_unblock(&places);
        places.iter().zip(counts).map(|(place, count)| urgency(self.tasks[*place], count)).collect()
    }

    fn pending(&self, wanted: impl Fn(usize) -> bool) -> Vec<&'a Task> {
        let places = 0..self.tasks.len();
        places
            .filter(|place| self.tasks[*place].status == Status::Pending && wanted(*place))
            .map(|place| self.tasks[place])
            .collect()
    }

    fn around(&self, id: &TaskId, look: impl Fn(usize) -> Vec<&'a TaskId>) -> Vec<&'a TaskId> {
        self.places.get(id).map(|place| look(*place)).unwrap_or_default()
    }

    fn ids_of(&self, places: &[usize]) -> Vec<&'a TaskId> {
        let mut ids: Vec<&TaskId> = places.iter().map(|it| &self.tasks[*it].id).collect();
        ids.sort_unstable();
        ids
    }
}
