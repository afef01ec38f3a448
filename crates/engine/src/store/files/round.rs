//! A round: changes of threads that waited for the list one after the other, decided one upon the other, and written together.
//! The journal is flushed once for all of them, and none is answered before. Not whose turn it is, nor what is decided.
//!
//! What a round decides counts for those who come after in it, and for nobody else: on the disk nothing has happened until all
//! of it does. If others came between, or something cannot be written, nothing was done, and each begins anew by itself.

use super::{
    BRIEF_MS, Files,
    commit::{self, Outcome},
    hold::{Held, Turn},
    log::Log,
    prepare::{Prepared, Write},
};
use crate::{store::Error, vfs::Lock};
use std::{
    io,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
};

/// So many changes are written together at most: another process may be waiting, too.
const MOST: usize = 16;

/// What those who are in it will write, and the list's lock, which they share.
pub(super) struct Round {
    pub(super) log: Log,
    prepared: Prepared,
    tickets: Tickets,
    lock: Lock,
}

/// Those who wait for the end of a round. Whatever becomes of it, they are told.
#[derive(Default)]
struct Tickets {
    open: Vec<Arc<Ticket>>,
    /// Whether it is being written: what becomes of it then is not known before the end.
    is_begun: bool,
}

/// What became of a round, for one who was in it.
pub(super) enum Fate {
    Done,
    /// Nothing was done: to be decided anew, by itself.
    Alone,
    Failed(Error),
}

/// A place in a round.
#[derive(Default)]
pub(super) struct Ticket {
    fate: Mutex<Option<Fate>>,
    told: Condvar,
}

impl Round {
    /// Begins with a change.
    pub(super) fn open(
        lock: Lock,
        log: Log,
        prepared: &mut Prepared,
    ) -> Result<(Box<Round>, Arc<Ticket>), Error> {
        let (nothing, tickets) = (Prepared::default(), Tickets::default());
        let mut round = Round { log, prepared: nothing, tickets, lock };
        let ticket = round.add(prepared)?;
        Ok((Box::new(round), ticket))
    }

    /// Adds a change that was decided upon those before it.
    pub(super) fn add(&mut self, prepared: &mut Prepared) -> Result<Arc<Ticket>, Error> {
        self.log.stage(prepared.records())?;
        self.prepared.join(prepared);
        let ticket = Arc::new(Ticket::default());
        self.tickets.open.push(ticket.clone());
        Ok(ticket)
    }

    /// What will be written.
    pub(super) fn writes(&self) -> &[Write] {
        self.prepared.writes()
    }

    pub(super) fn is_full(&self) -> bool {
        self.tickets.open.len() >= MOST
    }

    /// Goes on to the next in line; if there is none, it is finished.
    pub(super) fn go_on(self: Box<Self>, files: &Files, turn: Turn<'_>) {
        if let Err((turn, round)) = turn.pass_on(self) {
            drop(round.finish(files, turn));
        }
    }

    /// Writes everything and tells everybody. The list is still held then.
    pub(super) fn finish<'a>(self: Box<Self>, files: &Files, turn: Turn<'a>) -> Held<'a> {
        let Round { log, prepared, mut tickets, lock } = *self;
        tickets.is_begun = true;
        let written = commit::commit(files, Some(log), &prepared, BRIEF_MS);
        for ticket in tickets.open.drain(..) {
            ticket.tell(match &written {
                Ok(Outcome::Done) => Fate::Done,
                Err(Error::Unsettled(error)) => Fate::Failed(Error::Unsettled(Box::new(same(error)))),
                // Nothing was promised. Whose fault it is shows when each is by itself.
                Ok(Outcome::Changed(_) | Outcome::Collided(_)) | Err(_) => Fate::Alone,
            });
        }
        Held::new(lock, turn)
    }
}

impl Drop for Tickets {
    /// Whoever had the round is dying of something else.
    fn drop(&mut self) {
        for ticket in self.open.drain(..) {
            ticket.tell(if self.is_begun { Fate::Failed(died()) } else { Fate::Alone });
        }
    }
}

impl Ticket {
    fn fate(&self) -> MutexGuard<'_, Option<Fate>> {
        self.fate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, fate: Fate) {
        *self.fate() = Some(fate);
        self.told.notify_one();
    }

    /// Waits until the round is over. It is in somebody's hands until then, whatever becomes of it.
    pub(super) fn wait(&self) -> Fate {
        let mut fate = self.fate();
        loop {
            match fate.take() {
                Some(fate) => return fate,
                None => fate = self.told.wait(fate).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

fn died() -> Error {
    let source = io::Error::other("the thread that was writing it for others died");
    Error::Io { action: "finish a change of", file: "the list".to_owned(), source }
}

/// The same failure once more: each who was in the round is told of it.
fn same(error: &Error) -> Error {
    match error {
        Error::Io { action, file, source } => Error::Io {
            action,
            file: file.clone(),
            source: io::Error::new(source.kind(), source.to_string()),
        },
        Error::Contended { file } => Error::Contended { file: file.clone() },
        other => Error::Io {
            action: "put in place",
            file: "the list".to_owned(),
            source: io::Error::other(other.to_string()),
        },
    }
}
