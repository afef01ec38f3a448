//! Follows the list for those who want to hear of changes, whoever made them. One for the whole process, and only while
//! somebody listens. Not a history: who needs that asks for it.

use super::{office::Office, resources};
use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError, Weak},
    thread,
};
use tokio::sync::broadcast::{Receiver, Sender, channel, error::RecvError};
use worklist::{
    TaskList,
    clock::{Clock, SystemClock},
    event::Event,
};

/// So many pieces of news wait for a slow listener.
const ROOM: usize = 256;
/// One wait for changes; then it is seen whether the list is still the same, and whether anybody listens.
const STEP_MS: u64 = 1_000;

/// What changed, in one step.
#[derive(Debug, Clone, Default)]
pub(super) struct News {
    /// The tasks.
    tasks: BTreeSet<String>,
    /// Whether some came or went.
    pub(super) members: bool,
    /// Too much happened at once to say what it was.
    all: bool,
}

impl News {
    /// Whether a resource is not what it was.
    pub(super) fn concern(&self, uri: &str) -> bool {
        let task = || resources::task_of(uri).is_some_and(|id| self.tasks.contains(id));
        self.all || uri == resources::LIST || uri == resources::GRAPH || task()
    }

    fn of(events: &[Event]) -> News {
        let changes = || events.iter().flat_map(|it| &it.changes);
        News {
            tasks: changes().map(|it| it.id.as_str().to_owned()).collect(),
            members: changes().any(|it| it.before.is_some() != it.after.is_some()),
            all: false,
        }
    }
}

/// What a listener hears.
pub(super) struct Listener(Receiver<News>);

impl Listener {
    /// The next news; nothing more when the process ends.
    pub(super) async fn next(&mut self) -> Option<News> {
        match self.0.recv().await {
            Ok(news) => Some(news),
            Err(RecvError::Lagged(_)) => Some(News { members: true, all: true, ..News::default() }),
            Err(RecvError::Closed) => None,
        }
    }
}

/// The one who follows.
pub(super) struct Follower {
    office: Arc<Office>,
    news: Sender<News>,
    runs: Mutex<bool>,
}

impl Follower {
    pub(super) fn new(office: Arc<Office>) -> Follower {
        Follower { office, news: channel(ROOM).0, runs: Mutex::default() }
    }

    /// From now on: whatever happens after this returned will be heard.
    pub(super) fn follow(self: &Arc<Self>) -> Listener {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let listener = Listener(self.news.subscribe());
        if !*runs {
            *runs = true;
            let list = self.office.list().ok().flatten();
            let seen = list.as_deref().map_or(0, last);
            let follower = Arc::downgrade(self);
            thread::spawn(move || run(&follower, list, seen));
        }
        listener
    }

    /// Whether to go on. Nobody comes in between: who follows holds the same lock.
    fn is_heard(&self) -> bool {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        *runs = self.news.receiver_count() > 0;
        *runs
    }
}

/// Until nobody listens.
fn run(follower: &Weak<Follower>, mut known: Option<Arc<TaskList>>, mut seen: u64) {
    while let Some(one) = follower.upgrade() {
        let list = one.office.list().ok().flatten();
        drop(one);
        if !is_same(known.as_ref(), list.as_ref()) {
            // Another list begins with all that ever happened in it.
            seen = 0;
        }
        known = list;
        // A list that is not there, or cannot be read, is looked for again.
        let Some(list) = &known else {
            SystemClock.sleep(STEP_MS);
            if !follower.upgrade().is_some_and(|it| it.is_heard()) {
                return;
            }
            continue;
        };
        match follow(follower, list, seen) {
            Some(last) => seen = last,
            None => return,
        }
    }
}

/// Follows a list while it is the office's; the last event that was seen, or none if nobody listens any more. Holds
/// nothing of the office while it waits, so that it can end.
fn follow(follower: &Weak<Follower>, list: &Arc<TaskList>, mut seen: u64) -> Option<u64> {
    let mut watch = list.watch(seen);
    loop {
        let events = watch.next(STEP_MS).unwrap_or_else(|_| {
            SystemClock.sleep(STEP_MS);
            Vec::new()
        });
        let one = follower.upgrade().filter(|it| it.is_heard())?;
        if let Some(last) = events.last() {
            seen = last.seq;
            // Who has just gone does not hear it, which is right.
            _ = one.news.send(News::of(&events));
        }
        if !is_same(Some(list), one.office.list().ok().flatten().as_ref()) {
            return Some(seen);
        }
    }
}

fn is_same(one: Option<&Arc<TaskList>>, other: Option<&Arc<TaskList>>) -> bool {
    one.zip(other).is_some_and(|(one, other)| Arc::ptr_eq(one, other))
}

fn last(list: &TaskList) -> u64 {
    list.seq().unwrap_or(0)
}
