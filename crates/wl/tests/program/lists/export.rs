//! `wl export`.

use super::lived;
use crate::{Tested, Wl, wl::FORMATS};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("export", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::with_tasks(&["a", "b < a"]);
    let export = wl.ok(&["export"]);
    export
        .stdout_has("{\"worklist\":\"export\",\"version\":1,\"format\":\"claude\",\"tasks\":2,\"events\":2,");
    assert_eq!(export.out.lines().count(), 1 + 2 + 2);
    assert_eq!(wl.ok(&["export"]).out, export.out, "the same list gives the same bytes");
}

#[test]
fn json() {
    let wl = lived("claude");
    let export = wl.ok(&["export", "--json"]);
    assert_eq!(export.out, wl.ok(&["export"]).out, "with --json or without");
    let lines = export.lines();
    assert_eq!(lines[0]["tasks"], 5);
    assert_eq!(lines[2]["standing"]["claim"]["agent"], "ann");
    let last = &lines.last().unwrap()["event"];
    assert_eq!((&last["command"], &last["plan"]["key"]), (&json!("plan"), &json!("k")));
}

#[test]
fn failures() {
    let wl = Wl::new();
    wl.fails(&["export"], 4, "no_list");
    wl.ok(&["init"]);
    wl.fails(&["export", "file"], 2, "usage");
}

/// Out, in elsewhere, and out again: not a byte differs, claims and history included, in every format.
#[test]
fn there_and_back() {
    for format in FORMATS {
        let wl = lived(format);
        let export = wl.ok(&["export"]).out;
        let other = Wl::new();
        let taken = other.input(&export).json(&["import", "-"]);
        assert_eq!((&taken["source"], &taken["renamed"]), (&json!("export"), &json!(0)), "{format}");
        assert_eq!(other.ok(&["export"]).out, export, "{format}");
        // The claim is alive there, too.
        let claimed = other.json(&["list", "--status", "in_progress"]);
        assert_eq!(claimed["tasks"][0]["claim"]["agent"], "ann", "{format}");
    }
}
