//! `wl trust`.

use crate::{Tested, Wl};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("trust", [text, json, failures]);

const FILE: &str = ".tasks/worklist.toml";
const HOOK: &str = "[hooks]\ncreated = \"echo ran >> ../ran\"\n";

fn bringing_hooks() -> Wl {
    let wl = Wl::with_tasks(&[]);
    wl.write(FILE, HOOK);
    wl.in_folder(".tasks")
}

#[test]
fn text() {
    let wl = bringing_hooks();
    wl.ok(&["trust"])
        .stdout_has("created = \"echo ran")
        .stdout_has("This is not trusted; `wl trust --yes` allows it.");
    wl.ok(&["trust", "--yes"]).stdout_has("Trusted, as it is now: ");
    wl.ok(&["trust"]).stdout_has("This is trusted.");
    wl.ok(&["trust", "--revoke"]).stdout_has("Not trusted any more: ");
    wl.ok(&["trust", "--revoke"]).stdout_has("It was not trusted: ");
    Wl::with_tasks(&[]).ok(&["trust"]).stdout_has("This list brings nothing along");
}

#[test]
fn json() {
    let wl = bringing_hooks();
    let trusted = |arguments: &[&str]| wl.json(arguments)["trusted"].clone();
    assert_eq!(trusted(&["trust"]), json!(false));
    assert_eq!(trusted(&["trust", "--yes"]), json!(true));
    let shown = wl.json(&["trust"]);
    assert_eq!(
        (&shown["trusted"], &shown["file"]),
        (&json!(true), &json!(wl.path(FILE).display().to_string()))
    );
    assert_eq!(trusted(&["trust", "--revoke"]), json!(false));
}

#[test]
fn failures() {
    let wl = bringing_hooks();
    wl.fails(&["trust", "--yes", "--revoke"], 2, "usage");
    wl.with("HOME", "").fails(&["trust"], 2, "invalid").has("field", "HOME");
    wl.write("home/.local", "a file in the way");
    wl.fails(&["trust", "--yes"], 1, "io").says("could not write");
}

/// A hook that came with a list runs after the user said so, as long as neither its text nor its place changes.
#[test]
fn a_hook_runs_only_with_trust() {
    let wl = bringing_hooks();
    let ran = || std::fs::read_to_string(wl.path("ran")).unwrap_or_default().lines().count();
    let warned = wl.ok(&["add", "a"]);
    warned.stderr_has("its hooks (1) are not run; `wl trust` shows them");
    assert_eq!(ran(), 0);
    wl.ok(&["trust", "--yes"]);
    wl.ok(&["add", "b"]).stderr("");
    assert_eq!(ran(), 1);
    wl.write(FILE, &HOOK.replace("ran >>", "run >>"));
    wl.ok(&["add", "c"]).stderr_has("are not run");
    assert_eq!(ran(), 1);
    wl.write(FILE, HOOK);
    wl.ok(&["add", "d"]);
    assert_eq!(ran(), 2, "the very text that was trusted");
    std::fs::rename(wl.path(".tasks"), wl.path("moved")).unwrap();
    wl.in_folder("moved").with("WORKLIST_DIR", ".").ok(&["add", "e"]).stderr_has("are not run");
    assert_eq!(ran(), 2);
}
