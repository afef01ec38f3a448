//! `wl work`, `wl runs` and `wl logs` as commands. What becomes of workers under faults is tested in `tests/work`.

use crate::{Tested, Wl};
use serde_json::json;

pub(crate) const WORK: Tested = Tested::new("work", [work_text, work_json, work_failures]);
pub(crate) const RUNS: Tested = Tested::new("runs", [runs_text, runs_json, runs_failures]);
pub(crate) const LOGS: Tested = Tested::new("logs", [logs_text, logs_json, logs_failures]);

/// A list on which something was run: #1 succeeded, #2 failed twice.
fn worked() -> Wl {
    let wl = Wl::with_tasks(&["one", "two"]);
    let script = "echo \"at $WORKLIST_TASK_SUBJECT\"; test $WORKLIST_TASK_ID = 1";
    wl.run(&["work", "--attempts", "2", "--", "/bin/sh", "-c", script]).code(1);
    wl
}

#[test]
fn work_text() {
    let wl = Wl::with_tasks(&["one", "two < one"]);
    let run = wl.by("ann").ok(&["work", "--workers", "2", "--", "/bin/true"]);
    run.stdout_has("began #1 one\n").stdout_has("done #2 two (").stdout_has("2 tasks done in ");
    wl.ok(&["show", "1"]).stdout_has("done by      /bin/true, exit code 0, ");
    wl.ok(&["work", "--", "/bin/true"]).stdout_has("0 tasks done in ");
    wl.write("plan.md", "- [ ] planned\n");
    wl.ok(&["work", "plan.md", "--", "/bin/true"]).stdout_has("done #3 planned");
    wl.ok(&["work", "plan.md", "--", "/bin/true"]).stdout_has("0 tasks done in ");
}

#[test]
fn work_json() {
    let wl = Wl::with_tasks(&["one", "two"]);
    let run = wl.run(&[
        "work",
        "--json",
        "--attempts",
        "1",
        "--",
        "/bin/sh",
        "-c",
        "exit $(($WORKLIST_TASK_ID - 1))",
    ]);
    let lines = run.code(1).lines();
    let events: Vec<&str> = lines.iter().filter_map(|it| it["event"].as_str()).collect();
    assert_eq!(events, ["began", "done", "began", "failed"]);
    assert_eq!((&lines[3]["parked"], &lines[3]["attempt"]), (&json!(true), &json!(1)));
    assert_eq!(wl.json(&["show", "1"])["task"]["evidence"]["exit"], 0);
    assert_eq!(wl.json(&["show", "2"])["task"]["failed"], 1);
}

#[test]
fn work_failures() {
    let wl = Wl::new();
    wl.fails(&["work", "--", "/bin/true"], 4, "no_list");
    let wl = Wl::with_tasks(&["one"]);
    wl.fails(&["work"], 2, "usage");
    wl.fails(&["work", "--workers", "0", "--", "x"], 2, "invalid");
    wl.fails(&["work", "--match", "!odd", "--", "x"], 2, "invalid").says("--match");
    wl.fails(&["work", "--", "sh", "-c", "echo {subject}"], 2, "invalid")
        .says("read the words of a task as commands");
    wl.fails(&["work", "none.md", "--", "x"], 1, "io");
    wl.run(&["work", "--attempts", "1", "--", "/none/such"]).code(1).stdout_has("could not start /none/such");
    wl.ok(&["show", "1"]).stdout_has("1 attempt failed; a person should look");
}

#[test]
fn runs_text() {
    let wl = worked();
    let text = wl.ok(&["runs"]).out;
    assert_eq!(text.lines().filter(|it| it.starts_with("#2")).count(), 2, "{text}");
    wl.ok(&["runs", "1"]).stdout_has("succeeded in ").stdout_has("/bin/sh -c");
    wl.ok(&["runs", "--limit", "1"]).stdout_has("… and 2 more");
    Wl::with_tasks(&["one"]).ok(&["runs"]).stdout_has("Nothing was run here.");
}

#[test]
fn runs_json() {
    let runs = worked().json(&["runs"]);
    assert_eq!((&runs["count"], &runs["total"]), (&json!(3), &json!(3)));
    assert_eq!((&runs["runs"][0]["outcome"], &runs["runs"][0]["exit"]), (&json!("failed"), &json!(1)));
}

#[test]
fn runs_failures() {
    Wl::new().fails(&["runs"], 4, "no_list");
    worked().fails(&["runs", "--limit", "x"], 2, "invalid");
}

#[test]
fn logs_text() {
    let wl = worked();
    wl.ok(&["logs", "1"]).stdout("at one\n");
    wl.ok(&["logs", "2", "-f"]).stdout("at two\n");
}

#[test]
fn logs_json() {
    let wl = worked();
    let log = wl.json(&["logs", "1"]);
    assert_eq!((&log["output"], &log["run"]["outcome"]), (&json!("at one\n"), &json!("succeeded")));
    let first = wl.json(&["runs", "2"])["runs"][1]["token"].to_string();
    assert_eq!(wl.json(&["logs", "2", "--token", &first])["run"]["token"].to_string(), first);
}

#[test]
fn logs_failures() {
    let wl = worked();
    wl.ok(&["add", "three"]);
    wl.fails(&["logs", "3"], 4, "no_run").says("nothing was run for task 3");
    wl.fails(&["logs", "1", "--token", "7"], 4, "no_run");
    wl.fails(&["logs"], 2, "usage");
}
