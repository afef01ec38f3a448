//! The agent as a worker: `wl work --agent builtin` runs it for each task, in the session of the worker that claimed it.

use crate::wl::Read;
use crate::{Service, Step, Turn, json, place, then};

#[test]
fn the_agent_does_tasks_and_gives_back_what_it_cannot_do() {
    let wl = place();
    wl.ok(&["init"]);
    wl.ok(&["add", "write it", "-d", "to made.txt"]);
    wl.ok(&["add", "sign it"]);
    let back = json!({"taskId": "2", "status": "pending", "reason": "it needs a key"});
    let service = Service::playing([
        then(|asked| {
            let told = asked.news().concat();
            assert!(told.contains("Task #1: write it\n\nto made.txt\n"), "{told}");
            Turn::calls("write_file", json!({"path": "made.txt", "content": "it\n"}))
        }),
        Step::Turn(Turn::says("Written.")),
        Step::Turn(Turn::calls("TaskUpdate", back)),
        then(|asked| {
            assert_eq!(asked.result(), "Gave back #2 [ready] sign it");
            Turn::says("It cannot be done.")
        }),
    ]);
    let url = service.url();
    let run = wl.run(&[
        "work",
        "--agent",
        "builtin",
        "--attempts",
        "1",
        "--",
        "--provider",
        "anthropic",
        "--base-url",
        &url,
    ]);
    run.code(1).stdout_has("1 task done").stdout_has("given back: #2");
    service.ended();
    assert_eq!(wl.read("made.txt"), "it\n");
    let log = wl.json(&["log"]);
    let of =
        |command: &str| log.items("events").iter().find(|it| it["command"] == command).expect("an event");
    assert_eq!(of("release")["session"], of("next")["session"], "it acts as its worker");
    assert_eq!(wl.json(&["show", "1"])["task"]["evidence"]["exit"], 0);
}

/// Somebody's own words take the place of ours.
#[test]
fn the_prompt_can_be_another_one() {
    let wl = place();
    wl.ok(&["init"]);
    wl.ok(&["add", "look {id}", "-d", "closely"]);
    wl.write("prompt.md", "Do {subject} ({id}): {description}");
    let service = Service::playing([then(|asked| {
        let told = asked.news().concat();
        assert!(told.contains("Do look {id} (1): closely"), "{told}");
        Turn::says("Seen.")
    })]);
    let url = service.url();
    let own = ["--", "--provider", "anthropic", "--base-url", &url];
    wl.ok(&[&["work", "--agent", "builtin", "--prompt", "prompt.md"], &own[..]].concat());
    service.ended();
    wl.fails(&["work", "--agent", "builtin", "--prompt", "none.md"], 1, "io");
    wl.fails(&["work", "--prompt", "prompt.md", "--", "true"], 2, "usage");
    wl.with("PATH", "/none").fails(&["work", "--agent", "codex"], 2, "invalid").says("codex is not in PATH");
}
