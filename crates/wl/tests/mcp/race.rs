//! Many at once: eight servers on one list, and one server with sixteen calls in flight. No task is claimed twice, and
//! nothing that was answered is lost.

use crate::{Client, Era, Wl};
use serde_json::json;
use std::{collections::BTreeMap, thread};

/// So many for eight servers; one server with many calls gets fewer.
const TASKS: usize = 1_000;
const FEWER: usize = 300;

/// A list of many tasks in which every tenth waits for the one before.
fn many(count: usize) -> Wl {
    let wl = Wl::new();
    wl.ok(&["init"]);
    let task = |n: usize| {
        let after = if n.is_multiple_of(10) && n > 0 { json!([format!("t{}", n - 1)]) } else { json!([]) };
        json!({"name": format!("t{n}"), "subject": format!("task {n}"), "after": after})
    };
    let tasks: Vec<_> = (0..count).map(task).collect();
    wl.input(&json!({"tasks": tasks}).to_string()).ok(&["plan", "-"]);
    wl
}

/// Works off whatever is there under a name; the ids that were completed.
fn drain(client: &Client, agent: &str) -> Vec<String> {
    let mut done = Vec::new();
    loop {
        let claimed = client.call("TaskNext", json!({"agent": agent, "wait": 1}));
        let Some(id) = claimed.strip_prefix("Claimed #").and_then(|it| it.split(' ').next()) else {
            if claimed.contains("every task is done") {
                return done;
            }
            continue;
        };
        let answer = client.call("TaskUpdate", json!({"taskId": id, "status": "completed", "agent": agent}));
        assert!(answer.starts_with(&format!("Completed #{id}")), "{agent}: {answer}");
        done.push(id.to_owned());
    }
}

fn assert_each_once(wl: &Wl, count: usize, done: Vec<Vec<String>>) {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for id in done.into_iter().flatten() {
        *times.entry(id).or_default() += 1;
    }
    let twice: Vec<_> = times.iter().filter(|(_, times)| **times > 1).collect();
    assert!(twice.is_empty(), "claimed twice: {twice:?}");
    assert_eq!(times.len(), count, "some were lost");
    let all = wl.json(&["list", "--all"]);
    let tasks = all["tasks"].as_array().expect("tasks");
    assert!(tasks.iter().all(|it| it["status"] == "completed"), "an answer was not kept");
    let events = wl.json(&["changes", "--since", "0"]);
    let commands = |kind: &str| {
        let events = events["events"].as_array().expect("events");
        events.iter().filter(|it| it["command"] == kind).count()
    };
    println!("{count} tasks, {} claims, {} completions", commands("next"), commands("edit"));
}

#[test]
fn eight_servers_drain_a_list() {
    let wl = many(TASKS);
    let clients: Vec<Client> = (0..8).map(|_| Client::start(&wl, Era::Old)).collect();
    let done = thread::scope(|scope| {
        let drains: Vec<_> = clients
            .iter()
            .enumerate()
            .map(|(n, it)| scope.spawn(move || drain(it, &format!("a{n}"))))
            .collect();
        drains.into_iter().map(|it| it.join().expect("it drains")).collect()
    });
    assert_each_once(&wl, TASKS, done);
}

#[test]
fn one_server_answers_sixteen_at_once() {
    let wl = many(FEWER);
    let client = Client::start(&wl, Era::New);
    let done = thread::scope(|scope| {
        let client = &client;
        let drains: Vec<_> = (0..16).map(|n| scope.spawn(move || drain(client, &format!("a{n}")))).collect();
        drains.into_iter().map(|it| it.join().expect("it drains")).collect()
    });
    assert_each_once(&wl, FEWER, done);
}
