//! The sessions that this process is. Each is a lock in the list, so that what it claimed is free the moment the process
//! dies, or the session falls silent, or its client leaves. Not who calls: that is told.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};
use worklist::{Actor, Error, SessionGuard, TaskList};

/// A session beside the main one (a subagent, a client over HTTP) that has been silent for so long is believed gone.
const SILENCE_MS: u64 = 60 * 60 * 1000;

/// The sessions, by the name that was asked for.
#[derive(Default)]
pub(super) struct Sessions(Mutex<HashMap<String, Held>>);

struct Held {
    /// The name that it has: another one if that was taken.
    session: String,
    heard: u64,
    /// Whether it ends with the process only.
    main: bool,
    _guard: Option<SessionGuard>,
}

impl Sessions {
    /// Becomes the session of an actor, if it is not yet; the actor as it is known in the list.
    pub(super) fn be(&self, list: &TaskList, actor: &Actor, main: &str, now: u64) -> Result<Actor, Error> {
        let mut held = self.lock();
        held.retain(|_, it| it.main || now.saturating_sub(it.heard) < SILENCE_MS);
        if let Some(known) = held.get_mut(&actor.session) {
            known.heard = now;
            return Ok(Actor::new(actor.agent.clone(), known.session.clone()));
        }
        let mut own = actor.clone();
        let mut guard = list.hold_session(&own)?;
        if guard.is_none() {
            // Another living process is this session. Two that share one name must not complete each other's tasks.
            own.session = format!("{}~{}", actor.session, std::process::id());
            guard = list.hold_session(&own)?;
        }
        let main = actor.session == main;
        let entry = Held { session: own.session.clone(), heard: now, main, _guard: guard };
        held.insert(actor.session.clone(), entry);
        Ok(own)
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
