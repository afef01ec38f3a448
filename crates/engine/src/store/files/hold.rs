//! Holding the list: the threads of a process stand in line for their turn, and whose turn it is asks the system, which keeps
//! processes apart. There, each would need a thread of its own to wait for no longer than it wants. Not what is done with the
//! list.

use super::Files;
use crate::{clock::Clock, store::Error, vfs::Lock};
use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    thread::{self, Thread},
    time::Duration,
};

/// The list, held until dropped. It is let go before the next in line is told.
pub(super) struct Held<'a> {
    _lock: Lock,
    _turn: Turn<'a>,
}

impl Files {
    /// Holds the list, if nobody does.
    pub(super) fn try_lock(&self) -> Result<Option<Held<'_>>, Error> {
        let Some(turn) = self.turns.now() else { return Ok(None) };
        let lock = self.ask_for_lock()?;
        Ok(lock.map(|lock| Held { _lock: lock, _turn: turn }))
    }

    /// Holds the list, once it can be held.
    pub(super) fn lock(&self) -> Result<Held<'_>, Error> {
        let started = self.clock.ticks();
        let waited = || self.clock.ticks() - started;
        let locked = || Error::Locked { holder: self.vfs.holder(), waited: waited() };
        let turn = self.turns.wait(&*self.clock, self.wait_ms).ok_or_else(locked)?;
        let mut pause = 1;
        let lock = loop {
            let asked = self.ask_for_lock();
            if let Ok(Some(lock)) = asked {
                break lock;
            }
            // It may also be another folder by now, or none.
            self.again()?;
            asked?;
            let left = self.wait_ms.saturating_sub(waited());
            if left == 0 {
                return Err(locked());
            }
            let queued = self.vfs.queue_for_lock(left);
            if let Some(lock) = queued.map_err(Error::io("lock", "the folder"))? {
                break lock;
            }
            self.clock.sleep(pause);
            pause = (pause * 2).min(20);
        };
        Ok(Held { _lock: lock, _turn: turn })
    }

    fn ask_for_lock(&self) -> Result<Option<Lock>, Error> {
        self.vfs.try_lock(None).map_err(Error::io("lock", "the folder"))
    }
}

/// The threads of this process that want the list, in the order in which they came. It is the turn of the first.
#[derive(Default)]
pub(super) struct Turns(Mutex<VecDeque<Thread>>);

/// A turn, until dropped.
struct Turn<'a>(&'a Turns);

impl Turns {
    fn line(&self) -> MutexGuard<'_, VecDeque<Thread>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A turn at once, if nobody stands in line.
    fn now(&self) -> Option<Turn<'_>> {
        let mut line = self.line();
        line.is_empty().then(|| {
            line.push_back(thread::current());
            Turn(self)
        })
    }

    /// Waits for a turn, at most so long.
    fn wait(&self, clock: &dyn Clock, milliseconds: u64) -> Option<Turn<'_>> {
        let (me, started) = (thread::current(), clock.ticks());
        self.line().push_back(me.clone());
        loop {
            let left = milliseconds.saturating_sub(clock.ticks() - started);
            let mut line = self.line();
            if line.front().is_some_and(|it| it.id() == me.id()) {
                return Some(Turn(self));
            }
            if left == 0 {
                line.retain(|it| it.id() != me.id());
                return None;
            }
            drop(line);
            thread::park_timeout(Duration::from_millis(left));
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut line = self.0.line();
        line.pop_front();
        if let Some(next) = line.front() {
            next.unpark();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::SystemClock;

    #[test]
    fn who_comes_first_goes_first() {
        let (turns, order) = (Turns::default(), Mutex::new(Vec::new()));
        let first = turns.now().unwrap();
        assert!(turns.now().is_none());
        thread::scope(|scope| {
            for n in 0..16 {
                let (turns, order) = (&turns, &order);
                scope.spawn(move || {
                    let _turn = turns.wait(&SystemClock, u64::MAX).unwrap();
                    order.lock().unwrap().push(n);
                });
                while turns.line().len() < n + 2 {
                    thread::yield_now();
                }
            }
            drop(first);
        });
        assert_eq!(order.into_inner().unwrap(), (0..16).collect::<Vec<_>>());
        assert!(turns.line().is_empty());
    }

    #[test]
    fn who_waited_enough_leaves_the_line() {
        let turns = Turns::default();
        let first = turns.now().unwrap();
        thread::scope(|scope| {
            let late = scope.spawn(|| turns.wait(&SystemClock, 5).is_none());
            assert!(late.join().unwrap());
        });
        assert_eq!(turns.line().len(), 1);
        drop(first);
        assert!(turns.now().is_some());
    }
}
