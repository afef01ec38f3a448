//! Whether what happened to a list is right: each task done once, none begun early, no number twice or missing.

use crate::{
    tally::Tally,
    wl::{Read, Wl},
};
use std::collections::{HashMap, HashSet};

pub(crate) fn audit(wl: &Wl, tasks: usize, tally: &mut Tally) {
    let all = wl.json(&["list", "--all"]);
    let mut blockers: HashMap<String, Vec<String>> = HashMap::new();
    for task in all.items("tasks") {
        tally.check(task["status"] == "completed", || format!("not done: {task}"));
        let ids = task["blockedBy"].as_array().into_iter().flatten().filter_map(|it| it.as_str());
        blockers.insert(task.word("id").to_owned(), ids.map(str::to_owned).collect());
    }
    tally.check(blockers.len() == tasks, || format!("{} tasks of {tasks}", blockers.len()));
    let events = wl.json(&["changes", "--since", "0"]);
    let (mut done, mut last) = (HashSet::new(), 0);
    for event in events.items("events") {
        let seq = event["seq"].as_u64().expect("a number");
        tally.check(seq == last + 1, || format!("{seq} follows {last}"));
        last = seq;
        for change in event["changes"].as_array().into_iter().flatten() {
            let (id, status) = (change.word("id").to_owned(), &change["fields"]["status"][1]);
            if status == "completed" {
                let first = done.insert(id.clone());
                tally.check(first, || format!("{id} was done twice"));
            } else if event["command"] == "next" && status != "pending" {
                let early = blockers[&id].iter().find(|it| !done.contains(*it));
                tally.check(early.is_none(), || format!("{id} was begun before {early:?} was done"));
            }
        }
    }
    tally.check(done.len() == tasks, || format!("{} of {tasks} were done", done.len()));
}
