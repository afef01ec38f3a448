//! Agents that stop: what they completed, what they leave, and whether they are asked to go on.

use crate::{client::Session, wl::faults};
use serde_json::{Value, json};

const WORKER: &str = "aworker-50de1de4b648bdd9";

fn holding(count: usize) -> (Session, Session) {
    let main = Session::new();
    let worker = main.subagent(WORKER);
    for n in 1..=count {
        main.create(&n.to_string(), &format!("task {n}"));
        worker.before(&json!({"taskId": n.to_string(), "status": "in_progress"})).code(0);
    }
    (main, worker)
}

fn states(session: &Session, ids: &[&str]) -> Vec<Value> {
    ids.iter().map(|it| session.task(it)["state"].clone()).collect()
}

#[test]
fn a_subagent_gives_back_what_it_holds() {
    let (main, worker) = holding(2);
    main.create("3", "of the main agent");
    main.before(&json!({"taskId": "3", "status": "in_progress"})).code(0);
    let said = worker.hook("SubagentStop", json!({"stop_hook_active": false})).code(0).json();
    assert_eq!(faults("hook", &said), [""; 0]);
    let message = said["systemMessage"].as_str().unwrap();
    assert!(
        message.starts_with("worker has shut down. 2 task(s) were unassigned: #1 \"task 1\", #2 \"task 2\"."),
        "{message}"
    );
    assert_eq!(states(&main, &["1", "2", "3"]), ["ready", "ready", "in_progress"]);
    assert_eq!(main.read("1").get("owner"), None);
    assert_eq!(main.wl.json(&["show", "1"])["task"].get("lost"), None);
    worker.hook("SubagentStop", json!({})).code(0).stdout("").stderr("");
}

/// A teammate only ends a turn: it waits for what comes, and keeps what it has.
#[test]
fn a_teammate_that_lives_on_keeps_what_it_holds() {
    let (main, worker) = holding(1);
    let teammate =
        |status: &str| json!({"background_tasks": [{"id": "t1", "type": "teammate", "status": status}]});
    worker.hook("SubagentStop", teammate("running")).code(0).stdout("");
    assert_eq!(states(&main, &["1"]), ["in_progress"]);
    worker.hook("SubagentStop", teammate("stopped")).code(0);
    assert_eq!(states(&main, &["1"]), ["ready"]);
}

/// The contract of document 004: what `tasks_completed` names and the agent holds is completed, and listed.
#[test]
fn what_an_agent_completed_is_completed() {
    let (main, worker) = holding(3);
    main.create("4", "of the main agent");
    main.before(&json!({"taskId": "4", "status": "in_progress"})).code(0);
    let stop = json!({"tasks_completed": ["1", 2, "#4", "9", "../x", null], "result": {"ok": true}});
    let said = worker.hook("SubagentStop", stop).code(0).json();
    assert_eq!(faults("hook", &said), [""; 0]);
    let inner = &said["hookSpecificOutput"];
    assert_eq!(inner["hookEventName"], "SubagentStop");
    assert_eq!(
        inner["tasks_to_update"],
        json!([{"task_id": "1", "status": "completed"}, {"task_id": "2", "status": "completed"}])
    );
    assert_eq!(said.get("decision"), None);
    assert_eq!(states(&main, &["1", "2", "3", "4"]), ["completed", "completed", "ready", "in_progress"]);
}

/// A check of the user stands between an agent's word and a completion.
#[test]
fn a_completion_can_be_refused() {
    let (main, worker) = holding(1);
    main.wl.write(
        "home/.config/worklist/config.toml",
        "[hooks]\nbefore-completed = \"echo tests fail >&2; exit 2\"\n",
    );
    let run = worker.hook("SubagentStop", json!({"tasks_completed": ["1"]})).code(0);
    run.stderr_has("tests fail");
    assert_eq!(run.json().get("hookSpecificOutput"), None);
    assert_eq!(states(&main, &["1"]), ["ready"]);
}

/// The main agent lives on, and so do its claims; a teammate that idles can be woken.
#[test]
fn a_stop_is_no_end() {
    let (main, worker) = holding(1);
    main.create("2", "of the main agent");
    main.before(&json!({"taskId": "2", "status": "in_progress"})).code(0);
    main.hook("Stop", json!({"stop_hook_active": false})).code(0).stdout("").stderr("");
    worker.hook("TeammateIdle", json!({"teammate_name": "worker"})).code(0).stdout("").stderr("");
    assert_eq!(states(&main, &["1", "2"]), ["in_progress", "in_progress"]);
    let said = main.hook("Stop", json!({"tasks_completed": ["1", "2"]})).code(0).json();
    assert_eq!(
        said["hookSpecificOutput"]["tasks_to_update"],
        json!([{"task_id": "2", "status": "completed"}])
    );
    // A teammate's claims are its own, by its id or by the name that it gave to our tools.
    main.wl.ok(&["add", "C"]);
    main.wl.ok(&["claim", "3", "--session", "session-one/worker"]);
    let stop = json!({"teammate_name": "worker", "tasks_completed": ["1", "3"]});
    let said = worker.hook("TeammateIdle", stop).code(0).json();
    assert_eq!(said["hookSpecificOutput"]["tasks_to_update"].as_array().unwrap().len(), 2);
}

/// Asked to go on only where that is wanted, only while something is ready, and never twice in a row.
#[test]
fn an_agent_is_asked_to_go_on() {
    let session = Session::new();
    session.create_after("1", "Write the parser", &[], &["2"]);
    session.create_after("2", "Test it", &["1"], &[]);
    let stop = |active: bool| session.hook("Stop", json!({"stop_hook_active": active})).code(0);
    stop(false).stdout("");
    session.wl.write("home/.config/worklist/config.toml", "[claude]\ncontinue = true\n");
    let said = stop(false).json();
    assert_eq!((&said["decision"], faults("hook", &said)), (&json!("block"), vec![]));
    let reason = said["reason"].as_str().unwrap();
    assert!(reason.starts_with("There are tasks that can be started: #1 \"Write the parser\". "), "{reason}");
    stop(true).stdout("");
    let idle =
        session.subagent(WORKER).hook("TeammateIdle", json!({"teammate_name": "worker"})).code(0).json();
    assert_eq!(idle["decision"], "block");
    session.subagent(WORKER).hook("SubagentStop", json!({})).code(0).stdout("");
    session.before(&json!({"taskId": "1", "status": "in_progress"})).code(0);
    stop(false).stdout("");
}
