//! One of ours in the list: creates, changes, completes and removes until it is told to stop, and remembers what it was
//! answered. Not what is checked of it.

use crate::wl::{Read, Wl};
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
};

/// What one of ours knows when it ends: its tasks as they must stand, those that must be gone, and its last word on the
/// tasks that it shares with others.
#[derive(Default)]
pub(super) struct Known {
    pub(super) standing: BTreeMap<String, (String, &'static str)>,
    pub(super) removed: Vec<String>,
    pub(super) shared: BTreeMap<String, String>,
    pub(super) acknowledged: u64,
    pub(super) busy: u64,
}

impl Known {
    /// Runs a command until it is done: that somebody else holds a lock for long is no loss, and counted.
    fn done(&mut self, wl: &Wl, words: &[&str]) -> String {
        loop {
            let run = wl.run(&[words, &["--json"]].concat());
            if run.out.contains("\"locked\"") || run.out.contains("\"contended\"") {
                self.busy += 1;
                continue;
            }
            let document = run.code(0).json();
            self.acknowledged += 1;
            return document["task"]["id"].as_str().unwrap_or_default().to_owned();
        }
    }

    fn turn(&mut self, wl: &Wl, worker: usize, n: usize, shared: &str) {
        let subject = format!("ours {worker}.{n}");
        let id = self.done(wl, &["add", &subject]);
        match n % 4 {
            0 => {
                self.done(wl, &["claim", &id]);
                self.done(wl, &["done", &id]);
                self.standing.insert(id, (subject, "completed"));
            }
            1 => {
                self.done(wl, &["rm", &id]);
                self.removed.push(id);
            }
            2 => {
                let changed = format!("{subject} changed");
                self.done(wl, &["edit", &id, "--subject", &changed]);
                self.standing.insert(id, (changed, "pending"));
            }
            _ => _ = self.standing.insert(id, (subject, "pending")),
        }
        let word = format!("shared {worker}.{n}");
        self.done(wl, &["edit", shared, "--subject", &word]);
        self.shared.insert(shared.to_owned(), word);
    }
}

/// Works until it is told to stop; each of ours has a shared task of its own.
pub(super) fn work(wl: &Wl, worker: usize, shared: &str, stop: &AtomicBool) -> Known {
    let wl = wl.by(&format!("w{worker}"));
    let mut known = Known::default();
    let mut n = 0;
    while !stop.load(Ordering::Acquire) {
        known.turn(&wl, worker, n, shared);
        n += 1;
    }
    known
}

/// What of that is not so.
pub(super) fn missing(known: &Known, wl: &Wl) -> Vec<String> {
    let list = wl.json(&["list", "--all"]);
    let tasks: BTreeMap<&str, (&str, &str)> = list
        .items("tasks")
        .iter()
        .map(|it| (it.word("id"), (it.word("subject"), it.word("status"))))
        .collect();
    let standing = known
        .standing
        .iter()
        .filter(|(id, (subject, status))| tasks.get(id.as_str()) != Some(&(subject.as_str(), *status)));
    let standing = standing.map(|(id, it)| format!("{id} is {:?} and not {it:?}", tasks.get(id.as_str())));
    let removed = known.removed.iter().filter(|id| tasks.contains_key(id.as_str()));
    let removed = removed.map(|id| format!("{id} was removed and is there"));
    let shared =
        known.shared.iter().filter(|(id, word)| tasks.get(id.as_str()).map(|it| it.0) != Some(word.as_str()));
    let shared = shared.map(|(id, word)| format!("{id} is {:?} and not {word:?}", tasks.get(id.as_str())));
    standing.chain(removed).chain(shared).collect()
}
