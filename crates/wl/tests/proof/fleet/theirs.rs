//! The others in the list: the real client with its own tools, by a script, and a program that keeps to the same locks. Not
//! what is checked of them.

use crate::{
    kit::tool,
    model::{Asked, Script, Turn},
    wl::Wl,
};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    process::{Child, Command, Stdio},
};

/// So many tasks each client makes at a time.
const AT_ONCE: usize = 4;

/// What a client is told to begin with; its script is known by it.
pub(super) fn prompt(client: usize, round: usize) -> String {
    format!("client {client} of round {round}, begin")
}

/// A client creates tasks, changes them and one of ours, creates again, links, and deletes one that is linked. Only then: the
/// calls of one turn run at the same time, a deletion takes no lock, and a link that is written after it would make the
/// task anew.
pub(super) fn script(client: usize, round: usize, shared: Vec<String>) -> Script {
    let subject = move |n: usize| format!("theirs {round}.{client}.{n}");
    Script::of(&prompt(client, round))
        .turn(creates((0..AT_ONCE).map(subject)))
        .then(move |asked| {
            let ids = created(asked);
            let turn = ids.iter().fold(Turn::default(), |turn, id| {
                turn.and(
                    "TaskUpdate",
                    json!({"taskId": id, "status": "in_progress", "owner": format!("client-{client}")}),
                )
            });
            shared.iter().fold(turn, |turn, id| {
                turn.and(
                    "TaskUpdate",
                    json!({"taskId": id, "description": format!("by client {client} in {round}")}),
                )
            })
        })
        .turn(creates((AT_ONCE..2 * AT_ONCE).map(subject)))
        .then(|asked| {
            let ids = created(asked);
            let link = |it: &[String]| json!({"taskId": it[0], "addBlockedBy": [it[1]]});
            ids.chunks_exact(2).fold(Turn::default(), |turn, it| turn.and("TaskUpdate", link(it)))
        })
        .then(|asked| {
            let linked = asked.results().iter().find_map(|it| Some(updated(&it.text)?.0.to_owned()));
            Turn::calls("TaskUpdate", json!({"taskId": linked, "status": "deleted"}))
        })
        .turn(Turn::calls("TaskList", json!({})))
        .turn(Turn::says("done"))
}

fn creates(subjects: impl Iterator<Item = String>) -> Turn {
    subjects
        .fold(Turn::default(), |turn, it| turn.and("TaskCreate", json!({"subject": it, "description": "x"})))
}

/// The ids that the answers to the last turn name as new.
pub(super) fn created(asked: &Asked) -> Vec<String> {
    asked.results().iter().filter_map(|it| made(&it.text)).map(|it| it.0).collect()
}

/// `Task #3 created successfully: Dig` as id and subject.
pub(super) fn made(text: &str) -> Option<(String, String)> {
    let (id, subject) = text.strip_prefix("Task #")?.split_once(" created successfully: ")?;
    Some((id.to_owned(), subject.to_owned()))
}

/// `Updated task #3 deleted` as id and what was changed.
pub(super) fn updated(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix("Updated task #")?.split_once(' ')
}

/// The program beside the clients.
pub(super) struct Neighbour(Child);

impl Neighbour {
    pub(super) fn start(wl: &Wl, folder: &str, ids: &[String]) -> Neighbour {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/proof/fleet/neighbour.cjs");
        let mut node = Command::new(tool("npm/node_modules/.bin/node"));
        node.arg(script).arg(wl.path(folder)).args(ids);
        // Where `require` looks beside the script.
        node.env("NODE_PATH", tool("npm/node_modules/proper-lockfile").parent().expect("a folder"));
        Neighbour(node.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("node runs"))
    }

    /// Ends it; how often it counted on each task, and how often it could not.
    pub(super) fn end(mut self) -> (BTreeMap<String, u64>, u64) {
        drop(self.0.stdin.take());
        let output = self.0.wait_with_output().expect("it ends");
        let told: Value = serde_json::from_slice(&output.stdout).expect("what it counted");
        let counts = told["counts"].as_object().expect("counts").iter();
        let counts = counts.map(|(id, count)| (id.clone(), count.as_u64().unwrap_or_default())).collect();
        (counts, told["failed"].as_u64().unwrap_or_default())
    }
}
