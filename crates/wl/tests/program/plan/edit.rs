//! `wl edit`.

use crate::{Tested, Wl};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("edit", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::with_tasks(&["a", "b < a"]);
    let changed =
        wl.ok(&["edit", "1", "--subject", "The first", "--priority", "high", "--tag", "x", "--owner", "ann"]);
    changed.stdout("Changed [ ] #1 The first  @ann  !high  +x\n");
    wl.ok(&["edit", "1", "--no-owner", "--no-priority", "--untag", "x"]).stdout("Changed [ ] #1 The first\n");
    wl.ok(&["edit", "1", "--subject", "The first"]).stdout("Nothing to change in [ ] #1 The first\n");
    wl.ok(&["edit", "2", "--not-after", "1"]).stdout("Changed [ ] #2 b\nUnblocked [ ] #2 b\n");
    wl.ok(&["edit", "2", "--before", "1"]).stdout("Changed [ ] #2 b\n");
    wl.ok(&["edit", "2", "--not-before", "1"]).stdout_has("Unblocked [ ] #1 The first\n");
    wl.ok(&["edit", "1", "--status", "in_progress"]).stdout_has("Changed [>] #1");
    wl.ok(&["edit", "1", "--status", "completed"]).stdout_has("Changed [x] #1");
    wl.ok(&["edit", "1", "--status", "pending"]).stdout_has("Changed [ ] #1");
}

#[test]
fn json() {
    let wl = Wl::with_tasks(&["a", "b < a"]);
    let edited = wl.input("from input\n").json(&[
        "edit",
        "1",
        "-d",
        "-",
        "--active-form",
        "Doing",
        "--meta",
        "pr=41",
        "--meta",
        "draft=true",
        "--parent",
        "2",
    ]);
    let task = &edited["task"];
    assert_eq!((&edited["changed"], &task["description"]), (&json!(true), &json!("from input")));
    assert_eq!((&task["metadata"], &task["parent"]), (&json!({"pr": 41, "draft": true}), &json!("2")));
    let less = wl.json(&["edit", "1", "--unmeta", "draft", "--active-form", "", "--no-parent"]);
    assert_eq!(less["task"]["metadata"], json!({"pr": 41}));
    assert!(less["task"].get("activeForm").is_none() && less["task"].get("parent").is_none());
    assert_eq!(wl.json(&["edit", "1", "--meta", "pr=41"])["changed"], false);
    let started = wl.json(&["edit", "1", "--status", "in_progress", "--as", "ann"]);
    let token = started["token"].as_u64().unwrap().to_string();
    let done = wl.json(&["edit", "1", "--status", "completed", "--token", &token, "--as", "bob"]);
    assert_eq!(done["unblocked"], json!([{"id": "2", "subject": "b"}]));
}

#[test]
fn failures() {
    Wl::new().fails(&["edit", "1", "--subject", "x"], 4, "no_list");
    let wl = Wl::with_tasks(&["a", "b < a"]);
    wl.fails(&["edit", "9", "--subject", "x"], 4, "not_found");
    wl.fails(&["edit", "1", "--after", "9"], 4, "not_found").has("id", "9");
    wl.fails(&["edit", "1", "--after", "1"], 3, "self_edge")
        .says("task 1 cannot wait for itself")
        .has("id", "1");
    let circle = wl.fails(&["edit", "1", "--after", "2"], 3, "cycle");
    circle.says("1 -> 2 -> 1").hints("leave one of these edges out");
    wl.fails(&["edit", "1", "--subject", " "], 2, "invalid").has("field", "subject");
    wl.fails(&["edit", "1", "--status", "odd"], 2, "invalid").says("in_progress");
    wl.fails(&["edit", "1", "--owner", "a", "--no-owner"], 2, "usage");
    wl.fails(&["edit", "1", "--unmeta", "worklist"], 2, "invalid");
    wl.fails(&["edit", "2", "--status", "in_progress"], 3, "blocked").has("by", json!(["1"]));
    wl.fails(&["edit", "2", "--status", "completed"], 3, "blocked");
    wl.by("ann").ok(&["claim", "1"]);
    wl.fails(&["edit", "1", "--status", "completed"], 5, "stale_token").has("holder", "ann");
    wl.fails(&["edit", "1", "--status", "pending", "--token", "7"], 5, "stale_token");
    wl.by("ann").ok(&["done", "1"]);
    assert_eq!(wl.json(&["edit", "1", "--status", "completed"])["changed"], false, "it is so already");
}
