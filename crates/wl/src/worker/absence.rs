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
    let began = SystemClock.ticks();
    loop {
        let error = match ask() {
            Err(error) if error.is_absence() => error,
            answer => {
                shift.note_absence(false);
                return answer;
            }
        };
        let waited = SystemClock.ticks().saturating_sub(began);
        if shift.stage() >= until || waited >= PATIENCE_MS && !shift.job.waits {
            return Err(error);
        }
        if shift.note_absence(true) {
            // Whoever shows it may be gone; the work goes on.
            _ = news.send(News::Away { reason: error.to_string() });
        }
        for _ in 0..PAUSE_MS / STEP_MS {
            if shift.stage() >= until {
                return Err(error);
            }
            SystemClock.sleep(STEP_MS);
        }
    }
}
