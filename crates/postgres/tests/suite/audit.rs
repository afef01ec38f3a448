//! What a history must look like afterwards, whatever happened on the way: nothing lost, nothing double, nothing early.
//! Not how it came to be.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};
use worklist::{TaskId, TaskList, claim::Entry, event::Event, rules::Change};

/// A completion that somebody was told of.
#[derive(Debug, Clone)]
pub(crate) struct Acknowledged {
    pub(crate) id: TaskId,
    pub(crate) token: u64,
    pub(crate) seq: u64,
}

/// Everything that is wrong with a list that should be done.
pub(crate) fn faults(list: &TaskList, told: &[Acknowledged]) -> Vec<String> {
    let events = list.events_after(0).expect("history");
    let mut faults = faults_on_the_way(list);
    let completions = completions(&events);
    for it in told {
        match completions.get(&it.id).map(Vec::as_slice) {
            Some([(seq, token)]) if *seq == it.seq && *token == Some(it.token) => {}
            other => faults.push(format!("{it:?} was told, and history has {other:?}")),
        }
    }
    for task in list.board().expect("a board").tasks {
        if task.task.is_open() {
            faults.push(format!("{} is not done", task.task.id));
        }
    }
    faults
}

/// Everything that is wrong with a history, finished or not.
pub(crate) fn faults_on_the_way(list: &TaskList) -> Vec<String> {
    let events = list.events_after(0).expect("history");
    gaps(&events).into_iter().chain(disorder(&events)).collect()
}

/// Numbers that are missing or stand twice.
fn gaps(events: &[Event]) -> Vec<String> {
    let wrong = (1..).zip(events).filter(|(n, event)| event.seq != *n);
    wrong.map(|(n, event)| format!("event {} stands where {n} belongs", event.seq)).collect()
}

/// Every completion by task: its number, and the claim under which it was made.
fn completions(events: &[Event]) -> HashMap<TaskId, Vec<(u64, Option<u64>)>> {
    let mut found: HashMap<TaskId, Vec<(u64, Option<u64>)>> = HashMap::new();
    for event in events {
        for change in event.changes.iter().filter(|it| finishes(it)) {
            let token = change.before.as_ref().and_then(|it| it.standing.claim.as_ref()).map(|it| it.token);
            found.entry(change.id.clone()).or_default().push((event.seq, token));
        }
    }
    found
}

/// Whether a change finishes a task; others may well change one that is done.
fn finishes(change: &Change) -> bool {
    let is_done = |it: &Option<Arc<Entry>>| it.as_ref().is_some_and(|it| !it.task.is_open());
    is_done(&change.after) && !is_done(&change.before)
}

/// What was done twice, taken while another had it, or started before what it waits for was done.
fn disorder(events: &[Event]) -> Vec<String> {
    let mut faults = Vec::new();
    let (mut done, mut tokens) = (HashSet::new(), HashSet::new());
    for (event, change) in events.iter().flat_map(|event| event.changes.iter().map(move |it| (event, it))) {
        let claim = |it: &Option<Arc<Entry>>| it.as_ref().and_then(|it| it.standing.claim.clone());
        let (before, after) = (claim(&change.before), claim(&change.after));
        if let Some(new) = after.filter(|it| before.as_ref().is_none_or(|old| old.token != it.token)) {
            let waits = change.after.iter().flat_map(|it| &it.task.blocked_by).find(|it| !done.contains(*it));
            if let Some(blocker) = waits {
                faults.push(format!("{}: started before {blocker}, by event {}", change.id, event.seq));
            }
            if !tokens.insert(new.token) {
                faults.push(format!("{}: the number {} was given twice", change.id, new.token));
            }
        }
        if finishes(change) && !done.insert(change.id.clone()) {
            faults.push(format!("{}: done twice, by event {}", change.id, event.seq));
        }
    }
    faults
}
