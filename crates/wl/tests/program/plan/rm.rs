//! `wl rm`.

use crate::{Tested, Wl};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("rm", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::with_tasks(&["a", "b < a"]);
    let removed = wl.ok(&["rm", "1"]);
    removed.stdout("Removed [ ] #1 a\nUnblocked [ ] #2 b\n`wl undo 3` brings it back.\n");
    wl.ok(&["list"]).stdout("[ ] #2 b\n");
}

#[test]
fn json() {
    let wl = Wl::with_tasks(&["a", "b < a"]);
    let removed = wl.json(&["rm", "1"]);
    assert_eq!((&removed["task"]["id"], &removed["seq"]), (&json!("1"), &json!(3)));
    assert_eq!(removed["unblocked"], json!([{"id": "2", "subject": "b"}]));
    assert_eq!(wl.json(&["show", "2"])["task"]["blockedBy"], json!([]));
}

#[test]
fn failures() {
    Wl::new().fails(&["rm", "1"], 4, "no_list").hints("make one with `wl init`");
    let wl = Wl::with_tasks(&["a"]);
    wl.fails(&["rm", "9"], 4, "not_found").says("there is no task 9");
    wl.fails(&["rm"], 2, "usage").says("<ID>");
    wl.fails(&["rm", "1", "2"], 2, "usage");
    wl.by("ann").ok(&["claim", "1"]);
    wl.fails(&["rm", "1"], 3, "already_claimed").has("by", "ann");
    wl.ok(&["rm", "1", "--force"]);
}
