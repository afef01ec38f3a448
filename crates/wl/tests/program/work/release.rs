//! `wl release`.

use crate::{Tested, Wl};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("release", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::with_tasks(&["a"]);
    wl.ok(&["claim", "1"]);
    wl.ok(&["release", "1", "--reason", "needs the schema"]).stdout("Released [ ] #1 a\n");
    wl.ok(&["log", "1"]).stdout_has("gave back #1 a: needs the schema");
    wl.by("ann").ok(&["claim", "1"]);
    wl.ok(&["release", "1", "--force"]).stdout("Released [ ] #1 a\n");
}

#[test]
fn json() {
    let wl = Wl::with_tasks(&["a"]);
    let token = wl.json(&["claim", "1", "--as", "ann"])["token"].as_u64().unwrap().to_string();
    let released = wl.json(&["release", "1", "--token", &token, "--reason", "r"]);
    assert_eq!((&released["task"]["state"], released["task"].get("owner")), (&json!("ready"), None));
    assert_eq!(wl.json(&["log", "--limit", "1"])["events"][0]["reason"], "r");
}

#[test]
fn failures() {
    Wl::new().fails(&["release", "1"], 4, "no_list");
    let wl = Wl::with_tasks(&["a"]);
    wl.fails(&["release", "9"], 4, "not_found");
    wl.fails(&["release", "1"], 5, "stale_token").hints("claim it first");
    wl.by("ann").ok(&["claim", "1"]);
    wl.by("bob").fails(&["release", "1"], 5, "stale_token").has("holder", "ann");
    wl.fails(&["release", "1", "--reason"], 2, "invalid");
    wl.by("ann").ok(&["done", "1"]);
    wl.by("ann").fails(&["release", "1"], 3, "already_resolved");
}
