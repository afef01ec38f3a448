//! The server's time of day, as far as this machine can tell it: for what is written into tasks. Leases do not go by it:
//! they go by what the server says itself.

use worklist::{
    clock::{Clock, SystemClock},
    time::Time,
};

/// This machine's clock, set right.
pub(crate) struct ServerClock {
    /// How many milliseconds the server is ahead.
    pub(crate) ahead: i64,
}

impl Clock for ServerClock {
    fn now(&self) -> Time {
        SystemClock.now().plus(self.ahead)
    }

    fn ticks(&self) -> u64 {
        SystemClock.ticks()
    }

    fn boot(&self) -> String {
        SystemClock.boot()
    }

    fn random(&self) -> u64 {
        SystemClock.random()
    }

    fn sleep(&self, milliseconds: u64) {
        SystemClock.sleep(milliseconds);
    }
}
