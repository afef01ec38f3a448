//! Every input that the real client was seen to send, with lists and without: answered in time, in a shape that the
//! client understands. And how long the commonest one takes.

use crate::{
    client::{SESSION, all_recorded, recorded},
    wl::{Wl, faults},
};
use serde_json::json;
use std::{
    fs,
    time::{Duration, Instant},
};

fn with_lists() -> Wl {
    let wl = Wl::with_tasks(&["of the project"]);
    for list in [SESSION, "b0aa1d6c-a9f2-4dc4-8b60-51e841824b63"] {
        wl.ok(&["init", "--list", list]);
        for subject in ["A", "B", "C"] {
            wl.ok(&["add", subject, "--list", list]);
        }
    }
    wl
}

#[test]
fn none_is_refused_or_late() {
    let names = all_recorded();
    assert_eq!(names.len(), 21);
    for wl in [Wl::new(), with_lists()] {
        for name in &names {
            let mut input = recorded(name);
            let event = name.split('.').next().unwrap();
            for cwd in [json!("/home/u/project"), json!(wl.path("").display().to_string())] {
                input["cwd"] = cwd;
                let asked = Instant::now();
                let run = wl.input(&input.to_string()).run(&["hook", event]).code(0);
                assert!(asked.elapsed() < Duration::from_secs(1), "{name}: {:?}", asked.elapsed());
                run.stderr("");
                if !run.out.is_empty() {
                    assert_eq!(faults("hook", &run.json()), [""; 0], "{name}");
                }
                let again = wl.input(&input.to_string()).run(&["hook", event, "--json"]).code(0);
                assert_eq!(again.out.is_empty(), run.out.is_empty(), "{name}");
            }
        }
    }
}

/// A hook finds lists; it makes none, and nothing beside them.
#[test]
fn where_there_is_no_list_none_is_made() {
    let wl = Wl::new();
    for name in all_recorded() {
        let mut input = recorded(&name);
        input["cwd"] = json!(wl.path("").display().to_string());
        wl.input(&input.to_string()).ok(&["hook", name.split('.').next().unwrap()]).stdout("").stderr("");
    }
    let left: Vec<_> = fs::read_dir(wl.path("")).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(left, [""; 0]);
}

/// The list is found by the client's order: named, then the team's if there is one, then the session's.
#[test]
fn the_clients_own_list_is_found() {
    let wl = Wl::new();
    let mut input = recorded("PreToolUse.TaskUpdate");
    let started = |list: &str| wl.json(&["show", "1", "--list", list])["task"]["claim"]["session"].clone();
    let lists = [SESSION, "session-23b0c38b", "named"];
    for list in lists {
        wl.ok(&["init", "--list", list]);
        wl.ok(&["add", "A", "--list", list]);
    }
    let plain = wl.clone();
    let team = wl.with("CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS", "1");
    let named = team.with("CLAUDE_CODE_TASK_LIST_ID", "named");
    for (n, (wl, list)) in [plain, team, named].iter().zip(lists).enumerate() {
        wl.input(&input.to_string()).ok(&["hook", "PreToolUse"]).stdout("");
        assert_eq!(started(list), json!(SESSION), "{list}");
        let rest: Vec<_> = lists[n + 1..].iter().map(|it| started(it)).collect();
        assert!(rest.iter().all(serde_json::Value::is_null), "only {list}: {rest:?}");
    }
    // Without a session in the input the environment's counts.
    input.as_object_mut().unwrap().remove("session_id");
    wl.ok(&["init", "--list", "by-variable"]);
    wl.ok(&["add", "A", "--list", "by-variable"]);
    let wl = wl.with("CLAUDE_CODE_SESSION_ID", "by-variable");
    wl.input(&input.to_string()).ok(&["hook", "PreToolUse"]);
    assert_eq!(wl.json(&["show", "1", "--list", "by-variable"])["task"]["claim"]["session"], "by-variable");
}

/// What a `PreToolUse` costs in a list of a thousand tasks: printed, not judged, except that it must not be late.
#[test]
fn a_guard_is_quick() {
    let wl = Wl::new();
    let plan: Vec<_> = (0..1000).map(|n| json!({"subject": format!("task {n}")})).collect();
    wl.ok(&["init", "--list", SESSION]);
    wl.input(&json!({"tasks": plan}).to_string()).ok(&["plan", "-", "--list", SESSION]);
    let mut times: Vec<Duration> = Vec::new();
    for n in 1..=50 {
        let mut input = recorded("PreToolUse.TaskUpdate");
        input["tool_input"]["taskId"] = json!(n.to_string());
        let wl = wl.input(&input.to_string());
        let asked = Instant::now();
        wl.run(&["hook", "PreToolUse"]).code(0).stderr("");
        times.push(asked.elapsed());
    }
    times.sort();
    println!("PreToolUse that claims, 1,000 tasks: median {:?} of 50, worst {:?}", times[25], times[49]);
    assert!(times[49] < Duration::from_secs(1), "{:?}", times[49]);
}
