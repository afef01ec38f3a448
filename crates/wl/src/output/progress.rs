//! A sign that something long is going on, on standard error of a terminal. In a pipe there is none.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// A bar, or nothing where nobody would see it.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    pub(super) fn new(what: &str, seen: bool) -> Progress {
        if !seen {
            return Progress(ProgressBar::hidden());
        }
        let bar = ProgressBar::new_spinner().with_message(what.to_owned());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        Progress(bar)
    }

    /// So much of it is done.
    pub(crate) fn at(&self, done: usize, total: usize) {
        if self.0.length() != Some(total as u64) {
            self.0.set_length(total as u64);
            if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}") {
                self.0.set_style(style);
            }
        }
        self.0.set_position(done as u64);
    }

    /// What is being done now.
    pub(crate) fn now(&self, what: &str) {
        self.0.set_message(what.to_owned());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
