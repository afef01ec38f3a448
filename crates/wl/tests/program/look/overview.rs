//! `wl` alone.

use crate::{Tested, Wl};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("overview", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::new();
    wl.ok(&[]).stdout_has("There is no list here yet").stdout_has("wl add \"Write the parser\"");
    assert!(!wl.path(".tasks").exists());
    wl.ok(&["init"]);
    wl.ok(&[]).stdout_has("0 tasks: ").stdout_has("Next: `wl add SUBJECT`, or `wl plan FILE`.");
    wl.ok(&["add", "a"]);
    wl.ok(&["add", "b", "--after", "1"]);
    wl.ok(&[])
        .stdout_has("2 tasks: 1 ready, 0 in progress, 1 blocked, 0 completed\n")
        .stdout_has("Next: `wl next`");
    wl.ok(&["claim", "1"]);
    wl.ok(&[])
        .stdout_has("In progress\n  [>] #1 a  @me  (15 min left)\n")
        .stdout_has("`wl done 1` when it is finished");
    wl.by("zoe").ok(&[]).stdout_has("Nothing is ready: `wl why`");
    wl.ok(&["done", "1"]);
    wl.ok(&["done", "2"]);
    wl.ok(&[]).stdout_has("Everything is done. `wl log` shows how.");
}

#[test]
fn json() {
    let wl = Wl::new();
    assert_eq!(wl.json(&[]), json!({"dir": wl.path(".tasks").display().to_string(), "exists": false}));
    wl.ok(&["add", "a"]);
    wl.ok(&["add", "b", "--after", "1"]);
    wl.by("ann").ok(&["next"]);
    let board = wl.json(&[]);
    let counts = json!({"total": 2, "ready": 0, "blocked": 1, "inProgress": 1, "completed": 0, "parked": 0});
    assert_eq!(
        (&board["counts"], &board["format"], &board["agent"]),
        (&counts, &json!("claude"), &json!("me"))
    );
    assert_eq!((&board["inProgress"][0]["id"], &board["ready"]), (&json!("1"), &json!([])));
}

#[test]
fn failures() {
    let wl = Wl::new();
    wl.fails(&["--as", ""], 2, "invalid");
    wl.fails(&["frobnicate"], 2, "usage").says("frobnicate");
    wl.fails(&["lst"], 2, "usage").hints("list");
    wl.fails(&["--nothing"], 2, "usage");
    wl.write(".tasks/notes.json", "[1, 2]");
    wl.fails(&[], 1, "unclear_format");
}
