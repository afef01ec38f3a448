//! One task and sixty-four who want it. Not a list to drain.

use super::{FIELDS, Field, list_of, race};
use crate::{
    racer::{Racer, Said, Wish},
    tally::{Tally, sized},
    wl::{Read, Wl},
};
use serde_json::Value;

const RACERS: usize = 64;

/// Exactly one is told yes, and it is the one that the list names.
fn decided(racers: &[Racer], said: &[Said], task: &Value) -> Result<(), String> {
    let winners: Vec<usize> = (0..said.len()).filter(|n| matches!(said[*n], Said::Yes(_))).collect();
    let wrong: Vec<&Said> = said.iter().filter(|it| matches!(it, Said::Wrong(_))).collect();
    let [winner] = winners[..] else {
        return Err(format!("task {}: told yes: {winners:?}; {wrong:?}", task.word("id")));
    };
    if !wrong.is_empty() {
        return Err(format!("task {}: {wrong:?}", task.word("id")));
    }
    let holder = &task["claim"]["session"];
    let named = *holder == racers[winner].session.as_str();
    if named {
        Ok(())
    } else {
        Err(format!("task {} was won by {winner} and is {holder}'s", task.word("id")))
    }
}

fn run(field: Field, rounds: usize, tally: &mut Tally) {
    let wl = list_of(field.format, rounds);
    let racers = field.racers(&wl, RACERS);
    let rounds: Vec<Vec<Said>> = (1..=rounds).map(|id| race(&racers, |_| Wish::claim(id))).collect();
    let list = wl.json(&["list", "--all"]);
    for (n, said) in rounds.iter().enumerate() {
        let task = list.task("id", &(n + 1).to_string());
        tally.trial(decided(&racers, said, task).map_err(|it| format!("{}: {it}", field.about)));
    }
    let busy = rounds.iter().flatten().filter(|it| **it == Said::Busy).count();
    tally.count("told to come again", busy as u64);
    tally.trial(claimed_once(&wl).map_err(|it| format!("{}: {it}", field.about)));
}

/// The history tells of as many claims as there are tasks, whatever anybody was told.
fn claimed_once(wl: &Wl) -> Result<(), String> {
    let history = wl.json(&["changes", "--since", "0"]);
    let claims = history.items("events").iter().filter(|it| it.word("command") != "plan").count();
    let tasks = wl.json(&["list", "--all"]).items("tasks").len();
    if claims == tasks { Ok(()) } else { Err(format!("{claims} changes of {tasks} tasks")) }
}

#[test]
fn two_agents_never_claim_one_task() {
    let mut tally = Tally::new("R7 64 processes want one task");
    for field in FIELDS {
        run(field, sized(6, 1_000), &mut tally);
    }
    tally.end();
}
