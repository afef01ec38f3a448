//! Things in the place of files: links, pipes, folders, second names. Nothing is followed out of the list, nothing
//! waits for a writer that never comes, and what lies outside stays as it is.

use crate::{snapshot::snapshot, wl::Wl};
use std::{fs, os::unix::fs::symlink, path::Path};

const VERBS: &[&str] = &[
    "list",
    "show 2",
    "edit 2 --subject changed --force",
    "claim 2 --force",
    "release 2 --force",
    "done 2 --force",
    "add new --after 1",
    "rm 2",
    "undo",
    "log",
    "next",
    "trust",
    "config",
    "lists",
    "export",
    "doctor",
    "doctor --fix",
    "doctor --undo",
    "convert s12",
];

/// A list of two tasks beside a folder that is none of its business.
fn prepared() -> Wl {
    let wl = Wl::new();
    wl.run(&["add", "one"]).code(0);
    wl.run(&["add", "two"]).code(0);
    let canary = wl.path("canary");
    fs::create_dir_all(canary.join("folder")).expect("a folder");
    let own = fs::read_to_string(wl.path(".tasks/2.json")).expect("a file");
    fs::write(canary.join("twin.json"), &own).expect("a file");
    // Whoever prints this word has read what is none of its business.
    fs::write(canary.join("task.json"), own.replace("\"two\"", "\"CANARY\"")).expect("a file");
    fs::copy(wl.path(".tasks/.worklist/journal"), canary.join("journal")).expect("a file");
    fs::copy(wl.path(".tasks/.worklist/journal"), canary.join("folder/journal")).expect("a file");
    fs::write(canary.join("settings.toml"), "lease = \"1m\"\n").expect("a file");
    fs::write(canary.join("empty"), "").expect("a file");
    wl
}

/// Puts something into the place of a path of the list, tries every verb, and looks at the canary.
fn attack(path: &str, plant: impl Fn(&Wl, &Path)) {
    let wl = prepared();
    let place = wl.path(".tasks").join(path);
    if place.is_dir() {
        fs::remove_dir_all(&place).expect("gone");
    } else {
        _ = fs::remove_file(&place);
    }
    plant(&wl, &place);
    let before = snapshot(&wl.path("canary"), &[]);
    for verb in VERBS {
        let run = wl.shell(&format!("timeout 20 {} {verb}; echo \" code $?\" >&2", env!("CARGO_BIN_EXE_wl")));
        let code = run.err.rsplit("code ").next().and_then(|it| it.trim().parse::<u8>().ok());
        assert!(code.is_some_and(|it| it <= 6), "{path}: wl {verb}: {}", run.err);
        assert!(!run.out.contains("CANARY"), "{path}: wl {verb}: {}", run.out);
        assert_eq!(before, snapshot(&wl.path("canary"), &[]), "{path}: wl {verb}");
    }
}

#[test]
fn links_are_not_followed_out() {
    for (path, target) in [
        ("2.json", "../canary/task.json"),
        ("2.json", "../canary/nothing"),
        (".worklist", "../canary/folder"),
        (".worklist", "../canary/nothing"),
        (".worklist/journal", "../../canary/journal"),
        (".worklist/index", "../../canary/empty"),
        (".worklist/pins", "../../canary/folder"),
        (".worklist/spare", "../../canary/folder"),
        (".worklist/sessions", "../../canary/folder"),
        (".worklist/quarantine", "../../canary/folder"),
        (".worklist/.gitignore", "../../canary/empty"),
        (".lock", "../canary/empty"),
        (".highwatermark", "../canary/empty"),
        ("worklist.toml", "../canary/settings.toml"),
        ("worklist.toml", "../canary/nothing"),
    ] {
        attack(path, |_, place| symlink(target, place).expect("a link"));
    }
}

#[test]
fn a_linked_folder_is_no_list() {
    let wl = prepared();
    fs::rename(wl.path(".tasks"), wl.path("canary/list")).expect("moved");
    symlink("canary/list", wl.path(".tasks")).expect("a link");
    let before = snapshot(&wl.path("canary"), &[]);
    for verb in VERBS.iter().filter(|it| !["trust", "config", "lists"].contains(it)) {
        let words: Vec<&str> = verb.split(' ').collect();
        wl.run(&words).code(1).stderr_has("link");
        assert_eq!(before, snapshot(&wl.path("canary"), &[]), "wl {verb}");
    }
}

#[test]
fn second_names_share_nothing() {
    for (path, target) in [("2.json", "twin.json"), (".worklist/index", "empty"), (".lock", "empty")] {
        attack(path, |wl, place| fs::hard_link(wl.path("canary").join(target), place).expect("a name"));
    }
}

#[test]
fn nothing_waits_at_a_pipe() {
    for path in [
        "2.json",
        ".worklist",
        ".worklist/journal",
        ".worklist/index",
        ".lock",
        ".highwatermark",
        "worklist.toml",
    ] {
        attack(path, |wl, place| {
            wl.shell(&format!("mkfifo {}", place.display())).code(0);
        });
    }
}

#[test]
fn folders_in_the_place_of_files() {
    for path in ["2.json", ".worklist/journal", ".worklist/index", ".lock", ".highwatermark", "worklist.toml"]
    {
        attack(path, |_, place| fs::create_dir(place).expect("a folder"));
    }
}
