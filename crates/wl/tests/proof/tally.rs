//! How much is tried, and what came of it in one line: a zero stands beside the number of its trials. Not what a trial is.

use std::{collections::BTreeMap, fmt::Display};

/// So much in the short size, which runs with every test, or in the long one.
pub(crate) fn sized<T>(short: T, long: T) -> T {
    if std::env::var_os("WORKLIST_LONG").is_some() { long } else { short }
}

/// What was tried under one name.
pub(crate) struct Tally {
    name: &'static str,
    counts: BTreeMap<&'static str, u64>,
    trials: u64,
    wrong: Vec<String>,
}

impl Tally {
    pub(crate) fn new(name: &'static str) -> Tally {
        Tally { name, counts: BTreeMap::new(), trials: 0, wrong: Vec::new() }
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

    /// Counts something beside the trials: kills, acknowledged changes.
    pub(crate) fn count(&mut self, what: &'static str, more: u64) {
        *self.counts.entry(what).or_default() += more;
    }

    /// Prints the line, and fails if anything was wrong.
    #[track_caller]
    pub(crate) fn end(self) {
        let counts: Vec<String> =
            self.counts.iter().map(|(what, count)| format!(", {count} {what}")).collect();
        let counts = counts.concat();
        println!("{}: {} trials{counts}, {} wrong", self.name, self.trials, self.wrong.len());
        assert!(self.trials > 0, "{}: nothing was tried", self.name);
        let shown: Vec<&String> = self.wrong.iter().take(10).collect();
        assert!(shown.is_empty(), "{}: {shown:#?}", self.name);
    }
}
