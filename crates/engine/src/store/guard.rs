//! A process that is a session, for as long as it holds this. Not how a store notices that it died.

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
}

impl fmt::Debug for SessionGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionGuard").field("stands", &self.stands()).finish()
    }
}
