//! Waiting for a task, and following what happens. Not what wakes a waiter: that is the store's.

use super::{Outcome, TaskList};
use crate::{
    claim::Actor,
    event::Event,
    id::TaskId,
    rules::{Command, NextTask, ReleaseTask},
    store::Error,
};
use std::ops::ControlFlow;

/// Without a hint that something changed, ready tasks are looked for again after so long: a lease may have run out.
const PATIENCE_MS: u64 = 5_000;

/// How long one wait for a hint lasts at most: a hint can be missed.
const HINT_MS: u64 = 1_000;

/// A watcher notes what others wrote once there was no hint for so long: an agent whose client wrote it may answer for it
/// first, and what is noted without an answer has no author any more.
const GRACE_MS: u64 = 1_000;

/// Where hints do not end, it is noted after so long.
const LATEST_MS: u64 = 3_000;

/// Asked about every second of a wait, with how many milliseconds it lasts: whether somebody still waits.
pub type GoesOn<'a> = &'a dyn Fn(u64) -> ControlFlow<()>;

impl TaskList {
    /// Takes the best ready task; where there is none, waits for one, at most so many milliseconds. None if there was
    /// none in that time, or if nobody wants it any more: then nothing is claimed.
    pub fn next(
        &self,
        actor: &Actor,
        wanted: &NextTask,
        wait: u64,
        goes_on: GoesOn<'_>,
    ) -> Result<Option<Outcome>, Error> {
        let command = Command::Next(wanted.clone());
        let began = self.clock.ticks();
        if wait > 0 {
            // From here on nothing is missed between a look and the wait for the next.
            self.store.wait(0);
        }
        loop {
            let outcome = self.run(actor, &command)?;
            let waited = self.clock.ticks().saturating_sub(began);
            match (outcome.tasks.first(), goes_on(waited)) {
                (Some(view), ControlFlow::Break(())) => {
                    self.run(actor, &Command::Release(unwanted(view.task.id.clone())))?;
                    return Ok(None);
                }
                (Some(_), ControlFlow::Continue(())) => return Ok(Some(outcome)),
                (None, _) => {}
            }
            if self.idle(began, wait, goes_on).is_break() {
                return Ok(None);
            }
        }
    }

    /// Waits until another look may be worth it; breaks off when the time is over or nobody waits any more.
    fn idle(&self, began: u64, wait: u64, goes_on: GoesOn<'_>) -> ControlFlow<()> {
        let looked = self.clock.ticks();
        loop {
            let now = self.clock.ticks();
            let waited = now.saturating_sub(began);
            if waited >= wait {
                return ControlFlow::Break(());
            }
            goes_on(waited)?;
            let hint = self.store.wait((wait - waited).min(HINT_MS));
            if hint || self.clock.ticks().saturating_sub(looked) >= PATIENCE_MS {
                return goes_on(self.clock.ticks().saturating_sub(began));
            }
        }
    }

    /// Follows the list from an event on.
    pub fn watch(&self, after: u64) -> Watch<'_> {
        Watch { list: self, after, due: 0, hinted: None }
    }
}

/// Follows what happens in a list.
pub struct Watch<'a> {
    list: &'a TaskList,
    after: u64,
    /// When everything is looked at again.
    due: u64,
    /// The first hint since it was.
    hinted: Option<u64>,
}

impl Watch<'_> {
    /// The events since the last call; waits for some, at most so many milliseconds.
    pub fn next(&mut self, milliseconds: u64) -> Result<Vec<Event>, Error> {
        let until = self.list.clock.ticks() + milliseconds;
        let mut wait = 0;
        loop {
            self.listen(wait);
            self.look()?;
            let events = self.list.store.events_after(self.after)?;
            if let Some(last) = events.last() {
                self.after = last.seq;
                return Ok(events);
            }
            let now = self.list.clock.ticks();
            if now >= until {
                return Ok(events);
            }
            wait = until.min(self.due).saturating_sub(now);
        }
    }

    fn listen(&mut self, milliseconds: u64) {
        if self.list.store.wait(milliseconds) {
            let now = self.list.clock.ticks();
            let first = *self.hinted.get_or_insert(now);
            self.due = (now + GRACE_MS).min(first + LATEST_MS);
        }
    }

    /// Looks at everything if it is time: that is what makes foreign changes events.
    fn look(&mut self) -> Result<(), Error> {
        let now = self.list.clock.ticks();
        if now >= self.due {
            self.list.store.list()?;
            (self.hinted, self.due) = (None, now + HINT_MS);
        }
        Ok(())
    }
}

/// Gives back what was claimed for somebody who had gone meanwhile.
fn unwanted(id: TaskId) -> ReleaseTask {
    ReleaseTask { id, token: None, reason: Some("nobody waited for it any more".to_owned()), force: false }
}
