//! Hints that something changed. The number of the last event is the truth and is asked for every second; what the server
//! says in between only shortens the wait.
//!
//! A notice in every transaction would hold all of them up, so it is given beside them, and at most once in 100 ms for each
//! list; who listens therefore looks once more a little after each.

use crate::{
    link::Link,
    trouble::Trouble,
    wire::{ANSWER, Wire},
};
use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio_postgres::types::Type;
use worklist::clock::{Clock, SystemClock};

/// Without a hint the truth is asked for after so long.
const POLL_MS: u64 = 1_000;
/// Notices are at least so far apart.
const APART_MS: u64 = 100;

/// Listens for one list.
pub(crate) struct Ear {
    link: Arc<Link>,
    list: i64,
    /// A connection of its own, because who listens holds it.
    wire: Mutex<Option<Wire>>,
    /// The last number that was seen; -1 before the first look.
    seen: AtomicI64,
    /// When there last was a notice.
    told: AtomicU64,
}

impl Ear {
    pub(crate) fn new(link: Arc<Link>, list: i64) -> Ear {
        Ear { link, list, wire: Mutex::default(), seen: AtomicI64::new(-1), told: AtomicU64::new(0) }
    }

    /// Tells whoever listens, unless somebody just did. If that fails, they will notice by themselves.
    pub(crate) fn tell(&self) {
        let question = "SELECT worklist.tell($1)";
        _ = self.link.with(&mut |line| line.rows(question, &[(&self.list, Type::INT8)]));
    }

    /// Waits until there is another number, at most so long. The first call only looks.
    pub(crate) fn wait(&self, milliseconds: u64) -> bool {
        let until = SystemClock.ticks() + milliseconds;
        loop {
            if self.is_new() {
                return true;
            }
            let now = SystemClock.ticks();
            if now >= until {
                return false;
            }
            // What was written in the moment after a notice was not told.
            let is_moment = now.saturating_sub(self.told.load(Ordering::Relaxed)) <= APART_MS;
            self.doze((until - now).min(if is_moment { APART_MS } else { POLL_MS }));
        }
    }

    fn is_new(&self) -> bool {
        let question = "SELECT seq FROM worklist.heads WHERE list = $1";
        let asked =
            self.link.with(&mut |line| Ok(line.row(question, &[(&self.list, Type::INT8)])?.get::<_, i64>(0)));
        let Ok(seq) = asked else { return false };
        let before = self.seen.swap(seq, Ordering::Relaxed);
        before >= 0 && before != seq
    }

    /// Waits for a notice, or so long.
    fn doze(&self, milliseconds: u64) {
        let mut wire = self.wire.lock().unwrap_or_else(PoisonError::into_inner);
        if wire.as_ref().is_none_or(Wire::is_closed) {
            *wire = self.listening().ok();
        }
        let limit = Duration::from_millis(milliseconds);
        let heard = wire.as_mut().map(|it| it.notice(limit));
        match heard {
            Some(Some(true)) => self.told.store(SystemClock.ticks(), Ordering::Relaxed),
            Some(Some(false)) => {}
            Some(None) => *wire = None,
            None => {
                drop(wire);
                SystemClock.sleep(milliseconds.min(APART_MS));
            }
        }
    }

    fn listening(&self) -> Result<Wire, Trouble> {
        let wire = self.link.connect()?;
        let listen = format!("LISTEN worklist_{}", self.list);
        wire.run(&listen, ANSWER).map_err(|fault| Trouble::of("use", &self.link.name, &fault))?;
        Ok(wire)
    }
}
