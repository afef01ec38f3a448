//! `wl convert`.

use super::{contents, lived};
use crate::{
    Tested, Wl,
    wl::{FORMATS, Read},
};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("convert", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::with_tasks(&["a", "b < a"]);
    wl.ok(&["convert", "claude"]).stdout("The list is in format claude already; nothing was done.\n");
    wl.ok(&["convert", "s12", "--dry-run"])
        .stdout_has("Would convert 2 tasks and 2 events from claude to s12");
    assert!(wl.path(".tasks/1.json").exists(), "a rehearsal changes nothing");
    let done = wl.ok(&["convert", "s12"]);
    done.stdout_has("Converted 2 tasks and 2 events from claude to s12")
        .stdout_has("  #1 is #")
        .stdout_has("the old files are at");
    assert!(!wl.path(".tasks/1.json").exists());
    wl.ok(&["convert", "tasks-json", "copy"]).stdout_has("/copy\n");
    assert!(wl.path("copy/tasks.json").exists());
}

#[test]
fn json() {
    let wl = Wl::with_tasks(&["a"]);
    wl.ok(&["edit", "1", "--priority", "high"]);
    assert_eq!(
        wl.json(&["convert", "claude"]),
        json!({"from": "claude", "to": "claude", "converted": false})
    );
    let would = wl.json(&["convert", "s07", "--dry-run"]);
    assert_eq!(
        (&would["converted"], &would["beside"]["priority"], would.get("kept")),
        (&json!(false), &json!(1), None)
    );
    let done = wl.json(&["convert", "s07"]);
    assert_eq!((&done["from"], &done["to"], &done["tasks"]), (&json!("claude"), &json!("s07"), &json!(1)));
    let kept = std::path::PathBuf::from(done.word("kept"));
    assert!(kept.join("1.json").exists(), "the old files are kept at {}", kept.display());
    assert_eq!(wl.json(&["show", "1"])["task"]["priority"], "high", "what did not fit is kept beside");
}

#[test]
fn failures() {
    Wl::new().fails(&["convert", "s12"], 4, "no_list");
    let wl = Wl::with_tasks(&["a"]);
    wl.fails(&["convert", "odd"], 2, "invalid").says("tasks-json");
    wl.fails(&["convert"], 2, "usage");
    wl.by("ann").ok(&["claim", "1"]);
    let busy = wl.fails(&["convert", "s12"], 3, "already_claimed").has("by", "ann");
    busy.hints("wait until it is done or released");
    assert!(wl.path(".tasks/1.json").exists(), "nothing was moved");
    wl.ok(&["convert", "s12", "--dry-run"]);
    wl.ok(&["convert", "s12", "--force"]);
    let there = Wl::with_tasks(&["a"]);
    there.ok(&["init", "other", "--format", "s12"]);
    there.ok(&["add", "x", "--dir", "other"]);
    let taken = there.run(&["convert", "s12", "other", "--json"]);
    assert!(taken.json().get("error").is_some(), "a list with tasks is not written over");
}

/// From every format to every other and back: the same contents, the same history.
#[test]
fn there_and_back() {
    for from in FORMATS {
        let wl = lived(from);
        wl.by("ann").ok(&["done", wl.json(&["list", "--status", "in_progress"])["tasks"][0].word("id")]);
        let (before, events) = (contents(&wl), wl.json(&["changes"])["seq"].clone());
        for to in FORMATS.into_iter().filter(|it| *it != from) {
            wl.ok(&["convert", to]);
            assert_eq!(contents(&wl), before, "{from} to {to}");
            wl.ok(&["convert", from]);
            assert_eq!(contents(&wl), before, "{to} to {from}");
        }
        assert_eq!(wl.json(&["changes"])["seq"], events, "{from}");
    }
}
