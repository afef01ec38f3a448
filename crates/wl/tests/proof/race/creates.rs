//! All create at the same moment: no id is given twice, and nothing that was answered is missing. Not claims.

use super::{FIELDS, Field, race};
use crate::{
    racer::{Said, Wish},
    tally::{Tally, sized},
    wl::{FORMATS, Read, Wl},
};
use std::collections::BTreeMap;

const RACERS: usize = 64;

fn run(field: Field, format: &str, rounds: usize, tally: &mut Tally) {
    let wl = Wl::of_format(format, &[]);
    let racers = field.racers(&wl, RACERS);
    let mut answered: BTreeMap<String, usize> = BTreeMap::new();
    for round in 0..rounds {
        let subject = |n: usize| format!("made {round} by {n}");
        for (n, said) in race(&racers, |n| Wish::add(&subject(n))).into_iter().enumerate() {
            match said {
                Said::Yes(_) => *answered.entry(subject(n)).or_default() += 1,
                Said::Busy => tally.count("told to come again", 1),
                other => tally.trial(Err(format!("{format}, {}: {other:?}", field.about))),
            }
        }
    }
    let list = wl.json(&["list", "--all"]);
    let mut ids: BTreeMap<&str, usize> = BTreeMap::new();
    for task in list.items("tasks") {
        *ids.entry(task.word("id")).or_default() += 1;
        let known = answered.remove(task.word("subject"));
        let what = || format!("{format}, {}: {task} was answered {known:?} times", field.about);
        tally.check(known == Some(1), what);
    }
    tally.check(answered.is_empty(), || format!("{format}: lost {answered:?}"));
    let twice: Vec<_> = ids.iter().filter(|it| *it.1 > 1).collect();
    tally.check(twice.is_empty(), || format!("{format}: twice {twice:?}"));
}

#[test]
fn no_id_is_given_twice() {
    let mut tally = Tally::new("R7 64 processes create at once");
    for (n, format) in FORMATS.iter().enumerate() {
        run(FIELDS[n % FIELDS.len()], format, sized(1, 50), &mut tally);
    }
    tally.end();
}
