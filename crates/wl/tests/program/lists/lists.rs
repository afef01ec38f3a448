//! `wl lists`.

use crate::{Tested, Wl, wl::Read};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("lists", [text, json, failures]);

const SESSION: &str = "0b1cf0b2-5a0e-4d2c-9f6b-2d0f3c1b7a55";

/// A project's list, and one of each kind in Claude Code's folder.
fn surrounded() -> Wl {
    let wl = Wl::with_tasks(&["mine", "done"]);
    wl.ok(&["done", "2"]);
    for name in [SESSION, "session-0b1cf0b2", "release-2"] {
        let task = r#"{"id": "1", "subject": "s", "description": "", "status": "pending", "blocks": [], "blockedBy": []}"#;
        wl.write(&format!("home/.claude/tasks/{name}/1.json"), task);
    }
    wl.write("home/.claude/tasks/empty/.highwatermark", "3");
    wl
}

#[test]
fn text() {
    let wl = surrounded();
    let lists = wl.ok(&["lists"]);
    lists.stdout_has("1 open of 2").stdout_has(&wl.path(".tasks").display().to_string());
    lists.stdout_has("session ").stdout_has(&format!("--list {SESSION}\n"));
    lists.stdout_has("team ").stdout_has("--list session-0b1cf0b2\n");
    lists.stdout_has("named ").stdout_has("--list release-2\n");
    assert!(!lists.out.contains("--list empty"), "{}", lists.out);
    wl.ok(&["lists", "--all"]).stdout_has("--list empty");
    wl.ok(&["list", "--list", "release-2"]).stdout("[ ] #1 s\n");
    Wl::new().ok(&["lists"]).stdout("No lists were found; `wl init` makes one here.\n");
}

#[test]
fn json() {
    let wl = surrounded();
    wl.write("home/.claude/tasks/odd/strange.json", "[]");
    let lists = wl.json(&["lists"]);
    let mut found: Vec<_> = lists.items("lists").iter().map(|it| (&it["kind"], &it["name"])).collect();
    found.sort_by_key(|it| it.1.to_string());
    let expected = [
        ("project", ".tasks"),
        ("session", SESSION),
        ("named", "odd"),
        ("named", "release-2"),
        ("team", "session-0b1cf0b2"),
    ];
    assert_eq!(
        found,
        expected
            .map(|(kind, name)| (json!(kind), json!(name)))
            .iter()
            .map(|(kind, name)| (kind, name))
            .collect::<Vec<_>>()
    );
    let project = lists.items("lists").iter().find(|it| it["kind"] == "project").unwrap();
    assert_eq!(
        (&project["open"], &project["total"], &project["format"]),
        (&json!(1), &json!(2), &json!("claude"))
    );
    let odd = lists.items("lists").iter().find(|it| it["name"] == "odd").unwrap();
    assert!(odd["problem"].is_string(), "{odd}");
}

/// What is shown can be typed, also where a name looks like a flag.
#[test]
fn a_name_with_a_dash_can_be_typed() {
    let wl = Wl::new();
    wl.ok(&["add", "a", "--list", "../x"]);
    wl.ok(&["lists"]).stdout_has("--list=---x\n");
    wl.ok(&["list", "--list=---x"]).stdout("[ ] #1 a\n");
}

/// It looks wherever it can and fails by nothing that it finds; only by what was typed.
#[test]
fn failures() {
    let wl = surrounded();
    wl.fails(&["lists", "release-2"], 2, "usage");
    wl.fails(&["lists", "--everything"], 2, "usage");
}
