//! The client's own task tools on a list that the program keeps as well: each sees what the other does, and nothing is
//! lost. Not our tools in the client.

use crate::{
    claude::Claude,
    model::{Asked, Model, Script, Turn},
    wl::{Read, Wl},
};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    sync::mpsc::{Sender, channel},
    thread::{self, JoinHandle},
    time::Duration,
};

/// A list in the client's folder, made by us.
fn shared() -> Wl {
    let wl = Wl::new().with("CLAUDE_CODE_TASK_LIST_ID", "team");
    wl.ok(&["init", "home/.claude/tasks/team", "--format", "claude"]);
    wl
}

fn create(subject: &str) -> Turn {
    Turn::calls("TaskCreate", json!({"subject": subject, "description": subject}))
}

fn look() -> Turn {
    Turn::calls("TaskList", json!({}))
}

/// The tasks as the program sees them, and how they stand.
fn standing(wl: &Wl) -> Vec<String> {
    let list = wl.json(&["list", "--all"]);
    let line = |it: &Value| format!("{} {} {}", it.word("id"), it.word("subject"), it.word("state"));
    list.items("tasks").iter().map(line).collect()
}

#[test]
fn the_client_and_the_program_take_turns() {
    let wl = shared();
    wl.ok(&["add", "Ours"]);
    let (first, second) = (wl.clone(), wl.clone());
    let script = Script::of("plan it")
        .turn(create("Theirs"))
        .turn(create("Last"))
        .then(move |asked| {
            assert_eq!(asked.results()[0].text, "Task #3 created successfully: Last");
            assert_eq!(standing(&first), ["1 Ours ready", "2 Theirs ready", "3 Last ready"]);
            first.by("ann").ok(&["claim", "2"]);
            Turn::calls("TaskUpdate", json!({"taskId": "3", "addBlockedBy": ["2"]}))
        })
        .turn(look())
        .then(move |asked| {
            let list = "#1 [pending] Ours\n#2 [in_progress] Theirs (ann)\n#3 [pending] Last [blocked by #2]";
            assert_eq!(asked.results()[0].text, list);
            assert_eq!(standing(&second), ["1 Ours ready", "2 Theirs in_progress", "3 Last blocked"]);
            second.by("ann").ok(&["done", "2"]).stdout_has("#3");
            Turn::calls("TaskUpdate", json!({"taskId": "1", "status": "completed"}))
        })
        .turn(look())
        .then(|asked| {
            let list = "#1 [completed] Ours\n#2 [completed] Theirs (ann)\n#3 [pending] Last";
            assert_eq!(asked.results()[0].text, list);
            Turn::says("planned")
        });
    let model = Model::playing([script]);
    let said = Claude::new(&wl, &model).list("team").run("plan it");
    assert_eq!(said.result(), "planned");
    assert_eq!(model.asked("plan it").len(), 7, "as many turns as steps");
    assert_eq!(standing(&wl), ["1 Ours completed", "2 Theirs completed", "3 Last ready"]);
    let log = wl.json(&["log"]);
    let origins: Vec<&str> = log.items("events").iter().rev().map(|it| it.word("origin")).collect();
    assert_eq!(origins, ["ours", "foreign", "ours", "foreign", "ours", "foreign"], "{}", wl.ok(&["log"]).out);
}

/// Four processes of ours add tasks in step with the client, five in each of its turns, so that both are always at it.
#[test]
fn both_add_at_once() {
    let wl = shared();
    let (goes, adders): (Vec<Sender<()>>, Vec<_>) = (1..=4).map(|worker| adder(&wl, worker)).unzip();
    let script = (0..4).fold(Script::of("add them"), |script, round| {
        let goes = goes.clone();
        script.then(move |_| {
            for go in &goes {
                go.send(()).expect("it waits");
            }
            five(round)
        })
    });
    let model = Model::playing([script]);
    Claude::new(&wl, &model).list("team").run("add them");
    let ours: Vec<String> = adders.into_iter().flat_map(|it| it.join().expect("all are added")).collect();

    let list = wl.json(&["list", "--all"]);
    let line = |it: &Value| format!("Task #{} created successfully: {}", it.word("id"), it.word("subject"));
    let found: BTreeSet<String> = list.items("tasks").iter().map(line).collect();
    let asked = model.asked("add them");
    let theirs = asked.iter().flat_map(Asked::results).map(|it| it.text);
    let answered: BTreeSet<String> = ours.into_iter().chain(theirs).collect();
    assert_eq!(answered.difference(&found).collect::<Vec<_>>(), [""; 0], "answered, but not there");
    assert_eq!((answered.len(), found.len(), list.items("tasks").len()), (100, 100, 100));
    let by_client: Vec<bool> =
        list.items("tasks").iter().map(|it| it.word("subject").starts_with("theirs")).collect();
    let changes = by_client.windows(2).filter(|it| it[0] != it[1]).count();
    println!("100 tasks, {changes} times the other side had the next id");
    assert!(changes > 2, "they did not work at the same time: {by_client:?}");
}

/// Five tasks of the client, which it creates at the same time.
fn five(round: usize) -> Turn {
    let subjects = (1..=5).map(|n| format!("theirs {}", 5 * round + n));
    subjects
        .fold(Turn::default(), |turn, it| turn.and("TaskCreate", json!({"subject": it, "description": "x"})))
}

/// One of our agents, which adds five tasks each time it may, twenty in all; what it was answered, in the client's words.
fn adder(wl: &Wl, worker: usize) -> (Sender<()>, JoinHandle<Vec<String>>) {
    let (go, gone) = channel();
    let wl = wl.by(&format!("w{worker}"));
    let add = move |n: usize| {
        if n % 5 == 1 {
            gone.recv_timeout(Duration::from_mins(1)).expect("another round");
        }
        let subject = format!("ours {worker} {n}");
        let added = wl.json(&["add", &subject]);
        format!("Task #{} created successfully: {subject}", added["task"].word("id"))
    };
    (go, thread::spawn(move || (1..=20).map(add).collect()))
}
