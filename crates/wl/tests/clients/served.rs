//! Our server in the client: what the model is told and offered, what it reads, and what is left of a client that dies.
//! Not our hooks.

use crate::{
    claude::Claude,
    model::{Model, Script, Turn},
    wl::{Read, Wl},
};
use serde_json::{Value, json};
use std::{
    sync::mpsc::channel,
    thread::sleep,
    time::{Duration, Instant},
};

/// What the server says of itself.
const RULES: &str = include_str!("../../src/guide/rules.md");
const TOOLS: [&str; 6] = ["TaskCreate", "TaskGet", "TaskUpdate", "TaskList", "TaskPlan", "TaskNext"];
/// A free task is claimed within a second; what depended on a lease would take a quarter of an hour.
const AT_ONCE: Duration = Duration::from_secs(5);

fn call(tool: &str, input: Value) -> Turn {
    Turn::calls(&format!("mcp__worklist__{tool}"), input)
}

/// A client with our server, which searches for tools as it does by default.
fn served(wl: &Wl, model: &Model) -> Claude {
    let claude = Claude::new(wl, model).server("worklist", env!("CARGO_BIN_EXE_wl"), &["mcp"]);
    claude.with("ENABLE_TOOL_SEARCH", "true")
}

#[test]
fn the_model_is_told_offered_and_answered() {
    let wl = Wl::new();
    let plan = json!({"tasks": [
        {"name": "api", "subject": "Write the API"},
        {"name": "page", "subject": "Write the page", "after": ["api"]},
    ]});
    let model = Model::playing([Script::of("plan it")
        .turn(call("TaskPlan", plan))
        .turn(call("TaskUpdate", json!({"taskId": "2", "status": "in_progress"})))
        .turn(call("TaskNext", json!({})))
        .turn(call("TaskUpdate", json!({"taskId": "1", "status": "completed"})))
        .turn(Turn::says("one is done"))]);
    // The client's own task tools are there to be searched for.
    let said = served(&wl, &model).with("CLAUDE_CODE_ENABLE_TODO_TOOLS", "1").run("plan it");
    assert_eq!(said.result(), "one is done");

    let asked = model.asked("plan it");
    let told = asked[0].system() + &asked[0].news();
    assert!(told.contains(&format!("## worklist\n{}", RULES.trim_end())), "{told}");
    let offered = asked[0].tools();
    assert!(offered.contains(&"ToolSearch") && !offered.contains(&"TaskCreate"), "no search: {offered:?}");
    for tool in TOOLS {
        assert!(offered.contains(&format!("mcp__worklist__{tool}").as_str()), "{tool} in {offered:?}");
    }
    let read: Vec<_> = asked[1..].iter().map(|it| it.results().remove(0)).collect();
    assert_eq!(
        read[0].text,
        "Planned 2 tasks:\n#1 [ready] Write the API\n#2 [blocked] Write the page [blocked by #1]\n\
         TaskNext takes up the first."
    );
    assert_eq!(read[1].text, "Not done: task 2 waits for 1. Do #1 first, or call TaskNext.");
    assert!(
        read[2].text.starts_with("Claimed #1 [in_progress] Write the API (@claude-code)\n"),
        "{}",
        read[2].text
    );
    assert_eq!(
        read[3].text,
        "Completed #1 [completed] Write the API (@claude-code)\nNow ready:\n#2 [ready] Write the page"
    );
    assert_eq!(read.iter().map(|it| it.is_error).collect::<Vec<_>>(), [false, true, false, false]);
    assert_eq!(wl.json(&["list", "--all"]).task("id", "1")["status"], "completed");
}

#[test]
fn what_a_killed_client_held_is_free_at_once() {
    let wl = Wl::with_tasks(&["one"]);
    let (claims, claimed) = channel();
    let (ends, end) = channel::<()>();
    let model =
        Model::playing([Script::of("take it").turn(call("TaskNext", json!({}))).then(move |asked| {
            claims.send(asked.results().remove(0).text).expect("the test waits");
            // The client is killed while it waits for what the model says.
            _ = end.recv();
            Turn::says("too late")
        })]);
    let mut session = served(&wl, &model).start("take it");
    let text = claimed.recv_timeout(Duration::from_mins(1)).expect("it claims");
    assert!(text.starts_with("Claimed #1"), "{text}");
    wl.by("ann").fails(&["claim", "1"], 3, "already_claimed").says("claude-code");

    let killed = Instant::now();
    session.kill();
    while wl.by("ann").run(&["claim", "1"]).out.is_empty() {
        assert!(killed.elapsed() < AT_ONCE, "the claim outlived its client");
        sleep(Duration::from_millis(5));
    }
    println!("claimed by another {:.3} s after the kill", killed.elapsed().as_secs_f64());
    assert_eq!(wl.json(&["show", "1"])["task"]["owner"], "ann");
    drop(ends);
    model.check();
}
