//! The full-screen client deletes a list that it finds finished. What was in it is not lost, and one hidden open task
//! keeps the client from it, whoever made that. Not a wish of ours: it is what that client does.

use crate::{
    claude::Claude,
    model::{Model, Script, Turn},
    terminal::Terminal,
    wl::{Read, Wl},
};
use serde_json::json;
use std::{
    fs,
    thread::sleep,
    time::{Duration, Instant},
};

/// An open task that the client neither shows nor forgets.
const SENTINEL: &str = r#"{"id":"0","subject":"Keeps this list","description":"","status":"pending","blocks":[],"blockedBy":[],"metadata":{"_internal":true}}"#;

fn folder(list: &str) -> String {
    format!("home/.claude/tasks/{list}")
}

/// The task files that are left of a list.
fn left(wl: &Wl, list: &str) -> Vec<String> {
    let entries = fs::read_dir(wl.path(&folder(list))).expect("a list");
    let names = entries.map(|it| it.expect("an entry").file_name().into_string().expect("a name"));
    let mut names: Vec<String> =
        names.filter(|it| it.strip_suffix(".json").is_some_and(|it| !it.starts_with('.'))).collect();
    names.sort();
    names
}

/// A list with two tasks, and a client that looks at it.
fn watched(wl: &Wl, claude: Claude, list: &str) -> Terminal {
    let dir = folder(list);
    wl.ok(&["init", &dir, "--format", "claude"]);
    for subject in ["one", "two"] {
        wl.ok(&["add", subject, "--dir", &dir]);
    }
    let mut terminal = Terminal::open(&claude.list(list));
    terminal.shows("for agents");
    terminal.press("watch the list");
    terminal.shows("watch the list");
    terminal.press("\r");
    terminal.shows("I am watching");
    terminal
}

#[test]
fn a_list_that_the_client_wipes_comes_back() {
    let wl = Wl::new();
    let model = Model::playing([Script::of("watch the list").turn(Turn::says("I am watching"))]);
    // In a home of its own, where the user wants our hook to make the sentinel.
    let ours = Wl::new();
    ours.write("home/.config/worklist/config.toml", "claude.sentinel = true\n");
    let hooked = Claude::new(&ours, &model).hook("SessionStart", "", "wl hook SessionStart");
    let clients = [
        watched(&ours, hooked, "planted"),
        watched(&wl, Claude::new(&wl, &model), "kept"),
        watched(&wl, Claude::new(&wl, &model), "wiped"),
    ];
    wl.write(&format!("{}/0.json", folder("kept")), SENTINEL);
    // Those that must stay are finished first, so that the client had more time to delete them.
    for (wl, list) in [(&ours, "planted"), (&wl, "kept"), (&wl, "wiped")] {
        for id in ["1", "2"] {
            wl.ok(&["done", id, "--dir", &folder(list)]);
        }
    }
    let finished = Instant::now();
    while !left(&wl, "wiped").is_empty() {
        assert!(finished.elapsed() < Duration::from_secs(30), "the client wiped nothing");
        sleep(Duration::from_millis(20));
    }
    println!("wiped after {:.1} s", finished.elapsed().as_secs_f64());
    assert_eq!(left(&wl, "kept"), ["0.json", "1.json", "2.json"]);
    assert_eq!(left(&ours, "planted"), ["0.json", "1.json", "2.json"]);
    drop(clients);
    model.check();

    let dir = folder("wiped");
    let log = wl.json(&["log", "--dir", &dir]);
    let wipe = &log.items("events")[0];
    assert_eq!((&wipe["origin"], wipe.items("changes").len()), (&json!("foreign"), 2), "{wipe}");
    wl.ok(&["undo", &wipe["seq"].to_string(), "--dir", &dir]);
    let list = wl.json(&["list", "--all", "--dir", &dir]);
    for subject in ["one", "two"] {
        assert_eq!(list.task("subject", subject)["status"], "completed");
    }
    assert_eq!(left(&wl, "wiped"), ["1.json", "2.json"]);
}
