//! The sessions that this process is. Each is a lock in the list, so that what it claimed is free the moment the process
//! dies, or the session falls silent, or its client leaves. Not who calls: that is told.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};
use worklist::{Actor, Error, SessionGuard, TaskList, claim::DEFAULT_LEASE};

/// What a session ends with, beside the end of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lasts {
    /// Nothing: it is the client behind the standard streams.
    Always,
    /// With whoever holds it: it is not ours.
    Lent,
    /// An hour of silence: an agent within the client. Most are ended by the client's hook long before.
    Agent,
    /// A quarter of an hour of silence, as in a shell: a client over HTTP can go without a word.
    Client,
}

impl Lasts {
    fn is_over(self, silent: u64) -> bool {
        let lease = DEFAULT_LEASE.unsigned_abs();
        match self {
            Lasts::Always | Lasts::Lent => false,
            Lasts::Agent => silent >= 4 * lease,
            Lasts::Client => silent >= lease,
        }
    }
}

/// The sessions, by the name that was asked for.
#[derive(Default)]
pub(super) struct Sessions(Mutex<HashMap<String, Held>>);

struct Held {
    /// The name that it has: another one if that was taken.
    session: String,
    heard: u64,
    lasts: Lasts,
    _guard: Option<SessionGuard>,
}

impl Sessions {
    /// Becomes the session of an actor, if it is not yet; the actor as it is known in the list.
    pub(super) fn be(&self, list: &TaskList, actor: &Actor, lasts: Lasts, now: u64) -> Result<Actor, Error> {
        self.end_silent(now);
        let mut held = self.lock();
        if let Some(known) = held.get_mut(&actor.session) {
            known.heard = now;
            return Ok(Actor::new(actor.agent.clone(), known.session.clone()));
        }
        let (own, guard) = if lasts == Lasts::Lent { (actor.clone(), None) } else { list.be(actor)? };
        let entry = Held { session: own.session.clone(), heard: now, lasts, _guard: guard };
        held.insert(actor.session.clone(), entry);
        Ok(own)
    }

    /// Ends those that have been silent for too long.
    pub(super) fn end_silent(&self, now: u64) {
        self.lock().retain(|_, it| !it.lasts.is_over(now.saturating_sub(it.heard)));
    }

    /// Ends a session and all within it: what they held is free.
    pub(super) fn end(&self, session: &str) {
        let within = format!("{session}/");
        let mut held = self.lock();
        let known = held.get(session).map_or(within.clone(), |it| format!("{}/", it.session));
        held.retain(|name, _| name != session && !name.starts_with(&within) && !name.starts_with(&known));
    }

    /// Ends them all: the list is another one.
    pub(super) fn clear(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Held>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_ends_all_but_the_main_session() {
        let (sessions, list) = (Sessions::default(), TaskList::in_memory());
        for (name, lasts) in [("a", Lasts::Always), ("b", Lasts::Agent), ("c", Lasts::Client)] {
            sessions.be(&list, &Actor::new("x", name), lasts, 0).expect("a session");
        }
        let left = |now: u64| {
            sessions.end_silent(now);
            sessions.lock().len()
        };
        let minute = 60_000;
        assert_eq!(
            [left(14 * minute), left(15 * minute), left(59 * minute), left(60 * minute)],
            [3, 2, 2, 1]
        );
    }

    #[test]
    fn a_session_that_ends_takes_those_within_it_along() {
        let (sessions, list) = (Sessions::default(), TaskList::in_memory());
        for name in ["s", "s/a", "s/a/b", "sa", "t"] {
            sessions.be(&list, &Actor::new("x", name), Lasts::Client, 0).expect("a session");
        }
        sessions.end("s");
        let mut left: Vec<String> = sessions.lock().keys().cloned().collect();
        left.sort();
        assert_eq!(left, ["sa", "t"]);
    }
}
