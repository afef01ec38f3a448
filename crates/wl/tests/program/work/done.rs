//! `wl done`.

use crate::{Tested, Wl};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("done", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::with_tasks(&["a", "b < a", "c < a < b"]);
    wl.by("ann").ok(&["claim", "1"]);
    wl.by("ann").ok(&["done", "1"]).stdout("Completed [x] #1 a  @ann\nUnblocked [ ] #2 b\n");
    wl.by("ann").ok(&["claim", "2"]);
    wl.by("bob")
        .ok(&["done", "2", "--force"])
        .stdout_has("Completed [x] #2 b")
        .stdout_has("Unblocked [ ] #3 c\n");
    wl.ok(&["done", "3"]).stdout_has("Completed [x] #3 c");
}

#[test]
fn json() {
    let wl = Wl::with_tasks(&["a", "b < a"]);
    let token = wl.json(&["claim", "1", "--as", "ann"])["token"].as_u64().unwrap().to_string();
    let done = wl.json(&["done", "1", "--token", &token, "--as", "bob"]);
    assert_eq!((&done["task"]["state"], &done["task"]["status"]), (&json!("completed"), &json!("completed")));
    assert_eq!(done["unblocked"], json!([{"id": "2", "subject": "b"}]));
    assert!(done["task"].get("claim").is_none());
    assert_eq!(wl.json(&["done", "2"])["unblocked"], json!([]));
}

#[test]
fn failures() {
    Wl::new().fails(&["done", "1"], 4, "no_list");
    let wl = Wl::with_tasks(&["a", "b < a"]);
    wl.fails(&["done", "9"], 4, "not_found");
    wl.fails(&["done", "2"], 3, "blocked").has("by", json!(["1"]));
    wl.by("ann").ok(&["claim", "1"]);
    let foreign = wl.by("bob").fails(&["done", "1"], 5, "stale_token").has("holder", "ann");
    foreign
        .says("the claim of task 1 is not yours, but ann's")
        .hints("ann has it now; what you do on it will not count");
    wl.by("ann").fails(&["done", "1", "--token", "7"], 5, "stale_token");
    wl.fails(&["done", "1", "--token", "-1"], 2, "usage");
    wl.by("ann").ok(&["done", "1"]);
    wl.by("ann").fails(&["done", "1"], 3, "already_resolved").has("id", "1");
}

/// With lenient rules a blocked task may be started and completed.
#[test]
fn rules_can_be_lenient() {
    let wl = Wl::with_tasks(&["a", "b < a"]);
    wl.write(".tasks/worklist.toml", "rules = \"lenient\"\n");
    wl.ok(&["claim", "2"]);
    wl.ok(&["done", "2"]).stdout_has("Completed [x] #2 b");
}
