//! `wl doctor`.

use crate::{Tested, Wl, wl::Read};
use serde_json::{Value, json};

pub(crate) const TESTED: Tested = Tested::new("doctor", [text, json, failures]);

/// A list with an edge that stands on one end only.
fn one_sided() -> Wl {
    let wl = Wl::with_tasks(&["a", "b < a"]);
    wl.ok(&["log"]);
    wl.replace(".tasks/1.json", "\"2\"", "");
    wl
}

fn codes(json: &Value) -> Vec<&str> {
    json.items("findings").iter().map(|it| it.word("code")).collect()
}

#[test]
fn text() {
    let wl = Wl::with_tasks(&["a"]);
    wl.ok(&["doctor"]).stdout_has("(claude, 1 task, 1 event in ");
    wl.write(".tasks/7.json", "{ not json");
    let found = wl.run(&["doctor"]).code(1);
    found.stdout_has("fault").stdout_has("7.json").stdout_has("1 fault,");
    wl.ok(&["doctor", "--help"]).stdout_has("exit code 1");
}

#[test]
fn json() {
    let wl = one_sided();
    let look = wl.json(&["doctor"]);
    assert_eq!((&look["healthy"], &look["tasks"]), (&json!(false), &json!(2)));
    assert!(codes(&look).contains(&"one_sided_edge"), "{look:#}");
    let file = wl.read(".tasks/1.json");
    let rehearsed = wl.json(&["doctor", "--fix", "--dry-run"]);
    assert!(rehearsed.get("mended").is_none());
    assert_eq!(wl.read(".tasks/1.json"), file, "a rehearsal changes nothing");
}

#[test]
fn failures() {
    Wl::new().fails(&["doctor"], 4, "no_list");
    let wl = Wl::with_tasks(&["a"]);
    wl.fails(&["doctor", "--undo"], 4, "no_event").says("there is no mend to take back");
    wl.fails(&["doctor", "--undo", "7"], 4, "no_event").says("there is no mend 7 to take back");
    wl.fails(&["doctor", "--dry-run"], 2, "usage").says("--fix");
    wl.fails(&["doctor", "--fix", "--undo"], 2, "usage");
}

/// What is safe to mend is mended, shown before, and taken back byte for byte.
#[test]
fn mends_and_takes_it_back() {
    let wl = one_sided();
    let broken = wl.read(".tasks/1.json");
    let mended = wl.json(&["doctor", "--fix"]);
    assert_eq!(mended["mended"]["done"][0]["code"], "one_sided_edge", "{mended:#}");
    assert_eq!(mended["healthy"], true);
    assert!(wl.read(".tasks/1.json").contains("\"2\""));
    assert!(!codes(&wl.json(&["doctor"])).contains(&"one_sided_edge"));
    let back = wl.json(&["doctor", "--undo"]);
    assert_eq!(back["changed"], json!([]));
    assert_eq!(wl.read(".tasks/1.json"), broken);
    let text = wl.ok(&["doctor", "--fix"]);
    text.stdout_has("done: ").stdout_has("`wl doctor --undo` takes it back.");
    wl.ok(&["doctor", "--undo"]).stdout_has("Took back mend ").stdout_has("1.json is as it was");
}

/// Faults that no command would let in: circles and edges to nothing.
#[test]
fn finds_what_others_wrote() {
    let wl = Wl::with_tasks(&["a", "b < a"]);
    wl.replace(".tasks/1.json", "\"blockedBy\": []", "\"blockedBy\": [\"2\"]");
    wl.replace(".tasks/2.json", "\"blocks\": []", "\"blocks\": [\"1\", \"99\"]");
    let look = wl.run(&["doctor", "--json"]).code(1).json();
    let codes = codes(&look);
    assert!(codes.contains(&"cycle") && codes.contains(&"dangling_edge"), "{codes:?}");
}
