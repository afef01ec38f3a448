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
        let listed = over_stdio(&wl, era, &["mcp"], &["--method", "tools/list", "--strict"]);
        is_clean(&listed, &format!("ours in the {era} era"));
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
        // Each run of the inspector is a server of its own: a session makes them one agent.
        let server = ["--as", "ann", "--session", "one", "mcp"];
        let inspect = |how: &[&str]| over_stdio(&wl, era, &server, how);
        is_planned(&wl, inspect);
        // The claim died with its server, and is taken anew.
        call(inspect, "TaskUpdate", &["--tool-arg", "taskId=1", "status=in_progress"]);
        let done = call(inspect, "TaskUpdate", &["--tool-arg", "taskId=1", "status=completed"]);
        assert!(done.contains("#2"), "{done}");
        assert_eq!(wl.json(&["show", "1"])["task"]["status"], "completed");
    }
}

#[test]
fn a_plan_is_made_and_done_over_http() {
    for era in ERAS {
        let wl = Wl::with_tasks(&[]);
        let served = Served::at(&wl);
        let inspect = |how: &[&str]| over_http(&wl, &served, era, how);
        is_planned(&wl, inspect);
        // In the older era each run is a session of its own, and cannot finish what another one holds.
        if era == "modern" {
            let done = call(inspect, "TaskUpdate", &["--tool-arg", "taskId=1", "status=completed"]);
            assert!(done.contains("#2"), "{done}");
            assert_eq!(wl.json(&["show", "1"])["task"]["status"], "completed");
        }
    }
}

/// Plans, takes, looks, changes. Ids come as the inspector makes them of what was typed: as numbers.
fn is_planned(wl: &Wl, inspect: impl Fn(&[&str]) -> Said) {
    let plan = r#"{"tasks":[{"name":"a","subject":"Lay the keel"},{"subject":"Launch","after":["a"]}]}"#;
    call(&inspect, "TaskPlan", &["--tool-args-json", plan]);
    let next = call(&inspect, "TaskNext", &[]);
    assert!(next.contains("#1") && next.contains("Lay the keel"), "{next}");
    let shown = call(&inspect, "TaskGet", &["--tool-arg", "taskId=2"]);
    assert!(shown.contains("Launch"), "{shown}");
    call(&inspect, "TaskUpdate", &["--tool-arg", "taskId=2", "priority=high"]);
    assert_eq!(wl.json(&["show", "2"])["task"]["priority"], "high");
}

/// The answer of a tool.
fn call(inspect: impl Fn(&[&str]) -> Said, tool: &str, arguments: &[&str]) -> String {
    let call = ["--method", "tools/call", "--tool-name", tool];
    answer(&inspect(&[call.as_slice(), arguments].concat()))
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
