//! Inputs that nobody should send: whatever comes, the client goes on at once, and nothing is made of it.

use crate::client::{SESSION, Session, recorded};
use serde_json::{Value, json};
use std::{
    io::Write,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

const EVENTS: [&str; 13] = [
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "TaskCreated",
    "TaskCompleted",
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreCompact",
    "SubagentStart",
    "SubagentStop",
    "TeammateIdle",
    "Stop",
];

/// How a hook ended on these bytes; a pipe that is left open stays so until it has.
fn ended(
    session: &Session,
    event: &str,
    bytes: &[u8],
    open: bool,
) -> (Option<i32>, String, String, Duration) {
    let asked = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_wl"))
        .args(["hook", event])
        .env_clear()
        .env("HOME", session.wl.path("home"))
        .env("CLAUDE_CODE_TASK_LIST_ID", "shared")
        .current_dir(session.wl.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    _ = pipe.write_all(bytes);
    let kept = open.then_some(pipe);
    let output = child.wait_with_output().expect("it ends");
    drop(kept);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr), asked.elapsed())
}

#[track_caller]
fn passes(session: &Session, event: &str, bytes: &[u8], open: bool) -> String {
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(80)]).into_owned();
    let (code, out, err, time) = ended(session, event, bytes, open);
    assert_eq!((code, out.as_str()), (Some(0), ""), "{event} {shown}: {err}");
    assert!(time < Duration::from_secs(1), "{event} {shown}: {time:?}");
    err
}

#[test]
fn what_is_no_input_lets_pass_with_one_line() {
    let session = Session::new();
    session.create("1", "A");
    let whole = session.input(json!({"tool_name": "TaskUpdate", "tool_input": {"taskId": "1"}})).to_string();
    let huge = json!({"session_id": "s", "prompt": "x".repeat(5 << 20)}).to_string();
    let deep = format!("{{\"a\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let half = &whole.as_bytes()[..whole.len() / 2];
    let inputs: [&[u8]; 9] = [
        b"",
        b"not JSON",
        b"[]",
        b"null",
        b"{",
        half,
        b"{\"a\": \"\xff\xfe\"}",
        huge.as_bytes(),
        deep.as_bytes(),
    ];
    for event in EVENTS {
        for input in inputs {
            let err = passes(&session, event, input, false);
            assert!(err.starts_with(&format!("wl hook {event}: ")) && err.lines().count() == 1, "{err}");
        }
    }
}

#[test]
fn a_pipe_that_stays_open_does_not_hold_up() {
    let session = Session::new();
    for input in [&b""[..], b"{\"session_id\": \"s\"", b"{\"session_id\": \"s\"}"] {
        let err = passes(&session, "PreToolUse", input, true);
        assert_eq!(err, "wl hook PreToolUse: standard input does not end\n");
    }
}

#[test]
fn an_event_that_is_not_known_lets_pass() {
    let session = Session::new();
    let input = recorded("PreToolUse.TaskUpdate").to_string();
    let err = passes(&session, "PreToolUs", input.as_bytes(), false);
    assert_eq!(err, "wl hook PreToolUs: this event is not known; did you mean PreToolUse?\n");
    let err = passes(&session, "Stop", input.as_bytes(), false);
    assert_eq!(err, "wl hook Stop: the input is of PreToolUse\n");
    passes(&session, "\u{1b}[31m", input.as_bytes(), false);
}

/// Every key of every event with every kind of value: no crash, no denial, no wait.
#[test]
fn values_of_wrong_types_let_pass() {
    let session = Session::new();
    session.create("1", "A");
    let keys = [
        "session_id",
        "cwd",
        "agent_id",
        "agent_type",
        "teammate_name",
        "tool_name",
        "tool_input",
        "tool_response",
        "tool_use_id",
        "task_id",
        "task_subject",
        "tasks_completed",
        "stop_hook_active",
    ];
    let values = [
        Value::Null,
        json!(true),
        json!(-1.5e300),
        json!("../../../etc/passwd"),
        json!("x".repeat(100_000)),
        json!("a\nb\u{0}c\u{202e}"),
        json!([[["1"]], {}, null]),
        json!({"taskId": {"taskId": []}, "status": 7, "task": 1, "success": "true"}),
    ];
    let mut tried = 0;
    for event in EVENTS {
        for key in keys {
            let value = &values[tried % values.len()];
            tried += 1;
            let mut input = session.input(json!({
                "tool_name": "TaskUpdate", "tool_input": {"taskId": "1", "subject": "A"},
                "tool_response": {"success": true, "taskId": "1"}, "task_id": "1", "tool_use_id": "t",
            }));
            input[key] = value.clone();
            let (code, out, err, time) = ended(&session, event, input.to_string().as_bytes(), false);
            assert!(matches!(code, Some(0)), "{event} {key} {value}: {code:?} {err}");
            assert!(out.is_empty() || serde_json::from_str::<Value>(&out).is_ok(), "{out}");
            assert!(time < Duration::from_secs(1), "{event} {key}: {time:?}");
        }
    }
    println!("{tried} inputs of wrong types: no crash, no denial");
    assert!(!session.wl.path("etc").exists() && session.file("1").exists());
}

/// Ids and names that would leave the folder stay in it.
#[test]
fn names_stay_in_their_folder() {
    let session = Session::new();
    let mut input = recorded("PreToolUse.TaskUpdate");
    for id in ["../x", "/etc/passwd", "..", "a/../../b", "1.json", ""] {
        input["tool_input"]["taskId"] = json!(id);
        passes(&session, "PreToolUse", input.to_string().as_bytes(), false);
    }
    let wl = crate::wl::Wl::new();
    wl.write("home/.config/worklist/config.toml", "claude.sentinel = true\n");
    for id in ["../../../x", "..", SESSION] {
        let input = json!({"session_id": id, "cwd": wl.path("").display().to_string()}).to_string();
        wl.input(&input).ok(&["hook", "SessionStart"]);
    }
    let mut made: Vec<_> = std::fs::read_dir(wl.path("home/.claude/tasks"))
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    made.sort();
    assert_eq!(made, ["--", "---------x", SESSION]);
}
