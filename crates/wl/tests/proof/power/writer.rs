//! Writers that work until the power fails, and what they were promised by then. Not when it fails.

use super::machine::Machine;
use serde_json::Value;
use std::{
    collections::HashMap,
    sync::atomic::{AtomicBool, Ordering},
    sync::mpsc::Sender,
};

/// What a writer was told of one task.
#[derive(Debug)]
pub(crate) struct Promise {
    id: String,
    /// As the last acknowledgement left it.
    sure: State,
    /// As one more command would have left it, of which nothing was heard.
    perhaps: Option<State>,
    /// What the history must know of it.
    told: Vec<&'static str>,
}

/// What there is of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    Is { status: String, description: String },
    Gone,
}

impl State {
    fn is(status: &str, description: &str) -> State {
        State::Is { status: status.to_owned(), description: description.to_owned() }
    }
}

pub(crate) struct Writer<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) name: String,
    /// It stops after so many acknowledgements.
    pub(crate) most: usize,
    /// Set before the cut begins: what is read later may have been said during the cut.
    pub(crate) is_cut: &'a AtomicBool,
    /// Told of each acknowledgement.
    pub(crate) told: Sender<()>,
}

/// Something that is done to a task after it was made: the command, and its name in the history.
struct Step {
    words: &'static [&'static str],
    event: &'static str,
}

const LIFE: [Step; 4] = [
    Step { words: &["claim"], event: "claim" },
    Step { words: &["edit", "-d", "edited"], event: "edit" },
    Step { words: &["done"], event: "complete" },
    Step { words: &["rm"], event: "delete" },
];

impl Step {
    /// What the task is then.
    fn then(&self) -> State {
        match self.event {
            "claim" => State::is("in_progress", "new"),
            "edit" => State::is("in_progress", "edited"),
            "complete" => State::is("completed", "edited"),
            _ => State::Gone,
        }
    }
}

impl Writer<'_> {
    /// Works until the power fails, or it has done its share.
    pub(crate) fn work(mut self) -> Vec<Promise> {
        let mut promises = Vec::new();
        let mut n = 0;
        while let Some(added) = self.acknowledged(&["add", &format!("{} {n}", self.name), "-d", "new"]) {
            let mut promise = Promise {
                id: added["task"]["id"].as_str().expect("an id").to_owned(),
                sure: State::is("pending", "new"),
                perhaps: None,
                told: vec!["create"],
            };
            // Every other one is left as a completed task, the others are removed in the end.
            let steps = if n % 2 == 0 { 3 } else { 4 };
            let whole = LIFE[..steps].iter().all(|step| self.step(&mut promise, step));
            promises.push(promise);
            if !whole {
                break;
            }
            n += 1;
        }
        promises
    }

    fn step(&mut self, promise: &mut Promise, step: &Step) -> bool {
        let arguments = [&step.words[..1], &[promise.id.as_str()], &step.words[1..]].concat();
        if self.most == 0 {
            return false;
        }
        promise.perhaps = Some(step.then());
        if self.acknowledged(&arguments).is_none() {
            return false;
        }
        (promise.sure, promise.perhaps) = (step.then(), None);
        promise.told.push(step.event);
        true
    }

    /// Runs a command; its document, if it said so before the cut began.
    fn acknowledged(&mut self, arguments: &[&str]) -> Option<Value> {
        self.most = self.most.checked_sub(1)?;
        loop {
            let output = self.machine.run(&[arguments, &["--json", "--as", &self.name]].concat());
            if self.is_cut.load(Ordering::SeqCst) {
                return None;
            }
            let said = String::from_utf8_lossy(&output.stdout);
            if output.status.success() {
                // Nobody may be listening any more.
                _ = self.told.send(());
                return Some(serde_json::from_str(&said).expect("a document"));
            }
            // A machine with much else to do can keep one waiting for too long: nothing was done then.
            assert!(said.contains("\"locked\""), "{arguments:?} failed before the cut: {said}");
        }
    }
}

/// Holds promises against a list and its history. What was uncertain is settled by what is there now.
pub(crate) fn kept(promises: &mut [Promise], tasks: &Value, events: &Value) -> Vec<String> {
    let word = |task: &Value, key: &str| task[key].as_str().unwrap_or_default().to_owned();
    let tasks = tasks["tasks"].as_array().expect("tasks").iter();
    let state = |it: &Value| State::is(&word(it, "status"), &word(it, "description"));
    let tasks: HashMap<String, State> = tasks.map(|it| (word(it, "id"), state(it))).collect();
    let mut history: HashMap<(String, String), usize> = HashMap::new();
    for event in events["events"].as_array().expect("events") {
        for change in event["changes"].as_array().expect("changes") {
            *history.entry((word(change, "id"), word(event, "command"))).or_default() += 1;
        }
    }
    promises.iter_mut().filter_map(|it| it.broken(&tasks, &history)).collect()
}

impl Promise {
    fn broken(
        &mut self,
        tasks: &HashMap<String, State>,
        history: &HashMap<(String, String), usize>,
    ) -> Option<String> {
        let found = tasks.get(&self.id).cloned().unwrap_or(State::Gone);
        let perhaps = self.perhaps.take();
        if found != self.sure && perhaps.as_ref() != Some(&found) {
            return Some(format!("{} is {found:?} and not {:?} or {perhaps:?}", self.id, self.sure));
        }
        self.sure = found;
        let unknown = |it: &&&str| !history.contains_key(&(self.id.clone(), (**it).to_owned()));
        self.told.iter().find(unknown).map(|it| format!("{it} of {} is not in the history", self.id))
    }
}
