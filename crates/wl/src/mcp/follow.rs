//! Follows the list for those who want to hear of changes, whoever made them. Runs only once somebody listens. Not a
//! history: who needs that asks for it.

use super::{office::Office, resources};
use std::{
    collections::BTreeSet,
    sync::{Arc, Once, Weak},
    thread,
};
use tokio::sync::broadcast::{Receiver, Sender, channel};
use worklist::{
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
}

impl News {
    /// The resources that are not what they were.
    pub(super) fn uris(&self) -> Vec<String> {
        let whole = [resources::LIST, resources::GRAPH].map(str::to_owned);
        whole.into_iter().chain(self.tasks.iter().map(|it| resources::of_task(it))).collect()
    }

    fn of(events: &[Event]) -> News {
        let changes = || events.iter().flat_map(|it| &it.changes);
        News {
            tasks: changes().map(|it| it.id.as_str().to_owned()).collect(),
            members: changes().any(|it| it.before.is_some() != it.after.is_some()),
        }
    }
}

/// The one who follows.
pub(super) struct Follower {
    office: Arc<Office>,
    news: Sender<News>,
    started: Once,
}

impl Follower {
    pub(super) fn new(office: Arc<Office>) -> Follower {
        Follower { office, news: channel(ROOM).0, started: Once::new() }
    }

    /// From now on.
    pub(super) fn follow(&self) -> Receiver<News> {
        let receiver = self.news.subscribe();
        self.started.call_once(|| {
            let (office, news) = (Arc::downgrade(&self.office), self.news.clone());
            thread::spawn(move || run(&office, &news));
        });
        receiver
    }
}

/// Until nobody is left.
fn run(office: &Weak<Office>, news: &Sender<News>) {
    let mut after = None;
    loop {
        let Some(office) = office.upgrade() else { return };
        let Ok(Some(list)) = office.list() else {
            drop(office);
            SystemClock.sleep(STEP_MS);
            continue;
        };
        let last = || list.events_after(0).ok().and_then(|it| it.last().map(|it| it.seq)).unwrap_or(0);
        let seen = after.unwrap_or_else(last);
        drop(office);
        let events = list.watch(seen).next(STEP_MS).unwrap_or_default();
        after = Some(events.last().map_or(seen, |it| it.seq));
        if !events.is_empty() {
            // Without a listener it is lost, which is right.
            _ = news.send(News::of(&events));
        }
    }
}
