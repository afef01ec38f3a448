//! `wl ready`.

use crate::{Tested, Wl, wl::Read};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("ready", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::with_tasks(&["a", "b", "c < b"]);
    wl.ok(&["ready"]).stdout("[ ] #2 b\n[ ] #1 a\n");
    wl.ok(&["edit", "1", "--priority", "high", "--tag", "x"]);
    wl.ok(&["ready"]).stdout("[ ] #1 a  !high  +x\n[ ] #2 b\n");
    wl.ok(&["ready", "--tag", "x"]).stdout("[ ] #1 a  !high  +x\n");
    for id in ["1", "2"] {
        wl.ok(&["claim", id]);
    }
    wl.ok(&["ready"]).stdout("Nothing is ready; `wl why` says what everything waits for.\n");
}

#[test]
fn json() {
    let wl = Wl::with_tasks(&["a", "b", "c < b"]);
    let ready = wl.json(&["ready", "--limit", "1"]);
    assert_eq!((&ready["count"], &ready["total"]), (&json!(1), &json!(3)));
    assert_eq!((&ready["tasks"][0]["id"], &ready["tasks"][0]["state"]), (&json!("2"), &json!("ready")));
    // It is what `next` takes.
    assert_eq!(wl.json(&["next"])["task"]["id"], "2");
    assert_eq!(wl.json(&["ready"]).items("tasks").len(), 1);
}

#[test]
fn failures() {
    Wl::new().fails(&["ready"], 4, "no_list");
    let wl = Wl::with_tasks(&[]);
    wl.fails(&["ready", "--limit", "-1"], 2, "usage");
    wl.fails(&["ready", "7"], 2, "usage");
}
