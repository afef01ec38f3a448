//! A sign that something long is going on, on standard error of a terminal. In a pipe there is none.

use super::width::cut;
use std::{
    io::Write,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread::{self, JoinHandle},
    time::Duration,
};

/// It is drawn so often, and for the first time after this long: what is over sooner needs no sign.
const PAUSE: Duration = Duration::from_millis(100);
/// The columns of a terminal that does not say how many it has.
const COLUMNS: usize = 80;
const BAR: usize = 24;

/// A line that shows how far it is, or nothing where nobody would see it.
pub(crate) struct Progress(Option<Shown>);

struct Shown {
    state: Arc<Mutex<State>>,
    /// Dropped to end the drawing.
    end: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// How far it is.
#[derive(Debug, Clone, Default)]
struct State {
    what: String,
    done: usize,
    /// Zero if nobody knows yet.
    total: usize,
}

impl Progress {
    pub(super) fn new(what: &str, seen: bool, ascii: bool) -> Progress {
        if !seen {
            return Progress(None);
        }
        let state = Arc::new(Mutex::new(State { what: what.to_owned(), ..State::default() }));
        let (end, ended) = mpsc::channel();
        let drawn = state.clone();
        let draw = move || draw(&drawn, &ended, ascii);
        // Without it nothing is missing but the sign.
        let thread = thread::Builder::new().name("progress".to_owned()).spawn(draw).ok();
        Progress(Some(Shown { state, end: Some(end), thread }))
    }

    /// So much of it is done.
    pub(crate) fn at(&self, done: usize, total: usize) {
        self.change(|it| (it.done, it.total) = (done, total));
    }

    /// What is being done now.
    pub(crate) fn now(&self, what: &str) {
        self.change(|it| what.clone_into(&mut it.what));
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        if let Some(shown) = &self.0 {
            change(&mut shown.state.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // One that died has nothing more to draw.
            _ = thread.join();
        }
    }
}

/// Draws until the end, and leaves nothing behind.
fn draw(state: &Mutex<State>, ended: &mpsc::Receiver<()>, ascii: bool) {
    let mut turns = 0;
    while ended.recv_timeout(PAUSE) == Err(mpsc::RecvTimeoutError::Timeout) {
        let state = state.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let size = terminal_size::terminal_size_of(std::io::stderr());
        let columns = size.map_or(COLUMNS, |(columns, _)| usize::from(columns.0));
        // The last column stays free: in it some terminals begin a new line.
        let line = cut(&line(&state, turns, ascii), columns.saturating_sub(1));
        _ = write!(std::io::stderr(), "\r{line}\x1b[K");
        turns += 1;
    }
    if turns > 0 {
        _ = write!(std::io::stderr(), "\r\x1b[K");
    }
}

fn line(state: &State, turns: usize, ascii: bool) -> String {
    let State { what, done, total } = state;
    if *total == 0 {
        let wheel = if ascii { "|/-\\" } else { "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏" };
        let letter = wheel.chars().nth(turns % wheel.chars().count()).unwrap_or_default();
        return format!("{letter} {what}");
    }
    let full = BAR * done.min(total) / total;
    let (on, off) = if ascii { ("#", ".") } else { ("█", "░") };
    format!("{what} {}{} {done}/{total}", on.repeat(full), off.repeat(BAR - full))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far_it_is() {
        let state = |done, total| State { what: "reading".to_owned(), done, total };
        assert_eq!(line(&state(0, 0), 5, true), "/ reading");
        assert_eq!(line(&state(0, 0), 11, false), "⠙ reading");
        assert_eq!(line(&state(0, 3), 0, true), "reading ........................ 0/3");
        assert_eq!(line(&state(1, 3), 0, false), "reading ████████░░░░░░░░░░░░░░░░ 1/3");
        // Tasks that come while others are counted are no reason to draw beyond the end.
        assert_eq!(line(&state(4, 3), 0, true), "reading ######################## 4/3");
        assert_eq!(line(&state(usize::MAX / BAR, usize::MAX / BAR), 0, true).matches('#').count(), BAR);
    }

    #[test]
    fn nobody_sees_what_is_not_drawn() {
        let hidden = Progress::new("reading", false, false);
        hidden.at(1, 2);
        hidden.now("writing");
        assert!(hidden.0.is_none());
    }
}
