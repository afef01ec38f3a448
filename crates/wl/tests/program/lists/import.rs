//! `wl import`.

use super::{contents, lived};
use crate::{Tested, Wl, wl::Read};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("import", [text, json, failures]);

const BEADS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/tests/fixtures/beads/issues.jsonl");

#[test]
fn text() {
    let wl = Wl::new();
    wl.ok(&["import", BEADS, "--dry-run"]).stdout_has("Would import ").stdout_has(" issues: ");
    assert!(!wl.path(".tasks").exists(), "a rehearsal makes nothing");
    let taken = wl.ok(&["import", BEADS]);
    taken.stdout_has("Imported ").stdout_has("`wl undo 1` takes it back").stdout_has("given anew");
    wl.ok(&["undo"]);
    assert_eq!(wl.json(&["list", "--all"])["total"], 0);
}

#[test]
fn json() {
    let wl = Wl::new();
    let rehearsed = wl.json(&["import", BEADS, "--dry-run"]);
    let taken = wl.json(&["import", BEADS]);
    assert_eq!(
        (&taken["source"], &taken["dryRun"], &taken["events"]),
        (&json!("beads"), &json!(false), &json!(0))
    );
    assert_eq!((&rehearsed["imported"], &rehearsed["dryRun"]), (&taken["imported"], &json!(true)));
    assert_eq!(rehearsed["renamed"], taken["renamed"]);
    let list = wl.json(&["list", "--all"]);
    assert_eq!(list["total"], taken["imported"]);
    let renamed = list.items("tasks").iter().filter(|it| it["importedFrom"].is_string());
    assert_eq!(taken["renamed"], renamed.count());
    // Into a list with tasks only the tasks go, under new ids where theirs are taken.
    let export = lived("claude").ok(&["export"]).out;
    let other = Wl::with_tasks(&["here"]);
    let more = other.input(&export).json(&["import", "-"]);
    assert_eq!((&more["imported"], &more["events"]), (&json!(5), &json!(0)));
    assert_eq!(other.json(&["list", "--all"])["total"], 6);
}

#[test]
fn failures() {
    let wl = Wl::new();
    let from = |text: &str| wl.input(text);
    wl.fails(&["import", "nowhere.jsonl"], 1, "io").says("could not read nowhere.jsonl");
    wl.fails(&["import"], 2, "usage");
    from("no JSON").fails(&["import", "-"], 2, "invalid").says("line 1").hints("nothing was imported");
    from("").fails(&["import", "-"], 2, "invalid");
    let export = lived("claude").ok(&["export"]).out;
    let cut = export.lines().take(4).collect::<Vec<_>>().join("\n");
    from(&cut).fails(&["import", "-"], 2, "invalid").says("line 4").says("it is not whole");
    let broken = export.replacen("\"task\":{", "\"task\":[", 1);
    from(&broken).fails(&["import", "-"], 2, "invalid").says("line 2");
    let newer = export.replacen("\"version\":1", "\"version\":2", 1);
    from(&newer).fails(&["import", "-"], 2, "invalid").says("newer version");
    assert!(!wl.path(".tasks").exists(), "what is refused leaves nothing behind");
    std::fs::write(wl.path("latin"), [0xE9]).unwrap();
    wl.fails(&["import", "latin"], 2, "invalid").says("is not UTF-8");
}

/// Into a list of another format: the same contents under other ids.
#[test]
fn into_another_format() {
    let wl = lived("claude");
    let export = wl.ok(&["export"]).out;
    for format in ["s12", "v6", "tasks-json"] {
        let other = Wl::of_format(format, &[]);
        other.input(&export).ok(&["import", "-"]);
        assert_eq!(contents(&other), contents(&wl), "{format}");
        assert_eq!(other.json(&["log"]).items("events").len(), wl.json(&["log"]).items("events").len());
    }
}
