//! A server that is away for a while: waited for, and told once. Not what is asked of it.

use super::{
    shift::{Shift, Stage},
    told::News,
};
use std::sync::mpsc::Sender;
use worklist::{
    Error,
    clock::{Clock, SystemClock},
};

/// So long one that does not answer is waited for, unless whatever may come is waited for anyway.
const PATIENCE_MS: u64 = 600_000;
/// Between two questions.
const PAUSE_MS: u64 = 1_000;
const STEP_MS: u64 = 50;

/// Asks until there is an answer, or until the run is at this stage.
pub(super) fn outlast<T>(
    shift: &Shift,
    news: &Sender<News>,
    until: Stage,
    ask: &mut dyn FnMut() -> Result<T, Error>,
) -> Result<T, Error> {
    let patience = Patience {
        clock: &SystemClock,
        limit: (!shift.job.waits).then_some(PATIENCE_MS),
        goes_on: &|| shift.stage() < until,
    };
    let answer = patience.ask(ask, &mut |error| {
        if shift.note_absence(true) {
            // Whoever shows it may be gone; the work goes on.
            _ = news.send(News::Away { reason: error.to_string() });
        }
    });
    if !answer.as_ref().is_err_and(Error::is_absence) {
        shift.note_absence(false);
    }
    answer
}

/// How long a server may be away.
struct Patience<'a> {
    clock: &'a dyn Clock,
    /// In milliseconds; none waits for ever.
    limit: Option<u64>,
    /// Whether an answer is wanted still.
    goes_on: &'a dyn Fn() -> bool,
}

impl Patience<'_> {
    /// Asks until somebody answers. Each time that nobody does is noted, except the last.
    fn ask<T>(
        &self,
        ask: &mut dyn FnMut() -> Result<T, Error>,
        note: &mut dyn FnMut(&Error),
    ) -> Result<T, Error> {
        let began = self.clock.ticks();
        loop {
            let error = match ask() {
                Err(error) if error.is_absence() => error,
                answer => return answer,
            };
            let waited = self.clock.ticks().saturating_sub(began);
            if !(self.goes_on)() || self.limit.is_some_and(|limit| waited >= limit) {
                return Err(error);
            }
            note(&error);
            for _ in 0..PAUSE_MS / STEP_MS {
                if !(self.goes_on)() {
                    return Err(error);
                }
                self.clock.sleep(STEP_MS);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};
    use worklist::time::Time;

    /// A clock on which time passes only by waiting.
    #[derive(Default)]
    struct Waiting(AtomicU64);

    impl Clock for Waiting {
        fn now(&self) -> Time {
            Time(0)
        }
        fn ticks(&self) -> u64 {
            self.0.load(Ordering::Relaxed)
        }
        fn boot(&self) -> String {
            String::new()
        }
        fn random(&self) -> u64 {
            0
        }
        fn sleep(&self, milliseconds: u64) {
            self.0.fetch_add(milliseconds, Ordering::Relaxed);
        }
    }

    fn away() -> Error {
        let error = Error::Unanswered { server: "db".to_owned(), reason: "nobody answers".to_owned() };
        assert!(error.is_absence());
        error
    }

    /// Asks a server that is back after so long; what came of it, after how long, and how often it was noted.
    fn asked(limit: Option<u64>, back: u64, ends: u64) -> (Result<(), Error>, u64, usize) {
        let clock = Waiting::default();
        let mut noted = 0;
        let patience = Patience { clock: &clock, limit, goes_on: &|| clock.ticks() < ends };
        let answer = patience
            .ask(&mut || if clock.ticks() < back { Err(away()) } else { Ok(()) }, &mut |_| noted += 1);
        (answer, clock.ticks(), noted)
    }

    const HOUR: u64 = 3_600_000;
    const NEVER: u64 = u64::MAX;

    #[test]
    fn one_that_comes_back_is_waited_for() {
        let (answer, after, noted) = asked(Some(PATIENCE_MS), 30_000, NEVER);
        assert!(answer.is_ok());
        assert_eq!((after, noted), (30_000, 30));
    }

    #[test]
    fn one_that_stays_away_is_given_up_after_ten_minutes() {
        let (answer, after, _) = asked(Some(PATIENCE_MS), HOUR, NEVER);
        assert!(answer.is_err_and(|it| it.is_absence()));
        assert_eq!(after, 600_000);
    }

    #[test]
    fn who_waits_for_whatever_comes_waits_for_that_too() {
        let (answer, after, _) = asked(None, HOUR, NEVER);
        assert!(answer.is_ok());
        assert_eq!(after, HOUR);
    }

    #[test]
    fn nobody_waits_once_the_run_ends() {
        let (answer, after, _) = asked(None, HOUR, 1_500);
        assert!(answer.is_err());
        assert_eq!(after, 1_500);
    }

    #[test]
    fn another_failure_is_an_answer() {
        let clock = Waiting::default();
        let patience = Patience { clock: &clock, limit: None, goes_on: &|| true };
        let other = || Error::Contended { file: "list".to_owned() };
        let answer = patience.ask::<()>(&mut || Err(other()), &mut |_| panic!("it is not away"));
        assert!(answer.is_err());
        assert_eq!(clock.ticks(), 0);
    }
}
