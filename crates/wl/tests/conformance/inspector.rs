//! The protocol's own inspector, over both transports and in both eras: what it thinks of our schemas, and calls through
//! it as a person would type them. Not the suite.

use crate::{
    kit::{Said, node, said},
    served::Served,
    wl::Wl,
};
use serde_json::Value;

const ERAS: [&str; 2] = ["legacy", "modern"];
/// Words by which the inspector finds fault with a schema.
const COMPLAINTS: [&str; 4] = ["warning", "portab", "error", "problem"];

#[test]
fn no_schema_is_complained_of_over_stdio() {
    let wl = Wl::with_tasks(&["one"]);
    for era in ERAS {
        for set in ["ours", "claude", "s12", "s07", "v6", "todo"] {
            let listed = over_stdio(&wl, era, &["mcp", "--tools", set], &["--method", "tools/list", "--strict"]);
            is_clean(&listed, &format!("{set} in the {era} era"));
        }
    }
}

#[test]
fn no_schema_is_complained_of_over_http() {
    let wl = Wl::with_tasks(&["one"]);
    let served = Served::at(&wl);
    for era in ERAS {
        let listed = over_http(&wl, &served, era, &["--method", "tools/list", "--strict"]);
        is_clean(&listed, &format!("ours over HTTP in the {era} era"));
    }
}

#[test]
fn a_plan_is_made_and_done_over_stdio() {
    for era in ERAS {
        let wl = Wl::with_tasks(&[]);
        // Each run of the inspector is a server of its own: a name and a session make them one agent.
        let server = ["--as", "ann", "--session", "one", "mcp"];
        is_made_and_done(&wl, |how| over_stdio(&wl, era, &server, how));
    }
}

#[test]
fn a_plan_is_made_and_done_over_http() {
    for era in ERAS {
        let wl = Wl::with_tasks(&[]);
        let served = Served::at(&wl);
        is_made_and_done(&wl, |how| over_http(&wl, &served, era, how));
    }
}

/// Plans, takes, completes. Numbers come as the inspector makes them of what was typed: as numbers.
fn is_made_and_done(wl: &Wl, inspect: impl Fn(&[&str]) -> Said) {
    let call = |tool: &str, arguments: &[&str]| {
        let call = ["--method", "tools/call", "--tool-name", tool];
        answer(&inspect(&[call.as_slice(), arguments].concat()))
    };
    let plan = r#"{"tasks":[{"name":"a","subject":"Lay the keel"},{"subject":"Launch","after":["a"]}]}"#;
    call("TaskPlan", &["--tool-args-json", plan]);
    let next = call("TaskNext", &[]);
    assert!(next.contains("#1") && next.contains("Lay the keel"), "{next}");
    let shown = call("TaskGet", &["--tool-arg", "taskId=2"]);
    assert!(shown.contains("Launch"), "{shown}");
    // The claim went with the connection, or stands: either way the one who does the work may say that it is done.
    call("TaskUpdate", &["--tool-arg", "taskId=1", "status=in_progress"]);
    let done = call("TaskUpdate", &["--tool-arg", "taskId=1", "status=completed"]);
    assert!(done.contains("#2"), "{done}");
    assert_eq!(wl.json(&["show", "1"])["task"]["status"], "completed");
}

/// The text of a result that is none of an error.
fn answer(run: &Said) -> String {
    assert_eq!(run.code, Some(0), "{}\n{}", run.out, run.err);
    let result: Value = serde_json::from_str(&run.out).unwrap_or_else(|fault| panic!("{fault}: {}", run.out));
    let result = result.get("result").unwrap_or(&result);
    assert_ne!(result["isError"], true, "{result}");
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {result}")).to_owned()
}

fn is_clean(run: &Said, what: &str) {
    assert_eq!(run.code, Some(0), "{what}: {}\n{}", run.out, run.err);
    let said = run.err.to_lowercase();
    assert!(!COMPLAINTS.iter().any(|it| said.contains(it)), "{what}: {}", run.err);
}

fn over_stdio(wl: &Wl, era: &str, server: &[&str], how: &[&str]) -> Said {
    let mut command = node("inspector");
    command.args(["--cli", "--protocol-era", era, "--format", "json"]).args(how);
    command.arg("--cwd").arg(wl.path("")).args(["--", env!("CARGO_BIN_EXE_wl")]).args(server);
    inspected(wl, command)
}

fn over_http(wl: &Wl, served: &Served, era: &str, how: &[&str]) -> Said {
    let mut command = node("inspector");
    command.args(["--cli", "--protocol-era", era, "--format", "json"]).args(how);
    command.args(["--header", &format!("Authorization: Bearer {}", served.address.token)]);
    command.args(["--transport", "http", "--server-url", &served.address.url()]);
    inspected(wl, command)
}

fn inspected(wl: &Wl, mut command: std::process::Command) -> Said {
    said(command.env("HOME", wl.path("home")).env("USER", "me").current_dir(wl.path("")))
}
