//! A session that was killed: what it held is free at once, and the next one says what is open.

use crate::{Read, Service, Step, Turn, at, json, place, plays, then};

#[test]
fn a_killed_session_leaves_its_tasks_to_the_next() {
    let wl = place();
    let plan =
        json!({"tasks": [{"name": "a", "subject": "Build it"}, {"subject": "Ship it", "after": ["a"]}]});
    // The third answer never comes: there the process is killed, with a task in its hands.
    let service = Service::playing([
        Step::Turn(Turn::calls("TaskPlan", plan)),
        Step::Turn(Turn::calls("TaskNext", json!({}))),
        Step::Silence,
    ]);
    let url = service.url();
    let mut child = wl.command(&at(&url, &["-p", "Go"])).spawn().expect("it starts");
    service.wait_for(3);
    let held = wl.json(&["show", "1"]);
    assert_eq!((&held["task"]["status"], &held["task"]["owner"]), (&json!("in_progress"), &json!("agent")));
    wl.fails(&["claim", "1", "--as", "other"], 3, "already_claimed");
    child.kill().expect("it is killed");
    child.wait().expect("it is dead");
    let free = wl.json(&["show", "1"]);
    assert_eq!(free["task"]["state"], "ready", "{free}");
    let service = Service::playing([
        then(|asked| {
            let system = asked.system();
            assert!(
                system.contains("#1 [ready] Build it") && system.contains("#2 [blocked] Ship it"),
                "{system}"
            );
            Turn::calls("TaskNext", json!({}))
        }),
        then(|asked| {
            assert!(asked.result().contains("Build it"), "{}", asked.result());
            Turn::calls("TaskUpdate", json!({"taskId": "1", "status": "completed"}))
        }),
        Step::Turn(Turn::says("Built.")),
    ]);
    let said = plays(&wl, &service, &[]);
    said.stdout("Built.\n").stderr_has("Open in the list:").stderr_has("#1 [ready] Build it");
    assert_eq!(wl.json(&["ready"]).items("tasks")[0]["subject"], "Ship it");
}

/// Two agents under one session's name are still two.
#[test]
fn two_processes_are_two_sessions() {
    let wl = place();
    wl.ok(&["init"]);
    wl.ok(&["add", "One"]);
    let first = Service::playing([Step::Turn(Turn::calls("TaskNext", json!({}))), Step::Silence]);
    let url = first.url();
    let mut child = wl.command(&at(&url, &["-p", "Go", "--session", "same"])).spawn().expect("it starts");
    first.wait_for(2);
    let second = Service::playing([
        Step::Turn(Turn::calls("TaskUpdate", json!({"taskId": "1", "status": "completed"}))),
        then(|asked| {
            let content = &asked.body["messages"][2]["content"][0];
            assert_eq!(content["is_error"], true, "{content}");
            Turn::says("Not mine.")
        }),
    ]);
    plays(&wl, &second, &["--session", "same"]);
    assert_eq!(wl.json(&["show", "1"])["task"]["status"], "in_progress");
    child.kill().expect("it is killed");
    child.wait().expect("it is dead");
}
