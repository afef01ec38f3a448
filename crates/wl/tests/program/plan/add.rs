//! `wl add`.

use crate::{Tested, Wl};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("add", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::new();
    let made = wl.ok(&["add", "Set up schema", "--priority", "high", "--tag", "db"]);
    made.stdout_has("Made a list at").stdout_has("Created [ ] #1 Set up schema  !high  +db\n");
    wl.ok(&["add", "Write API", "--after", "#1"]).stdout("Created [ ] #2 Write API  blocked by #1\n");
    wl.ok(&["add", "First of all", "--before", "1"]).stdout("Created [ ] #3 First of all\n");
    wl.ok(&["list"]).stdout_has("[ ] #1 Set up schema  blocked by #3");
}

#[test]
fn json() {
    let wl = Wl::new();
    let added = wl.json(&["add", "a", "-d", "long", "--tag", "x", "--meta", "n=1.0", "--meta", "s=word"]);
    assert_eq!(added["madeList"], wl.path(".tasks").display().to_string());
    let task = &added["task"];
    assert_eq!(
        (&task["id"], &task["state"], &task["description"]),
        (&json!("1"), &json!("ready"), &json!("long"))
    );
    assert_eq!((&task["tags"], &task["metadata"]["s"]), (&json!(["x"]), &json!("word")));
    let rest = wl.json(&[
        "add",
        "b",
        "--after",
        "1",
        "--parent",
        "1",
        "--active-form",
        "Doing b",
        "--priority",
        "low",
    ]);
    let task = &rest["task"];
    assert_eq!(
        (&task["blockedBy"], &task["openBlockers"], &task["state"]),
        (&json!(["1"]), &json!(["1"]), &json!("blocked"))
    );
    assert_eq!(
        (&task["parent"], &task["activeForm"], &task["priority"]),
        (&json!("1"), &json!("Doing b"), &json!("low"))
    );
    assert!(rest.get("madeList").is_none());
}

#[test]
fn failures() {
    let wl = Wl::new();
    wl.fails(&["add", " "], 2, "invalid").says("subject").has("field", "subject");
    wl.fails(&["add", "c", "--after", "1"], 4, "not_found").says("there is no task 1").has("id", "1");
    assert!(!wl.path(".tasks").exists(), "what is refused makes no list");
    wl.ok(&["add", "a"]);
    wl.fails(&["add", " "], 2, "invalid").has("field", "subject");
    wl.fails(&["add", "c", "--before", "99"], 4, "not_found").hints("`wl list --all`").has("id", "99");
    wl.fails(&["add", "c", "--parent", "99"], 4, "not_found");
    wl.fails(&["add", "c", "--after", "1", "--before", "1"], 3, "cycle");
    wl.fails(&["add", "c", "--after", "../x"], 2, "invalid").says("ids are up to 64 letters");
    wl.fails(&["add", "c", "--after", "1,2"], 2, "invalid").says("name one task at a time");
    wl.fails(&["add", "c", "--priority", "huge"], 2, "invalid").says("medium");
    wl.fails(&["add", "c", "--meta", "nothing"], 2, "invalid").says("KEY=VALUE");
    wl.fails(&["add", "c", "--meta", "worklist=1"], 2, "invalid");
    wl.fails(&["add", "c", "--as", ""], 2, "invalid").has("field", "--as");
    wl.fails(&["add", "c", "--session", "two\nlines"], 2, "invalid").has("field", "--session");
    wl.fails(&["add"], 2, "usage").says("<SUBJECT>").hints("`wl add --help`");
    wl.fails(&["add", "c", "--dir", "a", "--list", "b"], 2, "usage");
    wl.fails(&["add", "c", "--tags", "x"], 2, "usage").hints("--tag");
    assert_eq!(wl.json(&["list", "--all"])["total"], 1, "nothing was made on the way");
}

/// People read documents, too: what every task has comes first, what follows from the rest of the list last.
#[test]
fn keys_keep_their_order() {
    let wl = Wl::new();
    let out = wl.ok(&["add", "a", "-d", "long", "--tag", "x", "--meta", "n=1", "--json"]).out;
    let keys =
        ["id", "subject", "description", "status", "blocks", "blockedBy", "metadata", "tags", "createdAt"];
    let places =
        keys.iter().chain(&["updatedAt", "state", "openBlockers"]).map(|it| out.find(&format!("\"{it}\":")));
    assert!(places.collect::<Option<Vec<_>>>().unwrap().is_sorted(), "{out}");
}

/// Numbers keep their spelling on the way through.
#[test]
fn a_number_stays_as_it_was_written() {
    let wl = Wl::new();
    wl.ok(&["add", "a", "--meta", "n=1.0", "--meta", "big=12345678901234567890123"]);
    wl.ok(&["show", "1", "--json"]).stdout_has("\"n\": 1.0").stdout_has("12345678901234567890123");
}

#[test]
fn a_description_can_come_from_standard_input() {
    let wl = Wl::new();
    wl.input("line 1\nline 2\n").ok(&["add", "a", "-d", "-"]);
    assert_eq!(wl.json(&["show", "1"])["task"]["description"], "line 1\nline 2");
}
