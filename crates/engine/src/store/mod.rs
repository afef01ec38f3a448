//! Where a list is kept: one trait with one way to write. Not the rules: a store asks them and obeys.
//!
//! # The contract
//!
//! - [`Store::transact`] is the only write. Nothing is written of a decision if what it was made on has changed since,
//!   whatever process changed it: then the closure is called again, with the list as it stands now. A verb that the
//!   store does not know never overlaps with another.
//! - What a decision changes happens wholly or not at all, also if the process is killed or power fails.
//! - When `transact` has answered, the change survives both.
//! - Every change has a number (`seq`), one higher than the last.
//! - A refusal changes nothing. A failure changes nothing that was acknowledged.

pub mod error;
pub mod files;
mod guard;
pub mod memory;
mod whole;

pub use error::Error;
pub use guard::{Held, SessionGuard};
pub use whole::Whole;

use crate::{
    claim::{Actor, Claim, Entry, Life},
    event::Event,
    graph::{Graph, Web},
    id::TaskId,
    rules::{Decision, Outline, Refusal, Request, Tasks},
    time::Time,
};
use std::sync::Arc;

/// What a store is asked to run under its lock.
pub type Decide<'a> = &'a mut dyn FnMut(&dyn Tasks) -> Result<Decision, Refusal>;

/// A place where a list is kept.
pub trait Store: Send + Sync {
    /// Locks, decides, writes, numbers. `command` is the verb for the history.
    fn transact(&self, request: &Request, command: &str, decide: Decide<'_>) -> Result<Done, Error>;

    /// One task as it stands now.
    fn read(&self, id: &TaskId) -> Result<Look, Error>;

    /// Some tasks as they stand now; those that are not there are left out.
    fn some(&self, ids: &[TaskId]) -> Result<Vec<Arc<Entry>>, Error> {
        ids.iter().filter_map(|id| self.read(id).map(|it| it.entry).transpose()).collect()
    }

    /// Every task as it stands now, in the order of the list.
    fn list(&self) -> Result<Listing, Error>;

    /// The tasks that may be ready, and how many there are in all. A store that knows them need not look at the others.
    fn offers(&self) -> Result<Offers, Error> {
        self.list().map(Offers::of)
    }

    /// The events with a higher number, in their order, as far back as history reaches.
    fn events_after(&self, seq: u64) -> Result<Vec<Event>, Error>;

    /// The number of the last event.
    fn seq(&self) -> Result<u64, Error>;

    /// How a task came to be what it is, with so many of its latest changes.
    fn history(&self, id: &TaskId, latest: usize) -> Result<History, Error>;

    /// Everything that the list knows, as it stands at one moment.
    fn whole(&self) -> Result<Whole, Error>;

    /// Lays a list down where there is none yet: neither a task nor a past. All of it or nothing.
    fn found(&self, whole: &Whole) -> Result<(), Error>;

    /// A sign of life of a session.
    fn renew(&self, actor: &Actor) -> Result<(), Error>;

    /// Makes this process the session: its claims are free soon after it dies. None if another process is it.
    fn hold_session(&self, actor: &Actor) -> Result<Option<SessionGuard>, Error>;

    /// Whether a claimant is still to be believed at work.
    fn life(&self, claim: &Claim) -> Life;

    /// Waits until something may have changed, at most so many milliseconds. Whether there was a hint; none may mean
    /// that nobody could give one.
    fn wait(&self, milliseconds: u64) -> bool;
}

/// What became of a decision.
#[derive(Debug, Clone)]
pub struct Done {
    /// What was decided.
    pub decision: Decision,
    /// The event, if anything changed.
    pub event: Option<Event>,
    /// The tasks that the command was about, as they are now.
    pub about: Vec<Arc<Entry>>,
    /// What could not be read on the way, and what was served in its place.
    pub problems: Vec<Problem>,
}

/// One task, or that there is none.
#[derive(Debug, Clone, Default)]
pub struct Look {
    /// The task.
    pub entry: Option<Arc<Entry>>,
    /// What could not be read on the way.
    pub problems: Vec<Problem>,
}

/// How a task came to be what it is, as far back as history reaches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    /// How often it was changed.
    pub changes: u64,
    /// When that was for the first time.
    pub first: Option<Time>,
    /// Its latest changes, the last one first: events that tell of this task alone, and not what else was planned.
    pub latest: Vec<Event>,
}

impl History {
    /// The part of one task in what happened to a list.
    pub fn of(events: Vec<Event>, id: &TaskId, latest: usize) -> History {
        let mut own: Vec<Event> = events
            .into_iter()
            .filter_map(|mut it| {
                it.changes.retain(|it| it.id == *id);
                it.plan = None;
                (!it.changes.is_empty()).then_some(it)
            })
            .collect();
        own.reverse();
        let (changes, first) = (own.len() as u64, own.last().map(|it| it.at));
        own.truncate(latest);
        History { changes, first, latest: own }
    }
}

/// All tasks of a list.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// The tasks.
    pub entries: Vec<Arc<Entry>>,
    /// What could not be read, and what was served in its place.
    pub problems: Vec<Problem>,
}

/// What may be ready: it waits for nothing, and nobody is known to be at it.
#[derive(Debug, Clone, Default)]
pub struct Offers {
    /// The tasks, in the order of the list.
    pub offers: Vec<Offer>,
    /// How many tasks the list has.
    pub total: usize,
    /// What could not be read, and what was served in its place.
    pub problems: Vec<Problem>,
}

/// A task that may be ready. One with a claim is, if its claimant is gone.
#[derive(Debug, Clone)]
pub struct Offer {
    /// The task.
    pub entry: Arc<Entry>,
    /// How many unfinished tasks wait for it, near or far.
    pub unblocks: usize,
}

impl Offers {
    /// Those of a whole list.
    pub(crate) fn of(listing: Listing) -> Offers {
        let Listing { entries, problems } = listing;
        let graph = Graph::new(entries.iter().map(|it| &it.task));
        let web = graph.web();
        let is_offer =
            |(place, it): &(usize, &Arc<Entry>)| Outline::of(it).may_be_ready() && !web.waits(*place);
        let offers = entries.iter().enumerate().filter(is_offer).map(|(place, it)| (place, it.clone()));
        Offers { offers: Offer::all(web, offers), total: entries.len(), problems }
    }
}

impl Offer {
    /// Tasks by their places, each with what waits for it.
    fn all(web: &Web, tasks: impl Iterator<Item = (usize, Arc<Entry>)>) -> Vec<Offer> {
        let (places, entries): (Vec<_>, Vec<_>) = tasks.unzip();
        let offers = web.all_unblock(&places).into_iter().zip(entries);
        offers.map(|(unblocks, entry)| Offer { entry, unblocks }).collect()
    }
}

/// A file that is not as it should be. It is never touched because of that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Its name in the folder.
    pub file: String,
    /// What is wrong.
    pub reason: String,
    /// Whether the last good state of its tasks is served from the journal.
    pub served: bool,
}
