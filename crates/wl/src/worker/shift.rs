//! What all workers of one run share: the job, and whether to go on. Not what any of them does.

use super::{Job, Runs, claims::Claims};
use crate::failure::Failure;
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
};
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU8, Ordering},
    },
    thread,
};
use worklist::{TaskId, rules::NextTask};

/// How far it is with a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(super) enum Stage {
    /// Tasks are begun.
    Working,
    /// No new ones are; what was begun is finished.
    Draining,
    /// What was begun is stopped and given back.
    Stopping,
}

pub(super) struct Shift {
    pub(super) job: Job,
    pub(super) runs: Runs,
    pub(super) claims: Claims,
    stage: AtomicU8,
    /// Whether it was said that the server is away.
    is_away: AtomicBool,
    /// How often the command of a task has given it back.
    given_back: Mutex<HashMap<TaskId, u32>>,
}

impl Shift {
    pub(super) fn new(job: Job, runs: Runs) -> Shift {
        Shift {
            job,
            runs,
            claims: Claims::default(),
            stage: AtomicU8::new(0),
            is_away: AtomicBool::new(false),
            given_back: Mutex::default(),
        }
    }

    pub(super) fn stage(&self) -> Stage {
        match self.stage.load(Ordering::Relaxed) {
            0 => Stage::Working,
            1 => Stage::Draining,
            _ => Stage::Stopping,
        }
    }

    /// Whether new tasks are begun. If not, the run was ended before its time.
    pub(super) fn begins(&self) -> bool {
        self.stage() == Stage::Working
    }

    /// The command of a task has given it back.
    pub(super) fn give_back(&self, id: &TaskId) {
        *self.given_back.lock().unwrap_or_else(PoisonError::into_inner).entry(id.clone()).or_default() += 1;
    }

    /// What is wanted now: what was given back too often is for others.
    pub(super) fn wanted(&self) -> NextTask {
        let given_back = self.given_back.lock().unwrap_or_else(PoisonError::into_inner);
        let often = given_back.iter().filter(|(_, count)| **count >= self.job.attempts);
        NextTask { except: often.map(|(id, _)| id.clone()).collect(), ..self.job.wanted.clone() }
    }

    /// Whether the server is away, as somebody has just found; true if that is news.
    pub(super) fn note_absence(&self, is_away: bool) -> bool {
        self.is_away.swap(is_away, Ordering::Relaxed) != is_away
    }

    /// One stage further.
    fn further(&self) {
        self.stage.fetch_add(1, Ordering::Relaxed);
    }
}

/// Once: no new tasks. Twice, or a word from elsewhere: stop.
pub(super) fn obey_signals(shift: &Arc<Shift>) -> Result<(), Failure> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])
        .map_err(|error| Failure::other("listen to signals", &error))?;
    let shift = shift.clone();
    thread::spawn(move || {
        for signal in signals.forever() {
            shift.further();
            if signal != SIGINT {
                shift.further();
            }
        }
    });
    Ok(())
}
