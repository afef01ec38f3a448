//! `wl setup claude --native`: Claude Code's own task tools on a list of the project.

use crate::{
    site::{everything, project},
    wl::Wl,
};
use serde_json::{Value, json};

const SETTINGS: &str = ".claude/settings.json";

fn named(wl: &Wl) -> String {
    wl.path("").file_name().expect("a name").to_string_lossy().into_owned()
}

#[test]
fn two_variables_and_a_folder() {
    let wl = project();
    let before = everything(&wl);
    let name = named(&wl);
    let set = wl.json(&["setup", "claude", "--native"]);
    let settings: Value = serde_json::from_str(&wl.read(SETTINGS)).unwrap();
    let variables = json!({"CLAUDE_CODE_TASK_LIST_ID": name, "CLAUDE_CODE_ENABLE_TODO_TOOLS": "1"});
    assert_eq!(settings, json!({"env": variables}));
    let list = set["list"].as_str().unwrap();
    assert!(std::path::Path::new(list).is_dir() && list.contains("home/.claude/tasks/"), "{list}");
    assert!(set["notes"][0].as_str().unwrap().contains(&format!("`wl --list {name}`")));
    wl.ok(&["setup", "claude", "--native", "--check"]);
    wl.ok(&["setup", "claude", "--native"]).stdout_has("nothing to do");
    // What the client hands on is what `wl` goes by.
    let inside = wl.with("CLAUDE_CODE_TASK_LIST_ID", &name);
    inside.ok(&["add", "a"]);
    assert!(std::path::Path::new(list).join("1.json").is_file());
    wl.ok(&["setup", "claude", "--remove"]);
    assert!(!wl.path(".claude").exists());
    assert!(std::path::Path::new(list).join("1.json").is_file(), "the list stays");
    std::fs::remove_dir_all(wl.path("home/.claude")).unwrap();
    assert_eq!(everything(&wl), before);
}

#[test]
fn the_users_own_settings_stay() {
    let text = "{\n  // mine\n  \"permissions\": {\"allow\": [\"Bash(ls:*)\"],},\n  \"env\": {\n    \"CLAUDE_CODE_ENABLE_TODO_TOOLS\": \"1\",\n    \"X\": \"y\"\n  }\n}\n";
    let wl = project();
    wl.write(SETTINGS, text);
    wl.ok(&["setup", "claude", "--native"]);
    assert!(wl.read(SETTINGS).contains(&format!("\"CLAUDE_CODE_TASK_LIST_ID\": \"{}\"", named(&wl))));
    wl.ok(&["setup", "claude", "--remove"]);
    assert_eq!(wl.read(SETTINGS), text, "what was there before stays, also one of the two variables");
}

/// A list that has a name already keeps it.
#[test]
fn a_name_that_was_given_is_used() {
    let wl = project();
    let text = "{\"env\": {\"CLAUDE_CODE_TASK_LIST_ID\": \"release\"}}\n";
    wl.write(SETTINGS, text);
    let set = wl.json(&["setup", "claude", "--native"]);
    assert!(set["list"].as_str().unwrap().ends_with("/tasks/release"));
    wl.ok(&["setup", "claude", "--remove"]);
    assert_eq!(wl.read(SETTINGS), text);
}

/// Settings that hold these variables without us are not ours to take out.
#[test]
fn variables_of_others_stay_unless_named() {
    let wl = project();
    let text = format!(
        "{{\"env\": {{\"CLAUDE_CODE_TASK_LIST_ID\": \"{}\", \"CLAUDE_CODE_ENABLE_TODO_TOOLS\": \"1\"}}}}\n",
        named(&wl)
    );
    wl.write(SETTINGS, &text);
    wl.ok(&["setup", "claude"]);
    wl.ok(&["setup", "claude", "--remove"]);
    assert_eq!(wl.read(SETTINGS), text);
    wl.ok(&["setup", "claude", "--remove", "--native"]);
    assert!(!wl.path(SETTINGS).exists());
}

/// A list that the project has already is neither moved nor lost, and it is said how its tasks get over.
#[test]
fn a_list_of_the_project_stays() {
    let wl = project();
    wl.ok(&["add", "mine"]);
    let before = wl.read(".tasks/1.json");
    let name = named(&wl);
    let said = wl.ok(&["setup", "claude", "--native"]);
    let way = format!("`wl export --dir {} | wl import - --list {name}`", wl.path(".tasks").display());
    said.stdout_has("stays as it is").stdout_has(&way);
    assert_eq!(wl.read(".tasks/1.json"), before);
    wl.shell(way.trim_matches('`')).code(0);
    wl.ok(&["list", "--list", &name]).stdout_has("mine");
}

/// Damaged settings stop all of it.
#[test]
fn damaged_settings_are_left_alone() {
    let wl = project();
    wl.write(SETTINGS, "{ \"env\": [] }");
    let before = everything(&wl);
    wl.fails(&["setup", "claude", "--native"], 1, "unreadable").says("`env` is not an object");
    assert_eq!(everything(&wl), before);
}
