//! How much is tried, and what came of it in one line: a zero stands beside the number of its trials. Not what a trial is.
#![expect(clippy::print_stdout, reason = "what was tried is told to whoever runs it")]

use std::fmt::Display;

/// So much in the short size, which runs with every test, or in the long one.
pub(crate) fn sized<T>(short: T, long: T) -> T {
    if std::env::var_os("WORKLIST_LONG").is_some() { long } else { short }
}

/// What was tried under one name.
pub(crate) struct Tally {
    name: &'static str,
    trials: u64,
    wrong: Vec<String>,
}

impl Tally {
    pub(crate) fn new(name: &'static str) -> Tally {
        Tally { name, trials: 0, wrong: Vec::new() }
    }

    /// One trial, and what was wrong with it if something was.
    pub(crate) fn trial<E: Display>(&mut self, outcome: Result<(), E>) {
        self.trials += 1;
        if let Err(what) = outcome {
            self.wrong.push(what.to_string());
        }
    }

    /// One trial that is right or not; what is wrong is told only then.
    pub(crate) fn check(&mut self, right: bool, wrong: impl FnOnce() -> String) {
        self.trial(if right { Ok(()) } else { Err(wrong()) });
    }

    /// Prints the line, and fails if anything was wrong.
    #[track_caller]
    pub(crate) fn end(self) {
        println!("{}: {} trials, {} wrong", self.name, self.trials, self.wrong.len());
        assert!(self.trials > 0, "{}: nothing was tried", self.name);
        let shown: Vec<&String> = self.wrong.iter().take(10).collect();
        assert!(shown.is_empty(), "{}: {shown:#?}", self.name);
    }
}
