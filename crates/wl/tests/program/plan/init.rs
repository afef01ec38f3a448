//! `wl init`.

use crate::{Tested, Wl, wl::FORMATS};

pub(crate) const TESTED: Tested = Tested::new("init", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::new();
    let made = wl.ok(&["init"]);
    made.stdout_has("Made a list at")
        .stdout_has(".tasks (format claude)")
        .stdout_has("Next: `wl add SUBJECT`");
    wl.ok(&["init"]).stdout_has("There is a list already at");
    wl.ok(&["init", "plans/tasks", "--format", "s12"]).stdout_has("plans/tasks (format s12)");
    wl.ok(&["init", "--list", "release 2"]);
    assert!(wl.path("home/.claude/tasks/release-2").is_dir());
}

#[test]
fn json() {
    let wl = Wl::new();
    for format in FORMATS {
        let made = wl.json(&["init", format, "--format", format]);
        assert_eq!((&made["format"], &made["created"]), (&format.into(), &true.into()));
        assert_eq!(made["dir"], wl.path(format).display().to_string());
        // Who asks again learns what there is.
        let again = wl.json(&["init", format]);
        assert_eq!((&again["format"], &again["created"]), (&format.into(), &false.into()));
    }
}

#[test]
fn failures() {
    let wl = Wl::new();
    wl.fails(&["init", "--format", "odd"], 2, "invalid").says("tasks-json");
    wl.fails(&["init", "a", "--dir", "b"], 2, "usage");
    wl.ok(&["init"]);
    wl.fails(&["init", "--format", "s12"], 2, "other_format").says("is in format claude, not s12");
    wl.write("other/notes.txt", "not a list");
    wl.write("other/readme.json", "{\"name\": 1}");
    wl.write("file", "");
    wl.fails(&["init", "file"], 1, "io").hints("a list is a folder");
}
