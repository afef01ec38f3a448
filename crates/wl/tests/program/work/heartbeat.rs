//! `wl heartbeat`.

use crate::{Tested, Wl};

pub(crate) const TESTED: Tested = Tested::new("heartbeat", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::with_tasks(&["a"]);
    wl.ok(&["claim", "1"]);
    wl.ok(&["heartbeat", "1"]).stdout("[>] #1 a  @me\n  held by me, 15 min left\n");
    wl.ok(&["heartbeat", "1", "--lease", "3h"]).stdout_has("held by me, 3 h left");
}

#[test]
fn json() {
    let wl = Wl::with_tasks(&["a"]);
    let token = wl.json(&["claim", "1", "--as", "ann"])["token"].as_u64().unwrap().to_string();
    let before = wl.json(&["show", "1"])["task"]["claim"]["expires"].clone();
    let beat = wl.json(&["heartbeat", "1", "--lease", "2h", "--token", &token, "--as", "bob"]);
    assert!(beat["task"]["claim"]["expires"].as_str() > before.as_str(), "{beat}");
    assert_eq!(beat["task"]["claim"]["agent"], "ann", "the number speaks for its claimant");
}

#[test]
fn failures() {
    Wl::new().fails(&["heartbeat", "1"], 4, "no_list");
    let wl = Wl::with_tasks(&["a"]);
    wl.fails(&["heartbeat", "9"], 4, "not_found");
    wl.fails(&["heartbeat", "1"], 5, "stale_token").hints("claim it first");
    wl.by("ann").ok(&["claim", "1"]);
    wl.by("bob").fails(&["heartbeat", "1"], 5, "stale_token").has("holder", "ann");
    wl.by("ann").fails(&["heartbeat", "1", "--token", "7"], 5, "stale_token");
    wl.fails(&["heartbeat", "1", "--lease", "0s"], 2, "invalid");
    wl.fails(&["heartbeat", "1", "--token", "x"], 2, "invalid");
}
