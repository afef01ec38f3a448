//! A clock for simulations. Not tied to the real one in any way.

use crate::{clock::Clock, time::Time};
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

/// A clock that moves only when told to, and seeded chance. Clones are the same clock.
#[derive(Clone)]
pub struct SimClock(Arc<ClockState>);

struct ClockState {
    now: AtomicU64,
    ticks: AtomicU64,
    boots: AtomicU64,
    seed: AtomicU64,
    patient: bool,
}

impl SimClock {
    /// A clock whose chance follows from a seed. Whoever waits makes its time pass.
    pub fn new(seed: u64) -> SimClock {
        SimClock::with(seed, false)
    }

    /// The same, but waiting lets other threads run and no time pass: for tests with real threads.
    pub fn patient(seed: u64) -> SimClock {
        SimClock::with(seed, true)
    }

    fn with(seed: u64, patient: bool) -> SimClock {
        let state = ClockState {
            patient,
            now: AtomicU64::new(1_770_000_000_000),
            ticks: AtomicU64::new(1_000),
            boots: AtomicU64::new(1),
            seed: AtomicU64::new(seed),
        };
        SimClock(Arc::new(state))
    }

    /// Lets time pass.
    pub fn pass(&self, milliseconds: u64) {
        self.0.now.fetch_add(milliseconds, Ordering::Relaxed);
        self.0.ticks.fetch_add(milliseconds, Ordering::Relaxed);
    }

    /// Moves the time of day alone, as somebody setting the clock does.
    pub fn jump(&self, milliseconds: i64) {
        self.0.now.fetch_add(milliseconds.cast_unsigned(), Ordering::Relaxed);
    }

    /// A new run of the machine.
    pub fn reboot(&self) {
        self.0.boots.fetch_add(1, Ordering::Relaxed);
        self.0.ticks.store(1_000, Ordering::Relaxed);
        self.pass(1_000);
    }

    pub(super) fn nanoseconds(&self) -> i64 {
        (self.0.now.load(Ordering::Relaxed) * 1_000_000).cast_signed()
    }
}

impl Clock for SimClock {
    fn now(&self) -> Time {
        Time(self.0.now.load(Ordering::Relaxed).cast_signed())
    }

    fn ticks(&self) -> u64 {
        self.0.ticks.load(Ordering::Relaxed)
    }

    fn boot(&self) -> String {
        self.0.boots.load(Ordering::Relaxed).to_string()
    }

    /// splitmix64
    fn random(&self) -> u64 {
        let mut z = self.0.seed.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn sleep(&self, milliseconds: u64) {
        if self.0.patient {
            std::thread::yield_now();
        } else {
            self.pass(milliseconds);
        }
    }
}
