//! The person at the other end: lines that they type, and questions that they answer. Not what is said to them.

use super::interrupt::Interrupts;
use std::{
    io::{BufRead, IsTerminal},
    sync::{
        Mutex, OnceLock, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};

/// So often it is looked whether Ctrl-C was pressed.
const STEP: Duration = Duration::from_millis(25);

/// Standard input, read in a thread of its own so that waiting for it can be broken off.
pub(super) struct Person {
    lines: OnceLock<Mutex<Receiver<String>>>,
    is_there: bool,
    interrupts: Interrupts,
}

/// What a person typed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Typed {
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// There is nothing more to come.
    End,
}

impl Person {
    pub(super) fn new(interrupts: Interrupts) -> Person {
        Person { lines: OnceLock::new(), is_there: std::io::stdin().is_terminal(), interrupts }
    }

    /// Whether there is somebody who can be asked.
    pub(super) fn is_there(&self) -> bool {
        self.is_there
    }

    /// The next line.
    pub(super) fn line(&self) -> Typed {
        let lines = self.lines.get_or_init(listen).lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if self.interrupts.came() {
                return Typed::Interrupt;
            }
            match lines.recv_timeout(STEP) {
                Ok(line) => return Typed::Line(line),
                Err(RecvTimeoutError::Disconnected) => return Typed::End,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Forgets what was typed so far: it is no answer to a question that comes now.
    pub(super) fn forget(&self) {
        let lines = self.lines.get_or_init(listen).lock().unwrap_or_else(PoisonError::into_inner);
        while lines.try_recv().is_ok() {}
    }

    /// Whether the answer to a question is yes. Whatever is not clearly a yes is a no.
    pub(super) fn says_yes(&self) -> bool {
        match self.line() {
            Typed::Line(line) => matches!(line.trim().to_lowercase().as_str(), "y" | "yes"),
            Typed::Interrupt | Typed::End => false,
        }
    }
}

fn listen() -> Mutex<Receiver<String>> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        let mut bytes = Vec::new();
        while input.read_until(b'\n', &mut bytes).is_ok_and(|it| it > 0) {
            let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
            bytes.clear();
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    Mutex::new(lines)
}
