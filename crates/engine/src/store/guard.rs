//! A process that is a session, for as long as it holds this. Not how a store notices that it died.

use super::Error;
use crate::claim::Actor;
use std::{fmt, sync::Arc};

/// What keeps a session alive in its store.
pub trait Held: Send + Sync {
    /// Whether the session is still this process's. Whoever loses it stops: others may take its tasks soon.
    fn stands(&self) -> bool;
}

/// Keeps a session alive for as long as it lives itself.
#[derive(Clone)]
#[must_use = "the session's claims are free soon after this is dropped"]
pub struct SessionGuard(Arc<dyn Held>);

impl SessionGuard {
    /// By what a store holds.
    pub fn new(held: impl Held + 'static) -> SessionGuard {
        SessionGuard(Arc::new(held))
    }

    /// Whether the session is still this process's.
    pub fn stands(&self) -> bool {
        self.0.stands()
    }

    /// The same as a failure, for who must be heard of before it goes on.
    pub fn heard(&self, actor: &Actor) -> Result<(), Error> {
        if self.stands() { Ok(()) } else { Err(Error::Silent { session: actor.session.clone() }) }
    }
}

impl fmt::Debug for SessionGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionGuard").field("stands", &self.stands()).finish()
    }
}
