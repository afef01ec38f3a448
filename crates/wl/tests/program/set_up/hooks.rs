//! Hooks of the user: what they are told, and how they say no.

use crate::{Wl, wl::Read};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn with_hooks(hooks: &str, subjects: &[&str]) -> Wl {
    let wl = Wl::with_tasks(subjects);
    wl.write("home/.config/worklist/config.toml", &format!("[hooks]\n{hooks}\n"));
    wl
}

/// What was told to a hook that wrote it down.
fn told(wl: &Wl) -> Vec<Value> {
    wl.read("told").lines().map(|it| serde_json::from_str(it).expect("JSON")).collect()
}

#[test]
fn each_moment_is_told() {
    let hooks: String = ["created", "claimed", "completed", "unblocked", "released"]
        .map(|it| format!("{it} = \"cat >> told\"\n"))
        .concat();
    let wl = with_hooks(&hooks, &[]);
    wl.ok(&["add", "a"]);
    wl.ok(&["add", "b", "--after", "1"]);
    wl.by("ann").ok(&["claim", "1"]);
    wl.by("ann").ok(&["release", "1"]);
    wl.by("ann").ok(&["claim", "1"]);
    wl.by("ann").ok(&["done", "1"]);
    let told = told(&wl);
    let moments: Vec<_> = told.iter().map(|it| (it.word("moment"), it["task"].word("id"))).collect();
    let expected = [
        ("created", "1"),
        ("created", "2"),
        ("claimed", "1"),
        ("released", "1"),
        ("claimed", "1"),
        ("completed", "1"),
        ("unblocked", "2"),
    ];
    assert_eq!(moments, expected);
    let last = told.last().unwrap();
    assert_eq!(
        (&last["agent"], &last["seq"], &last["dir"]),
        (&json!("ann"), &json!(6), &json!(wl.path(".tasks").display().to_string()))
    );
}

#[test]
fn a_hook_refuses_by_exit_code() {
    let wl = with_hooks("before-completed = \"echo 'run the tests first' >&2; exit 2\"", &["a"]);
    let denied = wl.fails(&["done", "1"], 3, "denied").has("id", "1").has("moment", "completed");
    denied.says("run the tests first").has("reason", "run the tests first");
    assert_eq!(wl.json(&["show", "1"])["task"]["state"], "ready", "nothing happened");
}

#[test]
fn a_hook_refuses_by_decision() {
    let said = r#"before-created = "echo '{\"decision\": \"block\", \"reason\": \"no more\"}'""#;
    let wl = with_hooks(said, &["a"]);
    wl.fails(&["add", "b"], 3, "denied").has("reason", "no more").has("moment", "created");
    wl.ok(&["done", "1"]);
    assert_eq!(wl.json(&["list", "--all"])["total"], 1);
}

/// A check that could not be made is not a check that passed.
#[test]
fn a_hook_that_fails_is_no_yes() {
    let wl = with_hooks("before-completed = [\"/nonexistent/check\"]", &["a"]);
    wl.fails(&["done", "1"], 3, "denied").says("it could not be started");
    let wl = with_hooks("before-completed = \"exit 1\"", &["a"]);
    wl.fails(&["done", "1"], 3, "denied").says("the hook failed");
    let wl = with_hooks("before-completed = \"exit 0\"", &["a"]);
    wl.ok(&["done", "1"]);
}

#[test]
fn a_hook_that_hangs_is_stopped() {
    let wl = with_hooks("timeout = \"1s\"\nbefore-completed = \"sleep 60\"", &["a"]);
    let asked = Instant::now();
    wl.run(&["done", "1"]).code(3).stderr_has("it did not end within 1 s and was stopped");
    assert!(asked.elapsed() < Duration::from_secs(20));
}

/// What comes after cannot take anything back; that it failed is said.
#[test]
fn a_later_hook_that_fails_is_a_warning() {
    let wl = with_hooks("completed = \"echo oh; exit 3\"", &["a", "b"]);
    wl.ok(&["done", "1"]).stdout_has("Completed").stderr_has("warning: hook completed: oh");
    wl.ok(&["done", "2", "-q"]).stderr("");
}
