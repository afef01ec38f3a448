//! `wl log`.

use crate::{Tested, Wl, wl::Read};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("log", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::with_tasks(&["a", "b < a"]);
    wl.by("ann").ok(&["claim", "1"]);
    wl.by("ann").ok(&["done", "1"]);
    let log = wl.ok(&["log"]);
    let lines: Vec<&str> = log.out.lines().collect();
    assert_eq!(lines.len(), 4, "{}", log.out);
    assert!(
        lines[0].starts_with('4')
            && lines[0].contains("ann")
            && lines[0].ends_with("completed #1 a, unblocked #2")
    );
    assert!(lines[1].ends_with("claimed #1 a") && lines[3].ends_with("created #1 a"), "{}", log.out);
    assert_eq!(wl.ok(&["log", "--limit", "2"]).out.lines().count(), 2);
    wl.ok(&["log", "2"]).stdout_has("created #2 b");
    Wl::with_tasks(&[]).ok(&["log"]).stdout("Nothing has happened yet.\n");
}

#[test]
fn json() {
    let wl = Wl::with_tasks(&["a"]);
    wl.ok(&["edit", "1", "--subject", "A", "--tag", "x"]);
    wl.ok(&["rm", "1"]);
    let log = wl.json(&["log"]);
    assert_eq!(log["seq"], 3);
    let kinds: Vec<_> = log.items("events").iter().map(|it| &it["changes"][0]["kind"]).collect();
    assert_eq!(kinds, ["removed", "changed", "created"]);
    let fields = &log["events"][1]["changes"][0]["fields"];
    assert_eq!((&fields["subject"], &fields["tags"]), (&json!(["a", "A"]), &json!([null, ["x"]])));
    assert_eq!(wl.json(&["log", "1", "--limit", "1"])["events"][0]["seq"], 3, "also of a task that is gone");
}

#[test]
fn failures() {
    Wl::new().fails(&["log"], 4, "no_list");
    let wl = Wl::with_tasks(&["a"]);
    wl.fails(&["log", "9"], 4, "not_found").has("id", "9");
    wl.fails(&["log", "--limit", "few"], 2, "invalid");
}

/// What an editor or another program did is a change like any other.
#[test]
fn a_foreign_change_is_in_it() {
    let wl = Wl::with_tasks(&["a"]);
    wl.replace(".tasks/1.json", "\"a\"", "\"by hand\"");
    wl.ok(&["log"]).stdout_has("another program").stdout_has("changed subject of #1 by hand");
    let event = &wl.json(&["log", "--limit", "1"])["events"][0];
    assert_eq!(
        (&event["origin"], &event["changes"][0]["fields"]["subject"]),
        (&json!("foreign"), &json!(["a", "by hand"]))
    );
}
