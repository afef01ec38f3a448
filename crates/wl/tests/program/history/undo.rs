//! `wl undo`.

use crate::{
    Tested, Wl,
    wl::{FORMATS, Read},
};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("undo", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::with_tasks(&["a"]);
    wl.ok(&["edit", "1", "--subject", "A"]);
    wl.ok(&["undo"]).stdout("Took back 2: changed subject of #1 A\n  [ ] #1 a\n");
    wl.ok(&["log", "--limit", "1"]).stdout_has("took back 2: changed subject of #1 a");
    wl.ok(&["undo", "3"]).stdout_has("[ ] #1 A\n");
}

#[test]
fn json() {
    let wl = Wl::with_tasks(&["a"]);
    wl.ok(&["done", "1"]);
    let undone = wl.json(&["undo"]);
    assert_eq!((&undone["undone"], &undone["tasks"][0]["state"]), (&json!(2), &json!("ready")));
    assert_eq!((&undone["event"]["command"], &undone["event"]["undoes"]), (&json!("undo"), &json!(2)));
}

#[test]
fn failures() {
    Wl::new().fails(&["undo"], 4, "no_list");
    let wl = Wl::with_tasks(&["a"]);
    wl.fails(&["undo", "99"], 4, "no_event").says("there is no event 99").hints("`wl log` shows the history");
    wl.by("zoe")
        .fails(&["undo"], 4, "no_event")
        .says("there is no change by zoe to take back")
        .hints("`wl undo SEQ`");
    wl.fails(&["undo", "x"], 2, "invalid");
    wl.ok(&["edit", "1", "--subject", "b"]);
    wl.ok(&["edit", "1", "--subject", "c"]);
    let later = wl.fails(&["undo", "2"], 3, "changed_since").has("fields", json!(["subject"]));
    later.says("task 1 was changed again since (subject)").hints("undo the later changes first; `wl log 1`");
}

/// Without a number one's own changes are taken back, one after the other, and nobody else's.
#[test]
fn again_and_again() {
    let wl = Wl::with_tasks(&["a"]);
    for subject in ["b", "c"] {
        wl.ok(&["edit", "1", "--subject", subject]);
        wl.by("ann").ok(&["add", "hers"]);
    }
    wl.ok(&["undo"]).stdout_has("[ ] #1 b\n");
    wl.ok(&["undo"]).stdout_has("[ ] #1 a\n");
    wl.ok(&["undo"]).stdout_has("Took back 1: ");
    wl.fails(&["undo"], 4, "no_event");
    wl.ok(&["list"]).stdout("[ ] #2 hers\n[ ] #3 hers\n");
    wl.by("ann").ok(&["undo"]);
    wl.ok(&["list"]).stdout("[ ] #2 hers\n");
}

/// A task that was removed comes back with its edges, in every format.
#[test]
fn of_a_removal() {
    for format in FORMATS {
        let wl = Wl::of_format(format, &["a", "b < a", "c < b"]);
        // Where the list is one file, what comes back comes last.
        let list = |wl: &Wl| {
            let mut tasks = wl.json(&["list", "--all"]).items("tasks").clone();
            tasks.sort_by_key(|it| it["subject"].to_string());
            json!(tasks)
        };
        let before = list(&wl);
        let id = before[1].word("id");
        wl.ok(&["rm", id]);
        assert_eq!(list(&wl)[1]["blockedBy"], json!([]), "{format}");
        wl.ok(&["undo"]);
        let after = list(&wl);
        for (n, task) in before.as_array().unwrap().iter().enumerate() {
            for key in ["id", "subject", "blocks", "blockedBy", "status"] {
                assert_eq!(after[n][key], task[key], "{key} in {format}");
            }
        }
    }
}

/// A change by an editor can be taken back by its number.
#[test]
fn of_a_foreign_change() {
    let wl = Wl::with_tasks(&["a"]);
    wl.replace(".tasks/1.json", "\"a\"", "\"by hand\"");
    let event = wl.json(&["log", "--limit", "1"])["events"][0].clone();
    assert_eq!(event["origin"], "foreign");
    wl.ok(&["undo", &event["seq"].to_string()]).stdout_has("[ ] #1 a\n");
    assert!(wl.read(".tasks/1.json").contains("\"a\""));
    wl.ok(&["undo"]).stdout_has("Took back 1: ");
}

/// A claim that was taken back stays so: its number has passed.
#[test]
fn a_claim_does_not_come_back() {
    let wl = Wl::with_tasks(&["a"]);
    wl.ok(&["claim", "1"]);
    wl.ok(&["done", "1"]);
    wl.ok(&["undo"]);
    assert!(wl.json(&["show", "1"])["task"].get("claim").is_none());
}

/// What another program removed is not taken for one's own doing; the way back is named.
#[test]
fn nothing_is_left_of_it() {
    let wl = Wl::with_tasks(&["a"]);
    std::fs::remove_file(wl.path(".tasks/1.json")).expect("removed");
    wl.fails(&["undo"], 3, "already_undone")
        .says("nothing is left of change 1 to take back")
        .hints("`wl undo 2` brings back what another program removed");
    wl.ok(&["undo", "2"]).stdout_has("[ ] #1 a\n");
}
