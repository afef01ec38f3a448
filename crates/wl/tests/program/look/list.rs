//! `wl list`.

use crate::{Tested, Wl, wl::Read};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("list", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::with_tasks(&["a", "b < a", "c < b"]);
    wl.ok(&["list"]).stdout("[ ] #1 a\n[ ] #2 b  blocked by #1\n[ ] #3 c  blocked by #2\n");
    wl.ok(&["ls", "--blocked", "--limit", "1"])
        .stdout("[ ] #2 b  blocked by #1\n… and 1 more; --all shows every one\n");
    wl.ok(&["list", "--tree"])
        .stdout("[ ] #1 a\n└─ [ ] #2 b  blocked by #1\n   └─ [ ] #3 c  blocked by #2\n");
    wl.by("ann").ok(&["claim", "1"]);
    wl.by("ann").ok(&["done", "1"]);
    wl.ok(&["list"]).stdout("[ ] #2 b\n[ ] #3 c  blocked by #2\n");
    wl.ok(&["list", "--all"]).stdout_has("[x] #1 a  @ann\n[ ] #2 b\n");
    wl.ok(&["list", "--status", "completed", "--owner", "ann"]).stdout("[x] #1 a  @ann\n");
    wl.ok(&["list", "--tag", "none"]).stdout("No such tasks among 3; `wl list --all` shows every one.\n");
    let empty = Wl::with_tasks(&[]);
    empty.ok(&["list"]).stdout("No tasks yet; `wl add SUBJECT` creates one.\n");
}

#[test]
fn json() {
    let wl = Wl::with_tasks(&["a", "b < a", "c < b"]);
    let ids = |arguments: &[&str]| {
        let list = wl.json(arguments);
        let ids = list.items("tasks").iter().map(|it| it.word("id").to_owned());
        (ids.collect::<Vec<_>>().join(" "), list["count"].clone(), list["total"].clone())
    };
    assert_eq!(ids(&["list"]), ("1 2 3".into(), json!(3), json!(3)));
    assert_eq!(ids(&["list", "--limit", "1"]), ("1".into(), json!(1), json!(3)));
    wl.ok(&["edit", "2", "--tag", "x", "--tag", "y"]);
    assert_eq!(ids(&["list", "--tag", "x", "--tag", "y"]).0, "2");
    assert_eq!(ids(&["list", "--blocked"]).0, "2 3");
    wl.ok(&["claim", "1"]);
    assert_eq!(ids(&["list", "--status", "in_progress"]).0, "1");
    wl.ok(&["done", "1"]);
    assert_eq!(ids(&["list", "--tree"]).0, "2 3", "a document has no trees");
    assert_eq!(ids(&["list", "--all"]).0, "1 2 3");
}

#[test]
fn failures() {
    let wl = Wl::new();
    wl.fails(&["list"], 4, "no_list").says("there is no list at").hints("wl init");
    wl.ok(&["init"]);
    wl.fails(&["list", "--status", "odd"], 2, "invalid");
    wl.fails(&["list", "--limit", "many"], 2, "invalid");
    wl.fails(&["list", "--format", "s12", "--dir", ".tasks"], 2, "other_format").hints("leave --format out");
    wl.fails(&["list", "-q", "-v"], 2, "usage");
}

/// What cannot be read is said; the rest is shown.
#[test]
fn a_broken_file_is_a_warning() {
    let wl = Wl::with_tasks(&["a"]);
    wl.write(".tasks/7.json", "{ not json");
    wl.ok(&["list"]).stdout("[ ] #1 a\n").stderr_has("warning: 7.json: ");
    wl.ok(&["list", "-q"]).stderr("");
    assert_eq!(wl.json(&["list"]).items("warnings").len(), 1);
}

#[test]
fn two_formats_in_one_folder_are_refused() {
    let wl = Wl::with_tasks(&["a"]);
    wl.write(".tasks/task_1.json", r#"{"id": 1, "subject": "s", "status": "pending", "blockedBy": []}"#);
    std::fs::remove_dir_all(wl.path(".tasks/.worklist")).unwrap();
    let refused = wl.fails(&["list"], 1, "unclear_format");
    refused.says("the format of").hints("move the files of one format");
}
