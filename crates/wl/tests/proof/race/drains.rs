//! Thirty-two take whatever is ready until nothing is left. Not one task at a time: that is `one`.

use super::{FIELDS, Field, list_of};
use crate::{
    racer::{Racer, Said, Wish},
    tally::{Tally, sized},
    wl::Read,
};
use std::{collections::BTreeMap, sync::Barrier, thread};

const RACERS: usize = 32;
const TASKS: usize = 500;

/// What one of them was given.
fn drain(racer: &Racer, start: &Barrier) -> Result<Vec<String>, String> {
    start.wait();
    let mut claimed = Vec::new();
    loop {
        match racer.ask(&Wish::next()) {
            said @ Said::Yes(_) => claimed.push(said.id().ok_or_else(|| format!("{said:?}"))?),
            Said::Busy => {}
            Said::No => return Ok(claimed),
            Said::Wrong(what) => return Err(what),
        }
    }
}

fn run(field: Field, tally: &mut Tally) {
    let wl = list_of(field.format, TASKS);
    let racers = field.racers(&wl, RACERS);
    let start = Barrier::new(RACERS);
    let given: Vec<Result<Vec<String>, String>> = thread::scope(|scope| {
        let drains: Vec<_> = racers.iter().map(|it| scope.spawn(|| drain(it, &start))).collect();
        drains.into_iter().map(|it| it.join().expect("it drains")).collect()
    });
    let mut holders: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (racer, given) in racers.iter().zip(&given) {
        match given {
            Ok(ids) => ids.iter().for_each(|id| holders.entry(id.clone()).or_default().push(&racer.session)),
            Err(what) => tally.trial(Err(what)),
        }
    }
    let list = wl.json(&["list", "--all"]);
    for task in list.items("tasks") {
        let told = holders.remove(task.word("id")).unwrap_or_default();
        let holder = task["claim"]["session"].as_str().unwrap_or("nobody");
        let right = told == [holder];
        let what = format!("{}: task {}: told {told:?}, held by {holder}", field.about, task.word("id"));
        tally.check(right, || what);
    }
    tally.check(holders.is_empty(), || format!("no such tasks: {holders:?}"));
}

#[test]
fn every_task_is_given_to_one() {
    let mut tally = Tally::new("R7 32 processes drain lists of 500");
    let (lists, fields) = (sized(2, 20), sized(&FIELDS[3..4], &FIELDS[..]));
    for n in 0..lists {
        run(fields[n % fields.len()], &mut tally);
    }
    tally.count("lists", lists as u64);
    tally.end();
}
