//! `wl config`, and what the files of settings do.

use crate::{Tested, Wl, wl::Read};
use serde_json::{Value, json};

pub(crate) const TESTED: Tested = Tested::new("config", [text, json, failures]);

const USERS: &str = "home/.config/worklist/config.toml";
const LISTS: &str = ".tasks/worklist.toml";

#[test]
fn text() {
    let wl = Wl::with_tasks(&[]);
    wl.write(USERS, "agent = \"ann\"\n[hooks]\ncompleted = \"notify\"\nclaimed = [\"say\", \"hello\"]\n");
    let config = wl.ok(&["config"]);
    config
        .stdout_has("agent")
        .stdout_has("ann")
        .stdout_has(USERS)
        .stdout_has("who acts, where nothing else says it");
    config.stdout_has("hook completed: notify").stdout_has("hook claimed: [\"say\", \"hello\"]");
}

/// Each value with where it came from; the nearer counts.
#[test]
fn json() {
    let wl = Wl::with_tasks(&["a"]);
    let settings = |wl: &Wl, arguments: &[&str]| -> Value {
        let config = wl.json(&[&["config"], arguments].concat());
        let all = config.items("settings").clone().into_iter();
        all.map(|it| (it.word("key").to_owned(), json!([it["value"], it["origin"]]))).collect()
    };
    let plain = settings(&wl, &[]);
    assert_eq!((&plain["lease"], &plain["agent"]), (&json!(["15m", "default"]), &json!(["me", "$USER"])));
    assert_eq!(plain["list"], json!([wl.path(".tasks").display().to_string(), "the project"]));
    wl.write(USERS, "agent = \"ann\"\nlease = \"1h\"\n");
    wl.write(LISTS, "lease = \"30m\"\n");
    let (users, lists) = (wl.path(USERS).display().to_string(), wl.path(LISTS).display().to_string());
    let set = settings(&wl, &[]);
    assert_eq!((&set["agent"], &set["lease"]), (&json!(["ann", users]), &json!(["30m", lists])));
    let other = settings(&wl.by("bob"), &["--session", "s", "--dir", ".tasks"]);
    assert_eq!(
        (&other["agent"], &other["session"]),
        (&json!(["bob", "$WORKLIST_AGENT"]), &json!(["s", "--session"]))
    );
    assert_eq!(other["list"][1], "--dir");
    wl.ok(&["claim", "1"]).stdout_has("@ann");
    wl.ok(&["show", "1"]).stdout_has("30 min left");
}

/// What is wrong with a file is said with its line, by every command.
#[test]
fn failures() {
    let wl = Wl::with_tasks(&[]);
    let fails = |file: &str, text: &str, said: &str| {
        wl.write(file, text);
        for command in ["config", "list"] {
            let failed = wl.fails(&[command], 2, "invalid").says(said);
            failed.says(file).hints("mend the file; nothing was done");
        }
        std::fs::remove_file(wl.path(file)).unwrap();
    };
    fails(USERS, "# mine\nlease = \"soon\"\n", "line 2 `lease` `soon` is not a length of time");
    fails(USERS, "\n\ncolor = \"pink\"\n", "line 3 `color` must be one of auto, always, never, not \"pink\"");
    fails(USERS, "agent = \"\"\n", "line 1 `agent` may not be empty");
    fails(USERS, "agent = \"a\\nb\"\n", "line 1 `agent` must be one line without control characters");
    fails(USERS, &format!("agent = \"{}\"\n", "a".repeat(201)), "line 1 `agent` must be at most 200 bytes");
    fails(USERS, "[model]\nkey = \"a\\nb\"\n", "line 2 `model.key` must be one line");
    fails(USERS, "[hooks]\nparked = [\"say\", \"\\u0000\"]\n", "hook `parked` must be a command");
    fails(USERS, "agent = [1]\n", "line 1 `agent` must be a text");
    fails(USERS, "agent = \"a\"\nlease = \n", "line 2 cannot be read");
    fails(USERS, "[hooks]\nfinished = \"x\"\n", "hook `finished` is not known");
    fails(USERS, "[hooks]\nbefore-claimed = \"x\"\n", "hook `before-claimed` is not known");
    fails(USERS, "[hooks]\ntimeout = \"x\"\n", "is not a length of time");
    fails(
        LISTS,
        "rules = \"strict\"\nagent = \"ann\"\n",
        "line 2 `agent` is the user's to set, not a list's",
    );
    wl.fails(&["config", "lease"], 2, "usage");
}

/// An unknown key is a warning: the file may be for a newer version.
#[test]
fn an_unknown_key_is_a_warning() {
    let wl = Wl::with_tasks(&[]);
    wl.write(LISTS, "leese = \"1h\"\n");
    let config = wl.json(&["config"]);
    assert!(
        config["warnings"][0]
            .as_str()
            .unwrap()
            .ends_with("line 1: `leese` is not a setting; did you mean `lease`?")
    );
}

#[test]
fn a_new_list_is_in_the_format_of_the_settings() {
    let wl = Wl::new();
    wl.write(USERS, "format = \"s12\"\n");
    assert_eq!(wl.json(&["init"])["format"], "s12");
}
