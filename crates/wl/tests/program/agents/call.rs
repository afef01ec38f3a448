//! `wl call`.

use crate::{Tested, Wl, wl::Read};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("call", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::new();
    wl.ok(&["call", "TaskCreate", r#"{"subject": "Write the parser"}"#])
        .stdout_has("1")
        .stdout_has("Write the parser");
    wl.ok(&["call", "TaskList"]).stdout_has("Write the parser");
    wl.input(r#"{"taskId": "1", "status": "completed"}"#).ok(&["call", "TaskUpdate", "-"]);
    wl.ok(&["list", "--all"]).stdout_has("[x] #1 Write the parser");
}

#[test]
fn json() {
    let wl = Wl::new();
    let made = wl.json(&["call", "TaskCreate", r#"{"subject": "a"}"#]);
    assert_eq!((&made["isError"], made.get("code")), (&json!(false), None));
    let text = wl.ok(&["call", "TaskGet", r#"{"taskId": "1"}"#]).out;
    assert_eq!(wl.json(&["call", "TaskGet", r#"{"taskId": "1"}"#])["text"], text.trim_end());
}

/// What a tool refuses is an answer to the agent; the exit code is for the script.
#[test]
fn failures() {
    let wl = Wl::new();
    wl.fails(&["call"], 2, "usage").says("<TOOL>");
    wl.fails(&["call", "TaskList", "{"], 2, "invalid").says("JSON cannot be read").has("field", "JSON");
    wl.fails(&["call", "TaskList", "--set", "odd"], 2, "invalid");
    wl.ok(&["init"]);
    let refused = |arguments: &[&str], exit: i32, code: &str| {
        let answer = wl.run(&[arguments, &["--json"]].concat()).code(exit).json();
        assert_eq!((&answer["isError"], &answer["code"]), (&json!(true), &json!(code)), "{arguments:?}");
        wl.run(arguments).code(exit).stdout_has(answer.word("text"));
    };
    refused(&["call", "TaskLost"], 2, "unknown_tool");
    refused(&["call", "TaskList", "[1]"], 2, "invalid");
    refused(&["call", "TaskGet", r#"{"taskId": "9"}"#], 4, "not_found");
    refused(&["call", "TaskCreate", "{}"], 2, "invalid");
}

/// Looking for what is not there makes no list, and neither does a word that is not known.
#[test]
fn a_look_makes_no_list() {
    let wl = Wl::new();
    wl.ok(&["call", "TaskList"]);
    wl.run(&["call", "TaskLost"]).code(2);
    assert!(!wl.path(".tasks").exists());
}
