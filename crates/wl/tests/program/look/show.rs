//! `wl show`.

use crate::{Tested, Wl};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("show", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::new();
    wl.ok(&["add", "a", "--priority", "high", "--active-form", "Doing a", "-d", "# Head\n\n- *one*\n- two"]);
    wl.ok(&["add", "b", "--after", "1", "--meta", "pr=4", "--parent", "1", "--tag", "x"]);
    wl.by("ann").ok(&["claim", "#1"]);
    let shown = wl.ok(&["show", "1"]);
    shown.stdout_has("[>] #1 a  (Doing a)  @ann  !high\n").stdout_has("  state        in progress\n");
    shown.stdout_has("ann, 15 min left (session ann@").stdout_has("  blocks       #2\n");
    shown.stdout_has("  priority     high\n").stdout_has("Head").stdout_has("one").stdout_has("created #1 a");
    let other = wl.ok(&["show", "2"]);
    other.stdout_has("  waits for    #1\n").stdout_has("  part of      #1\n").stdout_has("{\"pr\":4}");
    other.stdout_has("  tags         x\n").stdout_has("history      ");
}

#[test]
fn json() {
    let wl = Wl::with_tasks(&["a", "b < a"]);
    wl.by("ann").ok(&["claim", "1", "--session", "s-1"]);
    let shown = wl.json(&["show", "1"]);
    let claim = &shown["task"]["claim"];
    assert_eq!((&claim["agent"], &claim["session"]), (&json!("ann"), &json!("s-1")));
    assert!(claim["token"].is_u64() && claim["expires"].is_string());
    assert_eq!((&shown["history"]["changes"], &shown["history"]["lastSeq"]), (&json!(3), &json!(3)));
    assert_eq!((&shown["task"]["blocks"], &shown["task"]["owner"]), (&json!(["2"]), &json!("ann")));
}

#[test]
fn failures() {
    let wl = Wl::new();
    wl.fails(&["show", "1"], 4, "no_list");
    wl.ok(&["add", "a"]);
    wl.fails(&["show", "9"], 4, "not_found")
        .says("there is no task 9")
        .hints("`wl list --all` shows every task");
    wl.fails(&["show", "../x"], 2, "invalid").says("ids are up to 64 letters");
    wl.fails(&["show"], 2, "usage").says("<ID>");
    wl.write(".tasks/7.json", "{ not json");
    wl.fails(&["show", "7"], 1, "unreadable").says("7.json cannot be read as a task").hints("look at 7.json");
}

/// A task whose file broke after we knew it is shown as we knew it, and its file is kept when the next change replaces it.
#[test]
fn a_file_that_was_replaced_is_mentioned() {
    let wl = Wl::with_tasks(&["a"]);
    wl.write(".tasks/1.json", "{broken");
    wl.ok(&["show", "1"]).stderr_has("warning: 1.json");
    wl.ok(&["done", "1"]).stderr_has("warning: 1.json");
    assert_eq!(std::fs::read_dir(wl.path(".tasks/.worklist/quarantine")).unwrap().count(), 1);
}
