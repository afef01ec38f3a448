//! A mixed fleet in one list: three real clients, a program that keeps to the clients' locks, and four of ours, all
//! creating, changing and deleting at once. Not one client alone: that is `clients`.

mod ours;
mod theirs;

use crate::{
    claude::Claude,
    model::{Asked, Model, Returned},
    tally::{Tally, sized},
    wl::{Read, Wl},
};
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};
use theirs::{Neighbour, made, prompt, script, updated};

const CLIENTS: usize = 3;
const OURS: usize = 4;
const FOLDER: &str = "home/.claude/tasks/team";

/// What a round left behind.
struct Round {
    wl: Wl,
    known: Vec<ours::Known>,
    returned: Vec<Returned>,
    counts: BTreeMap<String, u64>,
    failed: u64,
}

fn run(round: usize) -> Round {
    let wl = Wl::new().with("CLAUDE_CODE_TASK_LIST_ID", "team");
    wl.ok(&["init", FOLDER, "--format", "claude"]);
    let shared: Vec<String> =
        (0..OURS).map(|n| wl.json(&["add", &format!("shared {n}")])["task"].word("id").to_owned()).collect();
    let model = Model::playing((0..CLIENTS).map(|it| script(it, round, shared.clone())));
    let neighbour = Neighbour::start(&wl, FOLDER, &shared);
    let stop = AtomicBool::new(false);
    let known = thread::scope(|scope| {
        let (wl, stop) = (&wl, &stop);
        let shared = shared.iter().enumerate();
        let ours: Vec<_> = shared.map(|(n, id)| scope.spawn(move || ours::work(wl, n, id, stop))).collect();
        let claude = Claude::new(wl, &model).list("team");
        let clients: Vec<_> = (0..CLIENTS).map(|it| claude.start(&prompt(it, round))).collect();
        for client in clients {
            assert_eq!(client.end().result(), "done");
        }
        stop.store(true, Ordering::Release);
        ours.into_iter().map(|it| it.join().expect("it works")).collect()
    });
    let (counts, failed) = neighbour.end();
    let asked = (0..CLIENTS).flat_map(|it| model.asked(&prompt(it, round)));
    Round { known, returned: asked.flat_map(|it| Asked::results(&it)).collect(), counts, failed, wl }
}

impl Round {
    /// Every id that anybody was ever given, and to whom.
    fn given(&self) -> BTreeMap<String, Vec<String>> {
        let of_one = |it: &ours::Known| {
            let standing = it.standing.iter().map(|(id, (subject, _))| (id.clone(), subject.clone()));
            let removed = it.removed.iter().map(|id| (id.clone(), "one of ours that was removed".to_owned()));
            standing.chain(removed).collect::<Vec<_>>()
        };
        let theirs = self.returned.iter().filter_map(|it| made(&it.text));
        let mut given: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (id, what) in self.known.iter().flat_map(of_one).chain(theirs) {
            given.entry(id).or_default().push(what);
        }
        given
    }

    /// What we know of the past of a task.
    fn past(&self, id: &str) -> String {
        self.wl.run(&["log", id, "--json"]).out
    }

    /// What the clients were told to be there or gone, and is not.
    fn missing_of_theirs(&self) -> Vec<String> {
        let list = self.wl.json(&["list", "--all"]);
        let there = |id: &str| list.items("tasks").iter().any(|it| it["id"] == id);
        let deleted: Vec<&str> = self.returned.iter().filter_map(|it| deleted(&it.text)).collect();
        let made: Vec<(String, String)> = self.returned.iter().filter_map(|it| made(&it.text)).collect();
        let wrong = made.iter().filter(|(id, _)| there(id) == deleted.contains(&id.as_str()));
        wrong
            .map(|(id, subject)| {
                let told = if there(id) { "is there, and its client removed it" } else { "is not there" };
                format!("#{id} {subject} {told}: {}", self.past(id))
            })
            .collect()
    }

    /// Counts of the other program that are not in the files.
    fn missing_counts(&self) -> Vec<String> {
        let list = self.wl.json(&["list", "--all"]);
        let found = |id: &str| list.task("id", id)["metadata"]["theirs"].as_u64().unwrap_or_default();
        let wrong = self.counts.iter().filter(|(id, count)| found(id) != **count);
        wrong.map(|(id, count)| format!("{id}: {count} counted, {} there", found(id))).collect()
    }

    fn check(&self, tally: &mut Tally) {
        let twice: Vec<String> = self
            .given()
            .into_iter()
            .filter(|it| it.1.len() > 1)
            .map(|(id, to)| format!("#{id} was given to {to:?}: {}", self.past(&id)))
            .collect();
        let ours = self.known.iter().flat_map(|it| ours::missing(it, &self.wl));
        let wrong: Vec<String> = twice
            .into_iter()
            .chain(ours)
            .chain(self.missing_of_theirs())
            .chain(self.missing_counts())
            .collect();
        tally.check(wrong.is_empty(), || wrong.join("; "));
        tally.count("changes of ours", self.known.iter().map(|it| it.acknowledged).sum());
        tally.count("waits of ours given up and repeated", self.known.iter().map(|it| it.busy).sum());
        tally.count("changes of the other program", self.counts.values().sum());
        tally.count("of its locks not got", self.failed);
    }
}

/// The task that a client removed.
fn deleted(text: &str) -> Option<&str> {
    updated(text).filter(|it| it.1.starts_with("deleted")).map(|it| it.0)
}

/// Whether a client was told anything else than that it was done.
fn failed(returned: &Returned) -> bool {
    let done = ["Task #", "Updated task #", "#"].iter().any(|it| returned.text.starts_with(it));
    returned.is_error || !done
}

#[test]
fn a_mixed_fleet_loses_nothing() {
    let mut tally = Tally::new("R11 three clients, a program with their locks, four of ours");
    let (mut calls, mut errors) = (0, Vec::new());
    for round in 0..sized(1, 30) {
        let round = run(round);
        round.check(&mut tally);
        calls += round.returned.len();
        errors.extend(round.returned.into_iter().filter(failed));
    }
    tally.count("calls of the clients", calls as u64);
    tally.count("of them failed", errors.len() as u64);
    // The clients read without a lock while others of them write in place: one in a hundred may find a torn file.
    assert!(errors.len() * 100 <= calls.max(100), "more than one in a hundred: {errors:?}");
    tally.end();
}
