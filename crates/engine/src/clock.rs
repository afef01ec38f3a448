//! Time, chance and waiting: the one place that asks the machine for them. Rules are given the time as a value.
#![expect(clippy::disallowed_methods, reason = "this is the file that the lint points to")]

use crate::time::Time;
use std::{
    sync::OnceLock,
    thread,
    time::{Duration, Instant, SystemTime},
};

/// Where time, chance and waiting come from.
pub trait Clock: Send + Sync {
    /// The time of day. It can jump.
    fn now(&self) -> Time;
    /// Milliseconds of a clock that never jumps and stands still while the machine sleeps.
    fn ticks(&self) -> u64;
    /// The name of this run of the machine: ticks of two runs cannot be compared.
    fn boot(&self) -> String;
    /// Chance.
    fn random(&self) -> u64;
    /// Waits.
    fn sleep(&self, milliseconds: u64);
}

/// Waits for a moment: too short a time for a clock that can be another than the machine's.
#[cfg(target_os = "linux")]
pub(crate) fn pause(moment: Duration) {
    thread::sleep(moment);
}

/// The clocks of this machine.
#[derive(Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Time {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Time(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    #[cfg(target_os = "linux")]
    fn ticks(&self) -> u64 {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        u64::try_from(time.tv_sec * 1000 + time.tv_nsec / 1_000_000).unwrap_or(0)
    }

    #[cfg(not(target_os = "linux"))]
    fn ticks(&self) -> u64 {
        static START: OnceLock<Instant> = OnceLock::new();
        u64::try_from(START.get_or_init(Instant::now).elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn boot(&self) -> String {
        static BOOT: OnceLock<String> = OnceLock::new();
        BOOT.get_or_init(|| {
            // Where the machine does not tell, every process is a run of its own: leases then go by the time of day.
            let own = || format!("process-{}-{:?}", std::process::id(), Instant::now());
            std::fs::read_to_string("/proc/sys/kernel/random/boot_id")
                .map_or_else(|_| own(), |it| it.trim().to_owned())
        })
        .clone()
    }

    fn random(&self) -> u64 {
        let mut bytes = [0; 8];
        match getrandom::fill(&mut bytes) {
            Ok(()) => u64::from_le_bytes(bytes),
            Err(_) => {
                xxhash_rust::xxh3::xxh3_64(format!("{:?}{}", SystemTime::now(), self.ticks()).as_bytes())
            }
        }
    }

    fn sleep(&self, milliseconds: u64) {
        thread::sleep(Duration::from_millis(milliseconds));
    }
}
