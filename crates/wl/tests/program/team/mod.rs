//! A list in a database: the same commands, several machines' worth of processes, a real server.

mod served;

use crate::{
    Wl,
    wl::{IN_STORE, Read, Running},
};
use serde_json::{Value, json};
use std::{collections::HashSet, process::Command, sync::OnceLock, thread};
use worklist_throwaway::Server;

/// The server of these tests.
pub(crate) fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::start(&[]))
}

/// A database in which there is nothing.
pub(crate) fn empty() -> String {
    server().url(&server().database(None))
}

/// A database with room for lists.
pub(crate) fn database() -> String {
    static READY: OnceLock<String> = OnceLock::new();
    let ready = || {
        let url = empty();
        Wl::new().with("WORKLIST_STORE", &url).ok(&["store", "init"]);
        url
    };
    READY.get_or_init(ready).clone()
}

/// A place whose list is in a database.
fn shared(list: &str) -> Wl {
    Wl::new().with("WORKLIST_STORE", &database()).with("WORKLIST_LIST", list)
}

/// Tests that are about files: what other programs write into them, where they lie, what formats they are in.
const ABOUT_FILES: &[&str] = &[
    "a_broken_file_is_a_warning",
    "a_file_that_was_replaced_is_mentioned",
    "agents::hook::failures",
    "busy::a",
    "foreign",
    "history::undo::nothing_is_left_of_it",
    "lists::convert",
    "lists::doctor",
    "lists::export::text",
    "lists::lists",
    "look::list::failures",
    "look::overview",
    "look::show::failures",
    "look::watch::what_happens_is_told",
    "missing",
    "names_of_others_cannot_forge_lines",
    "places::",
    "plan::add::json",
    "plan::init",
    "rules_can_be_lenient",
    "scenarios::",
    "set_up::",
    "terminal::",
    "two_formats_in_one_folder_are_refused",
    "warnings_are_beside_the_document",
];

/// Every other test of the program, with its list in a database.
#[test]
fn the_same_tests_pass_over_a_database() {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.env(IN_STORE, database()).args([
        "--skip",
        "team::",
        "--skip",
        "every::",
        "--skip",
        "lists::store",
    ]);
    for name in ABOUT_FILES {
        command.args(["--skip", name]);
    }
    let ran = command.output().expect("it runs");
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{said}");
    let passed =
        said.rsplit("test result: ok. ").next().and_then(|it| it.split(' ').next()?.parse::<u32>().ok());
    assert!(passed.is_some_and(|it| it >= 100), "{said}");
}

#[test]
fn a_day_of_two_agents() {
    let wl = shared("day");
    wl.ok(&["init"]);
    wl.input("- [ ] parse\n- [ ] test (after: parse)\n- [ ] ship (after: test)\n").ok(&["plan", "-"]);
    let (ann, bob) = (wl.by("ann"), wl.by("bob"));
    let taken = ann.json(&["next"]);
    assert_eq!(taken["task"]["subject"], "parse");
    bob.fails(&["next"], 6, "nothing_ready");
    bob.fails(&["claim", "1"], 3, "already_claimed").has("by", "ann");
    bob.fails(&["claim", "2"], 3, "blocked");
    ann.ok(&["heartbeat", "1"]);
    let done = ann.json(&["done", "1"]);
    assert_eq!(done["unblocked"][0]["subject"], "test");
    bob.ok(&["next"]);
    ann.ok(&["claim", "2", "--force"]);
    bob.fails(&["done", "2"], 5, "stale_token");
    ann.ok(&["release", "2", "--reason", "not mine"]);
    wl.ok(&["edit", "2", "--tag", "x", "--priority", "high"]);
    wl.ok(&["rm", "3"]);
    wl.ok(&["undo"]);
    assert_eq!(wl.json(&["show", "3"])["task"]["blockedBy"], json!(["2"]));
    let log = wl.json(&["log"]);
    let numbers: Vec<u64> =
        log.items("events").iter().rev().map(|it| it["seq"].as_u64().expect("a number")).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    wl.ok(&["doctor"]).stdout_has("Nothing is wrong");
    wl.ok(&["why", "3"]);
    wl.ok(&["graph"]);
}

/// Eight processes drain a graph: nothing twice, nothing lost, nothing early.
#[test]
fn many_processes_drain_a_list() {
    let wl = shared("drain");
    wl.ok(&["init"]);
    let tasks: Vec<Value> = (0..60)
        .map(|n| json!({"name": format!("t{n}"), "subject": format!("t{n}"), "after": if n >= 6 { vec![format!("t{}", n - 6)] } else { vec![] }}))
        .collect();
    wl.input(&json!({"tasks": tasks}).to_string()).ok(&["plan", "-"]);
    let done: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..8).map(|n| (n, wl.by(&format!("w{n}")))).collect();
        let threads: Vec<_> = workers.into_iter().map(|(_, wl)| scope.spawn(move || drained(&wl))).collect();
        threads.into_iter().flat_map(|it| it.join().expect("no worker panics")).collect()
    });
    assert_eq!((done.len(), done.iter().collect::<HashSet<_>>().len()), (60, 60));
    let events = wl.json(&["changes", "--since", "0"]);
    let mut finished = HashSet::new();
    for event in events.items("events") {
        let verb = event.word("command");
        let id = event["changes"][0].word("id").to_owned();
        let number: u64 = id.parse().expect("a number");
        match verb {
            "next" if number > 6 => assert!(finished.contains(&(number - 6)), "{id} was early"),
            "complete" | "done" => assert!(finished.insert(number), "{id} was completed twice"),
            _ => {}
        }
    }
    assert_eq!(finished.len(), 60);
}

/// Takes and completes until everything is done.
fn drained(wl: &Wl) -> Vec<String> {
    let mut done = Vec::new();
    loop {
        let next = wl.run(&["next", "--json"]);
        match next.code.unwrap_or(-1) {
            0 => {
                let id = next.json()["task"].word("id").to_owned();
                wl.ok(&["done", &id]);
                done.push(id);
            }
            6 if wl.json(&["list"])["count"] == 0 => return done,
            6 => {}
            code => panic!("{code}: {}", next.err),
        }
    }
}

/// Who waits is woken by another process.
#[test]
fn waiting_ends_when_another_process_adds() {
    let wl = shared("waiting");
    wl.ok(&["init"]);
    let waiting: Running = wl.by("ann").start(&["next", "--wait", "30s", "--json"]);
    wl.by("bob").ok(&["add", "late"]);
    let came = waiting.end();
    assert_eq!(came.json()["task"]["subject"], "late");
}

/// Workers run their commands on such a list, and these find it again.
#[test]
fn workers_and_their_commands_find_the_list() {
    let wl = shared("workers");
    wl.ok(&["init"]);
    wl.ok(&["add", "a"]);
    wl.ok(&["add", "b", "--after", "1"]);
    let program = env!("CARGO_BIN_EXE_wl");
    let line = format!("{program} edit $WORKLIST_TASK_ID --tag ran");
    wl.ok(&["work", "--workers", "2", "--", "sh", "-c", &line]);
    let tasks = wl.json(&["list", "--all"]);
    for task in tasks.items("tasks") {
        assert_eq!((&task["status"], &task["tags"]), (&json!("completed"), &json!(["ran"])), "{task}");
    }
    wl.ok(&["runs"]).stdout_has("succeeded");
}
