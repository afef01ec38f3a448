//! Ctrl-C: the first breaks off what is going on, the second ends the program. Not who breaks off what: each wait asks.

use signal_hook::{consts::SIGINT, iterator::Signals};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    thread,
};

/// How often Ctrl-C was pressed since it was last heeded.
#[derive(Debug, Clone, Default)]
pub(super) struct Interrupts(Arc<AtomicU32>);

impl Interrupts {
    /// Listens from now on, for as long as the process lives.
    pub(super) fn listen() -> std::io::Result<Interrupts> {
        let interrupts = Interrupts::default();
        let count = interrupts.0.clone();
        let mut signals = Signals::new([SIGINT])?;
        thread::spawn(move || {
            for _ in signals.forever() {
                count.fetch_add(1, Ordering::SeqCst);
            }
        });
        Ok(interrupts)
    }

    /// Whether what is going on shall be broken off.
    pub(super) fn came(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 0
    }

    /// Whether the whole program shall end.
    pub(super) fn insisted(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 1
    }

    /// It was heeded.
    pub(super) fn clear(&self) {
        self.0.store(0, Ordering::SeqCst);
    }
}
