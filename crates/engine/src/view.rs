//! A task as surfaces show it: with what follows from the rest of the list. Derived on each look, never stored.

use crate::{
    claim::{Claim, Entry, Evidence, Life, MAX_LOST},
    graph::{Graph, urgency},
    id::TaskId,
    store::{Listing, Offers, Problem, Store},
    task::{Status, Task},
    time::Time,
};
use std::{ops::Deref, sync::Arc};

/// A task, where it stands and what it waits for.
#[derive(Debug, Clone)]
pub struct TaskView {
    /// The task.
    pub task: Shown,
    /// Where it stands in the list.
    pub state: State,
    /// What it still waits for, missing tasks included.
    pub open_blockers: Vec<TaskId>,
    /// The claim that stands and whose claimant lives.
    pub claim: Option<Box<Claim>>,
    /// When that claim ends if nothing is heard of its session; none while its process runs.
    pub until: Option<Time>,
    /// Whether it waits for a person: its lease was lost too often.
    pub parked: bool,
    /// How many attempts failed since somebody last finished or released it properly.
    pub failed: u32,
    /// How it was done, if the one who did it said so.
    pub evidence: Option<Box<Evidence>>,
    /// What could not be read when only this task was looked at.
    pub problems: Vec<Problem>,
}

/// A task to look at. However many look, it is in memory once.
#[derive(Debug, Clone)]
pub struct Shown {
    entry: Arc<Entry>,
    /// The task as it counts, where that is not what is written of it.
    instead: Option<Box<Task>>,
}

impl Deref for Shown {
    type Target = Task;

    fn deref(&self) -> &Task {
        self.instead.as_deref().unwrap_or(&self.entry.task)
    }
}

impl From<Shown> for Task {
    fn from(shown: Shown) -> Task {
        match shown.instead {
            Some(task) => *task,
            None => Arc::unwrap_or_clone(shown.entry).task,
        }
    }
}

/// What can be done with a task now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// Pending, nobody's, nothing to wait for.
    Ready,
    /// Pending, and something must be done first.
    Blocked,
    /// Somebody has it.
    InProgress,
    /// Done.
    Completed,
}

impl State {
    /// The word for it in JSON.
    pub fn name(self) -> &'static str {
        match self {
            State::Ready => "ready",
            State::Blocked => "blocked",
            State::InProgress => "in_progress",
            State::Completed => "completed",
        }
    }
}

/// All tasks of a list as they are shown.
#[derive(Debug, Clone, Default)]
pub struct Board {
    /// The tasks in the order of the list.
    pub tasks: Vec<TaskView>,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

impl Board {
    /// What follows from a listing.
    pub(crate) fn of(store: &dyn Store, listing: Listing) -> Board {
        let graph = Graph::new(listing.entries.iter().map(|it| &it.task));
        let open = graph.all_open_blockers();
        let tasks = listing.entries.into_iter().zip(open);
        let tasks = tasks.map(|(entry, open)| TaskView::of(store, entry, open)).collect();
        Board { tasks, problems: listing.problems }
    }

    /// The tasks that are shown: not those that another program keeps for itself.
    pub fn seen(&self) -> impl Iterator<Item = &TaskView> {
        self.tasks.iter().filter(|it| !it.task.is_internal())
    }

    /// The tasks that are shown and not done, in the order of the list.
    pub fn open(&self) -> impl Iterator<Item = &TaskView> {
        self.seen().filter(|it| it.state != State::Completed)
    }

    /// How many tasks that are shown stand so.
    pub fn count(&self, state: State) -> usize {
        self.seen().filter(|it| it.state == state).count()
    }

    /// What can be started now, in the order in which it would be taken: priority, then what most others wait for,
    /// then the oldest. Parked tasks wait for a person.
    pub fn ready(&self) -> Vec<&TaskView> {
        let graph = Graph::new(self.tasks.iter().map(|it| &*it.task));
        let ready: Vec<&TaskView> = self.seen().filter(|it| it.state == State::Ready && !it.parked).collect();
        let tasks: Vec<&Task> = ready.iter().map(|it| &*it.task).collect();
        let mut ready: Vec<_> = graph.urgencies(&tasks).into_iter().zip(ready).collect();
        ready.sort_by_key(|(urgency, _)| *urgency);
        ready.into_iter().map(|(_, it)| it).collect()
    }
}

/// What can be started now.
#[derive(Debug, Clone, Default)]
pub struct Ready {
    /// The tasks, the best first.
    pub tasks: Vec<TaskView>,
    /// How many tasks the list has.
    pub total: usize,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

impl Ready {
    /// What follows from what a store has to offer.
    pub(crate) fn of(store: &dyn Store, offers: Offers) -> Ready {
        let Offers { mut offers, total, problems } = offers;
        offers.sort_by(|one, other| {
            urgency(&one.entry.task, one.unblocks).cmp(&urgency(&other.entry.task, other.unblocks))
        });
        let tasks = offers.into_iter().map(|it| TaskView::of(store, it.entry, Vec::new()));
        let tasks = tasks.filter(|it| it.state == State::Ready && !it.parked).collect();
        Ready { tasks, total, problems }
    }
}

impl TaskView {
    /// A task whose blockers cannot be looked at now.
    pub(crate) fn unsure(store: &dyn Store, entry: Arc<Entry>) -> TaskView {
        let open =
            if entry.task.status == Status::Pending { entry.task.blocked_by.clone() } else { Vec::new() };
        TaskView::of(store, entry, open)
    }

    pub(crate) fn of(store: &dyn Store, entry: Arc<Entry>, open_blockers: Vec<TaskId>) -> TaskView {
        let standing = &entry.standing;
        let life = standing.claim.as_ref().map(|it| store.life(it));
        let lost = life == Some(Life::Gone);
        let claim = standing.claim.clone().filter(|_| !lost);
        // The claimant is gone: the task is free again, also where nobody has taken it back yet.
        let free = || Task { owner: None, status: Status::Pending, ..entry.task.clone() };
        let instead = (lost && entry.task.is_open()).then(|| Box::new(free()));
        let parked = standing.parked || lost && standing.lost + 1 >= MAX_LOST;
        let (failed, evidence) = (standing.failed, standing.evidence.clone());
        let task = Shown { entry, instead };
        let taken = claim.is_some() || task.owner.is_some();
        let state = match task.status {
            Status::Completed => State::Completed,
            Status::InProgress => State::InProgress,
            Status::Pending if !open_blockers.is_empty() => State::Blocked,
            Status::Pending if taken => State::InProgress,
            Status::Pending => State::Ready,
        };
        let until = life.and_then(Life::until);
        TaskView { task, state, open_blockers, claim, until, parked, failed, evidence, problems: Vec::new() }
    }
}
