//! `wl why`.

use crate::{Tested, Wl, wl::Read};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("why", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::with_tasks(&["a", "b < a", "c < b"]);
    wl.ok(&["why", "1"]).stdout("#1 a - ready: `wl claim 1`\n");
    wl.ok(&["why", "3"])
        .stdout_has("#3 c - blocked by\n  #2 b - blocked by\n    #1 a - ready: `wl claim 1`\n");
    wl.by("ann").ok(&["claim", "1"]);
    wl.ok(&["why", "2"]).stdout("#2 b - blocked by\n  #1 a - in progress by ann, 15 min left\n");
    wl.ok(&["why"]).stdout_has("#1 a - in progress by ann").stdout_has("#3 c - blocked by");
    wl.by("ann").ok(&["done", "1"]);
    wl.ok(&["why", "1"]).stdout("#1 a - completed\n");
    let free = Wl::with_tasks(&["a"]);
    free.ok(&["why"]).stdout("Everything open is ready; `wl ready` shows it.\n");
}

#[test]
fn json() {
    let wl = Wl::with_tasks(&["a", "b < a", "c < b"]);
    let why = wl.json(&["why", "3"]);
    let told = &why["tasks"][0];
    assert_eq!(
        (&told["id"], &told["reason"], &told["openBlockers"]),
        (&json!("3"), &json!("blocked"), &json!(["2"]))
    );
    let steps: Vec<_> = told.items("steps").iter().map(|it| (&it["id"], &it["depth"])).collect();
    assert_eq!(steps, [(&json!("3"), &json!(0)), (&json!("2"), &json!(1)), (&json!("1"), &json!(2))]);
    assert_eq!(told["leaves"], json!([{"id": "1", "subject": "a", "reason": "ready", "openBlockers": []}]));
    wl.by("ann").ok(&["claim", "1"]);
    let leaf = &wl.json(&["why"])["tasks"][2]["leaves"][0];
    assert_eq!((&leaf["reason"], &leaf["agent"]), (&json!("claimed"), &json!("ann")));
    assert!(leaf["expires"].is_string());
}

#[test]
fn failures() {
    Wl::new().fails(&["why"], 4, "no_list");
    let wl = Wl::with_tasks(&["a"]);
    wl.fails(&["why", "9"], 4, "not_found").has("id", "9");
    wl.fails(&["why", "a b"], 2, "invalid").says("name one task at a time");
}

/// What another program took away is said to be missing, with the way out.
#[test]
fn a_missing_blocker_is_said_to_be_missing() {
    let wl = Wl::with_tasks(&["a", "b < a"]);
    std::fs::remove_file(wl.path(".tasks/1.json")).unwrap();
    wl.ok(&["why", "2"])
        .stdout_has("#1 - does not exist; `wl edit` takes the edge out, `wl doctor` shows it");
    assert_eq!(wl.json(&["why", "2"])["tasks"][0]["leaves"][0]["reason"], "missing");
    let refused = wl.fails(&["claim", "2"], 3, "blocked").has("missing", json!(["1"]));
    refused.hints("task 1 does not exist; `wl edit 2 --not-after 1` takes the edge out");
    wl.ok(&["edit", "2", "--not-after", "1"]);
    wl.ok(&["claim", "2"]);
}
