//! How it ends: what a server held is free the moment it is gone, and nobody waits on in the name of one who left.

use crate::{Client, Era, Streams, Wl};
use serde_json::json;

#[test]
fn claims_are_free_the_moment_the_server_dies() {
    for agent in [json!({}), json!({"agent": "sub"})] {
        let wl = Wl::with_tasks(&["one"]);
        let client = Client::start(&wl, Era::Old);
        client.call("TaskNext", agent.clone());
        wl.by("ann").fails(&["claim", "1"], 3, "already_claimed");
        client.kill();
        wl.by("ann").ok(&["claim", "1"]);
    }
}

#[test]
fn claims_are_free_the_moment_the_client_hangs_up() {
    for streams in [Streams::Pipes, Streams::Sockets] {
        let wl = Wl::with_tasks(&["one"]);
        let client = Client::with(&wl, &["mcp"], streams, Era::New, json!({}));
        client.call("TaskNext", json!({}));
        client.hang_up();
        assert_eq!(client.ended(), Some(0));
        wl.by("ann").ok(&["claim", "1"]);
    }
}

/// A server that waits for a task must end with its client, and must not take a task that comes later.
#[test]
fn nobody_waits_for_a_client_that_left() {
    let wl = Wl::with_tasks(&[]);
    let client = Client::start(&wl, Era::Old);
    let waiting = json!({"name": "TaskNext", "arguments": {"wait": 600}, "_meta": {"progressToken": "p"}});
    client.send("tools/call", waiting);
    client.other(|it| it["params"]["progressToken"] == "p");
    client.hang_up();
    assert_eq!(client.ended(), Some(0));
    wl.ok(&["add", "late"]);
    wl.by("ann").ok(&["claim", "1"]);
}

#[test]
fn a_wait_that_was_called_off_takes_nothing() {
    for era in [Era::Old, Era::New] {
        let wl = Wl::with_tasks(&[]);
        let client = Client::start(&wl, era);
        let waiting =
            json!({"name": "TaskNext", "arguments": {"wait": 600}, "_meta": {"progressToken": "p"}});
        let number: u64 = client.send("tools/call", waiting).parse().expect("a number");
        client.other(|it| it["params"]["progressToken"] == "p");
        client.notify("notifications/cancelled", json!({"requestId": number}));
        // What is asked after it is answered after it.
        client.call("TaskList", json!({}));
        client.call("TaskCreate", json!({"subject": "late"}));
        assert_eq!(wl.json(&["show", "1"])["task"]["state"], "ready", "{era:?}");
        wl.by("ann").ok(&["claim", "1"]);
    }
}

#[test]
fn a_wait_ends_with_a_task() {
    let wl = Wl::with_tasks(&[]);
    let client = Client::start(&wl, Era::New);
    let number = client.send("tools/call", json!({"name": "TaskNext", "arguments": {"wait": 600}}));
    wl.ok(&["add", "late"]);
    assert!(client.answer(&number).to_string().contains("Claimed #1 [in_progress] late"));
}

#[test]
fn a_client_that_never_speaks_is_no_failure() {
    let wl = Wl::new();
    let client = Client::silent(&wl, &["mcp"], Streams::Pipes, Era::Old, json!({}));
    client.hang_up();
    assert_eq!(client.ended(), Some(0));
}

#[test]
fn it_can_be_ended_in_an_orderly_way() {
    let wl = Wl::with_tasks(&["one"]);
    let client = Client::start(&wl, Era::Old);
    client.call("TaskNext", json!({}));
    let id = client.child.lock().expect("a child").id();
    let id = rustix::process::Pid::from_raw(i32::try_from(id).expect("small")).expect("a process");
    rustix::process::kill_process(id, rustix::process::Signal::TERM).expect("it can be signalled");
    assert_eq!(client.ended(), Some(0));
    wl.by("ann").ok(&["claim", "1"]);
}
