//! Holding the list: the threads of a process stand in line for their turn, and whose turn it is asks the system, which keeps
//! processes apart. There, each would need a thread of its own to wait for no longer than it wants. Not what is done with the
//! list.

use super::{Files, round::Round};
use crate::{clock::Clock, store::Error, vfs::Lock};
use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    thread::{self, Thread},
    time::Duration,
};

/// The list, held until dropped. It is let go before the next in line is told.
pub(super) struct Held<'a> {
    lock: Lock,
    turn: Turn<'a>,
}

impl<'a> Held<'a> {
    pub(super) fn new(lock: Lock, turn: Turn<'a>) -> Held<'a> {
        Held { lock, turn }
    }

    pub(super) fn parts(self) -> (Lock, Turn<'a>) {
        (self.lock, self.turn)
    }

    /// Whether other threads of this process wait for it.
    pub(super) fn is_wanted(&self) -> bool {
        self.turn.turns.line().threads.len() > 1
    }
}

/// How one comes by the list when it is one's turn.
pub(super) enum Place<'a> {
    First(Held<'a>),
    /// It is held already, by a round of changes that is not written yet.
    Beside(Turn<'a>, Box<Round>),
}

impl Files {
    /// Holds the list, if nobody does.
    pub(super) fn try_lock(&self) -> Result<Option<Held<'_>>, Error> {
        let Some(turn) = self.turns.now() else { return Ok(None) };
        let lock = self.ask_for_lock()?;
        Ok(lock.map(|lock| Held { lock, turn }))
    }

    /// Holds the list, once it can be held. What others wanted to write by then is written.
    pub(super) fn lock(&self) -> Result<Held<'_>, Error> {
        Ok(match self.lock_or_join()? {
            Place::First(held) => held,
            Place::Beside(turn, round) => round.finish(self, turn),
        })
    }

    /// The same, or a place in a round of changes.
    pub(super) fn lock_or_join(&self) -> Result<Place<'_>, Error> {
        let started = self.clock.ticks();
        let waited = || self.clock.ticks() - started;
        let locked = || Error::Locked { holder: self.vfs.holder(), waited: waited() };
        let (turn, round) = self.turns.wait(&*self.clock, self.wait_ms).ok_or_else(locked)?;
        if let Some(round) = round {
            return Ok(Place::Beside(turn, round));
        }
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
        Ok(Place::First(Held { lock, turn }))
    }

    /// How many threads stand in line, with the one whose turn it is: for tests that bring them together.
    #[cfg(feature = "simulation")]
    pub fn in_line(&self) -> usize {
        self.turns.line().threads.len()
    }

    fn ask_for_lock(&self) -> Result<Option<Lock>, Error> {
        self.vfs.try_lock(None).map_err(Error::io("lock", "the folder"))
    }
}

/// The threads of this process that want the list, in the order in which they came. It is the turn of the first.
#[derive(Default)]
pub(super) struct Turns(Mutex<Line>);

#[derive(Default)]
struct Line {
    threads: VecDeque<Thread>,
    /// What those before left to be written, for whose turn it is.
    round: Option<Box<Round>>,
}

/// A turn, until dropped.
pub(super) struct Turn<'a> {
    turns: &'a Turns,
    is_over: bool,
}

impl Turns {
    fn line(&self) -> MutexGuard<'_, Line> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A turn at once, if nobody stands in line.
    fn now(&self) -> Option<Turn<'_>> {
        let mut line = self.line();
        line.threads.is_empty().then(|| {
            line.threads.push_back(thread::current());
            Turn { turns: self, is_over: false }
        })
    }

    /// Waits for a turn, at most so long.
    fn wait(&self, clock: &dyn Clock, milliseconds: u64) -> Option<(Turn<'_>, Option<Box<Round>>)> {
        let (me, started) = (thread::current(), clock.ticks());
        self.line().threads.push_back(me.clone());
        loop {
            let left = milliseconds.saturating_sub(clock.ticks() - started);
            let mut line = self.line();
            if line.threads.front().is_some_and(|it| it.id() == me.id()) {
                return Some((Turn { turns: self, is_over: false }, line.round.take()));
            }
            if left == 0 {
                line.threads.retain(|it| it.id() != me.id());
                return None;
            }
            drop(line);
            thread::park_timeout(Duration::from_millis(left));
        }
    }
}

impl Turn<'_> {
    /// Leaves a round to the next in line; if there is none, or if it is full, it comes back.
    pub(super) fn pass_on(mut self, round: Box<Round>) -> Result<(), (Self, Box<Round>)> {
        let mut line = self.turns.line();
        if line.threads.len() < 2 || round.is_full() {
            drop(line);
            return Err((self, round));
        }
        line.round = Some(round);
        self.is_over = true;
        line.next();
        drop(line);
        Ok(())
    }
}

impl Line {
    fn next(&mut self) {
        self.threads.pop_front();
        if let Some(next) = self.threads.front() {
            next.unpark();
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.turns.line().next();
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
                    let (_turn, round) = turns.wait(&SystemClock, u64::MAX).unwrap();
                    assert!(round.is_none());
                    order.lock().unwrap().push(n);
                });
                while turns.line().threads.len() < n + 2 {
                    thread::yield_now();
                }
            }
            drop(first);
        });
        assert_eq!(order.into_inner().unwrap(), (0..16).collect::<Vec<_>>());
        assert!(turns.line().threads.is_empty());
    }

    #[test]
    fn who_waited_enough_leaves_the_line() {
        let turns = Turns::default();
        let first = turns.now().unwrap();
        thread::scope(|scope| {
            let late = scope.spawn(|| turns.wait(&SystemClock, 5).is_none());
            assert!(late.join().unwrap());
        });
        assert_eq!(turns.line().threads.len(), 1);
        drop(first);
        assert!(turns.now().is_some());
    }
}
