//! `wl work --agent`: the clients as workers, each task one run of the real program. What they do in the list they do as
//! the worker that started them.

use crate::{
    claude::Claude,
    kit::tool,
    model::{Model, Script, Turn},
    wl::{Read, Wl},
};
use serde_json::json;

/// The list as the clients leave it: #1 is done, #2 was given back by the client itself.
#[track_caller]
pub(crate) fn assert_worked(wl: &Wl, output: &std::process::Output, command: &str) {
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("1 task done") && said.contains("given back: #2"), "{said}");
    assert_eq!(output.status.code(), Some(1), "{said}");
    let done = wl.json(&["show", "1"]);
    assert_eq!(done["task"]["state"], "completed");
    let evidence = &done["task"]["evidence"];
    assert!(evidence.word("command").starts_with(command), "{evidence}");
    assert_eq!(evidence["exit"], 0);
    assert_eq!(wl.json(&["show", "2"])["task"]["state"], "ready");
    let log = wl.json(&["log"]);
    let events = log.items("events");
    let of = |command: &str| events.iter().find(|it| it["command"] == command).expect("an event");
    assert_eq!(of("release")["session"], of("next")["session"], "it acts as its worker: {log}");
    assert!(log.to_string().contains("needs a key"), "{log}");
}

#[test]
fn claude_does_tasks_and_gives_back_what_it_cannot_do() {
    let wl = Wl::with_tasks(&["write it", "sign it"]);
    let made = wl.path("made.txt").display().to_string();
    let back = json!({"taskId": "2", "status": "pending", "reason": "it needs a key"});
    let model = Model::playing([
        Script::of("Task #1: write it")
            .turn(Turn::calls("Write", json!({"file_path": made, "content": "it\n"})))
            .turn(Turn::says("Written.")),
        Script::of("Task #2: sign it")
            .turn(Turn::calls("mcp__worklist__TaskUpdate", back))
            .then(|asked| Turn::says(&format!("So: {}", asked.results()[0].text))),
    ]);
    let client = tool("npm/node_modules/.bin/claude");
    let mut work =
        Claude::new(&wl, &model).beside(env!("CARGO_BIN_EXE_wl"), client.parent().expect("a folder"));
    let output = work.args(["work", "--agent", "claude", "--attempts", "1"]).output().expect("it runs");
    model.check();
    assert_worked(&wl, &output, "claude -p");
    assert_eq!(wl.read("made.txt"), "it\n");
    wl.ok(&["logs", "1"]).stdout_has("Written.");
    wl.ok(&["logs", "2"]).stdout_has("So: ");
}
