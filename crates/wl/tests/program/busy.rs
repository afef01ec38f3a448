//! A list that others are busy with: by our lock, or by the lock of another program.

use crate::Wl;
use std::fs::{self, File};

/// Whoever cannot have the list in time is told so, by whom it is held up, and that nothing happened. Looking goes on.
#[test]
fn a_locked_list_can_be_looked_at() {
    let wl = Wl::with_tasks(&["a"]);
    let folder = File::open(wl.path(".tasks")).unwrap();
    folder.lock().unwrap();
    wl.ok(&["list"]).stdout("[ ] #1 a\n");
    wl.ok(&["show", "1"]).stdout_has("[ ] #1 a\n");
    let locked = wl.fails(&["done", "1"], 1, "locked");
    locked.says("the list is locked by").hints("it will be free in a moment; try again");
    drop(folder);
    wl.ok(&["done", "1"]);
}

/// A lock as Claude Code takes it, and keeps alive.
#[test]
fn another_programs_lock_is_respected() {
    let wl = Wl::with_tasks(&["a"]);
    fs::create_dir(wl.path(".tasks/1.json.lock")).unwrap();
    let refused = wl.run(&["done", "1", "--json"]).code(1).json();
    assert_eq!(refused["error"]["code"], "locked", "{refused}");
    fs::remove_dir(wl.path(".tasks/1.json.lock")).unwrap();
    wl.ok(&["done", "1"]);
}

/// Many processes at once on one list: every change is there, none twice.
#[test]
fn everybody_at_once() {
    let wl = Wl::with_tasks(&[]);
    let subjects: Vec<String> = (0..12).map(|n| format!("task {n}")).collect();
    let running: Vec<_> = subjects.iter().map(|it| wl.start(&["add", it, "--json"])).collect();
    let mut ids: Vec<String> =
        running.into_iter().map(|it| it.end().code(0).json()["task"]["id"].to_string()).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 12);
    let list = wl.json(&["list"]);
    assert!(
        subjects.iter().all(|it| list["tasks"]
            .as_array()
            .unwrap()
            .iter()
            .any(|task| task["subject"] == **it))
    );
    assert_eq!(wl.json(&["changes"])["seq"], 12);
}
