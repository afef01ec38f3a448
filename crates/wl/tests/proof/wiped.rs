//! The folder of a list is wiped, as a client does when all is completed, or removed altogether: its history stays, and
//! what was there comes back. Not the client that wipes: that is `clients`.

use crate::{
    tally::Tally,
    wl::{FORMATS, Read, Wl},
};
use std::{collections::BTreeSet, fs, path::Path};

/// The tasks of a list, as subjects; where ids are random, so is the order in which they come back.
fn subjects(wl: &Wl) -> BTreeSet<String> {
    let tasks = wl.json(&["list", "--all"]);
    tasks.items("tasks").iter().map(|it| it.word("subject").to_owned()).collect()
}

/// What is taken away comes back by taking back the newest change, and no change is forgotten.
fn comes_back(wl: &Wl, wipe: impl FnOnce(&Wl)) -> Result<(), String> {
    let (before, events) = (subjects(wl), wl.json(&["log"]).items("events").len());
    wipe(wl);
    let log = wl.json(&["log"]);
    let newest = log.items("events");
    if newest.len() != events + 1 {
        return Err(format!("{events} changes and the wipe are {} changes", newest.len()));
    }
    wl.ok(&["undo", &newest[0]["seq"].to_string()]);
    let after = subjects(wl);
    if after == before { Ok(()) } else { Err(format!("{before:?} came back as {after:?}")) }
}

#[test]
fn files_that_a_client_wiped_come_back() {
    let mut tally = Tally::new("R17 files wiped");
    for format in FORMATS {
        let wl = Wl::of_format(format, &["dig", "lay < dig"]);
        wl.ok(&["done", wl.json(&["list"]).task("subject", "dig").word("id")]);
        let outcome = comes_back(&wl, |wl| wipe(&wl.path(".tasks")));
        tally.trial(outcome.map_err(|it| format!("{format}: {it}")));
    }
    tally.end();
}

fn wipe(folder: &Path) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_file() && path.extension().is_some_and(|it| it == "json") {
            fs::remove_file(path).expect("it can go");
        }
    }
}

/// A list in the client's folder, which the client may remove as a whole.
#[test]
fn a_folder_that_a_client_removed_comes_back() {
    let mut tally = Tally::new("R17 folder removed");
    for list in ["one", "another"] {
        let wl = Wl::new().with("CLAUDE_CODE_TASK_LIST_ID", list);
        wl.ok(&["add", "dig"]);
        wl.ok(&["add", "lay", "--after", "1"]);
        wl.ok(&["done", "1"]);
        tally.trial(comes_back(&wl, |wl| {
            fs::remove_dir_all(wl.path(&format!("home/.claude/tasks/{list}"))).expect("it can go");
            let failed = wl.fails(&["list"], 4, "no_list");
            assert!(failed.err.contains("its history was kept"), "{}", failed.err);
            wl.ok(&["init"]);
        }));
    }
    tally.end();
}
