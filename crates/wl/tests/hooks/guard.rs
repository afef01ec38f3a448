//! The client's own tools, guarded: what is denied and in which words, who gets a task, whose a change is.

use crate::client::Session;
use serde_json::{Value, json};
use std::{
    fs::{self, File},
    time::{Duration, Instant},
};

const USERS: &str = "home/.config/worklist/config.toml";

fn start(id: &str) -> Value {
    json!({"taskId": id, "status": "in_progress"})
}

#[test]
fn what_another_session_holds_is_denied_by_its_name() {
    let ann = Session::new().with("WORKLIST_AGENT", "ann");
    let bob = ann.other("session-two").with("WORKLIST_AGENT", "bob");
    ann.create("1", "Write the parser");
    ann.before(&start("1")).code(0).stdout("").stderr("");
    assert_eq!((&ann.read("1")["status"], &ann.read("1")["owner"]), (&json!("in_progress"), &json!("ann")));
    for input in [
        start("1"),
        json!({"taskId": "1", "status": "completed"}),
        json!({"taskId": "1", "status": "pending"}),
        json!({"taskId": "1", "status": "deleted"}),
        json!({"taskId": "1", "owner": "bob"}),
        json!({"taskId": "1", "status": "in_progress", "owner": "ann"}),
    ] {
        let denied = bob.before(&input).code(2);
        denied.stdout("").stderr_has("Task #1 is claimed by ann. ");
    }
    // The holder may go on, as often as it likes, and everybody may look.
    ann.before(&start("1")).code(0);
    bob.hook("PreToolUse", json!({"tool_name": "TaskGet", "tool_input": {"taskId": "1"}})).code(0);
    bob.hook("PreToolUse", json!({"tool_name": "Bash", "tool_input": {"command": "ls"}})).code(0);
}

/// Two subagents of one session are two claimants, and so is the session itself.
#[test]
fn subagents_are_told_apart() {
    let main = Session::new();
    let (one, two) = (main.subagent("aworker-50de1de4b648bdd9"), main.subagent("a0123456789abcdef"));
    main.create("1", "A");
    one.before(&start("1")).code(0);
    two.before(&start("1")).code(2).stderr_has("claimed by worker");
    main.before(&start("1")).code(2).stderr_has("claimed by worker");
    assert_eq!(main.task("1")["claim"]["session"], "session-one/aworker-50de1de4b648bdd9");
    main.create("2", "B");
    two.before(&start("2")).code(0);
    assert_eq!(main.read("2")["owner"], "worker-a0123456");
    main.create("3", "C");
    main.before(&start("3")).code(0);
    assert_eq!(main.read("3")["owner"], "claude");
}

/// A teammate starts what the lead has assigned to it: both know it by the same name.
#[test]
fn an_assigned_task_is_the_teammates_to_start() {
    let lead = Session::new();
    lead.create("1", "A");
    lead.before(&json!({"taskId": "1", "owner": "worker"})).code(0);
    lead.write("1", json!({"owner": "worker"}));
    lead.after(&json!({"taskId": "1", "owner": "worker"}));
    lead.subagent("aother-50de1de4b648bdd9").before(&start("1")).code(2).stderr_has("claimed by worker");
    lead.subagent("aworker-50de1de4b648bdd9").before(&start("1")).code(0);
}

#[test]
fn what_cannot_be_is_denied_with_the_reason() {
    let session = Session::new();
    session.create_after("1", "A", &[], &["2"]);
    session.create_after("2", "B", &["1"], &[]);
    let denied = |input: Value, reason: &str| {
        session.before(&input).code(2).stdout("").stderr_has(reason);
    };
    denied(start("2"), "Task #2 is blocked by #1. Do what it waits for first");
    denied(json!({"taskId": "2", "status": "completed"}), "Task #2 is blocked by #1");
    denied(json!({"taskId": "1", "addBlockedBy": ["2"]}), "Tasks would wait for each other: #1 -> #2 -> #1");
    denied(json!({"taskId": "2", "addBlocks": ["1"]}), "Tasks would wait for each other");
    denied(json!({"taskId": "1", "addBlocks": ["1"]}), "Task #1 cannot wait for itself");
    denied(json!({"taskId": "1", "addBlockedBy": ["9"]}), "Task #9 not found");
    denied(json!({"taskId": "1", "addBlockedBy": ["../x"]}), "Task #../x not found");
    let create = json!({"tool_name": "TaskCreate", "tool_input": {"subject": " ", "description": "x"}});
    session.hook("PreToolUse", create).code(2).stderr_has("subject may not be empty");
    // What the client finds wrong by itself is left to it.
    for input in
        [start("9"), json!({"taskId": "../x", "status": "completed"}), json!({"taskId": 1}), json!({})]
    {
        session.before(&input).code(0).stdout("").stderr("");
    }
}

/// Of sessions that start one task at the same moment exactly one may.
#[test]
fn one_of_many_gets_a_task() {
    let sessions = 4;
    let rounds = 25;
    let first = Session::new();
    let all: Vec<Session> = (0..sessions).map(|n| first.other(&format!("session-{n}"))).collect();
    for round in 1..=rounds {
        let id = round.to_string();
        first.create(&id, "A");
        let call = json!({"tool_name": "TaskUpdate", "tool_input": start(&id)});
        let running: Vec<_> = all.iter().map(|it| it.start_hook("PreToolUse", call.clone())).collect();
        let denials: Vec<String> = running.into_iter().map(|it| it.end().err).collect();
        let winners = denials.iter().filter(|it| it.is_empty()).count();
        assert_eq!(winners, 1, "round {round}: {denials:?}");
        assert!(denials.iter().filter(|it| !it.is_empty()).all(|it| it.contains("claimed by claude")));
    }
    println!("{sessions} sessions, {rounds} tasks: {rounds} starts, none twice");
}

/// From start to end through the client's own tools: everything is in the history with its author, the claim ends with
/// the completion, and nothing of what the client wrote is lost.
#[test]
fn a_life_through_the_clients_tools() {
    let ann = Session::new().with("WORKLIST_AGENT", "ann");
    let created = |id: &str| {
        let call =
            json!({"tool_name": "TaskCreate", "tool_input": {}, "tool_response": {"task": {"id": id}}});
        ann.hook("PostToolUse", call).code(0).stdout("").stderr("");
    };
    ann.create("1", "Write the parser");
    created("1");
    ann.create("2", "Test it");
    created("2");
    let link = json!({"taskId": "2", "addBlockedBy": ["1"]});
    ann.before(&link).code(0);
    ann.write("1", json!({"blocks": ["2"]}));
    ann.write("2", json!({"blockedBy": ["1"]}));
    ann.after(&link).stdout("");
    let begin = json!({"taskId": "1", "status": "in_progress", "metadata": {"k": 1}});
    ann.before(&begin).code(0);
    let mut metadata = ann.read("1")["metadata"].clone();
    metadata["k"] = json!(1);
    ann.write("1", json!({"status": "in_progress", "metadata": metadata}));
    let told = Session::told(&ann.after(&begin));
    assert!(told.contains("Task #1 is claimed for you."), "{told}");
    let done = json!({"taskId": "1", "status": "completed"});
    ann.before(&done).code(0);
    ann.write("1", json!({"status": "completed"}));
    assert_eq!(Session::told(&ann.after(&done)), "Task #1 is completed. Now ready:\n#2 Test it");
    let events = ann.wl.json(&["log"])["events"].clone();
    let agents: Vec<&Value> = events.as_array().unwrap().iter().map(|it| &it["agent"]).collect();
    assert!(agents.len() >= 5 && agents.iter().all(|it| **it == "ann"), "{events:#}");
    ann.wl.ok(&["log", "--limit", "1"]).stdout_has("ann  completed #1 Write the parser");
    let task = ann.task("1");
    assert_eq!(
        (&task["state"], &task["claim"], &task["metadata"]["k"]),
        (&json!("completed"), &Value::Null, &json!(1))
    );
}

/// Somebody who wrote at the same time is not given out as the agent.
#[test]
fn a_change_by_somebody_else_stays_theirs() {
    let ann = Session::new().with("WORKLIST_AGENT", "ann");
    ann.create("1", "A");
    ann.create("2", "B");
    ann.before(&start("1")).code(0);
    ann.write("2", json!({"subject": "by an editor"}));
    ann.after(&start("1"));
    ann.wl.ok(&["list"]);
    ann.wl.ok(&["log", "--limit", "1"]).stdout_has("another program").stdout_has("#2 by an editor");
}

#[test]
fn set_to_pending_is_given_back() {
    let ann = Session::new();
    let bob = ann.other("session-two");
    ann.create("1", "A");
    ann.before(&start("1")).code(0);
    let back = json!({"taskId": "1", "status": "pending"});
    ann.before(&back).code(0);
    ann.write("1", json!({"status": "pending"}));
    ann.after(&back).stdout("");
    let task = ann.task("1");
    assert_eq!((&task["state"], &task["claim"]), (&json!("ready"), &Value::Null));
    bob.before(&start("1")).code(0);
}

/// A list that cannot be checked in time is no reason to let two sessions pass; one that cannot be read is none to stop.
#[test]
fn busy_denies_and_broken_lets_pass() {
    let session = Session::new();
    session.create("1", "A");
    session.before(&start("1")).code(0);
    let folder = File::open(session.wl.path("home/.claude/tasks/shared")).unwrap();
    folder.lock().unwrap();
    let asked = Instant::now();
    session.before(&start("1")).code(2).stderr_has("could not be checked").stderr_has("Try again");
    assert!(asked.elapsed() < Duration::from_secs(1), "{:?}", asked.elapsed());
    session.after(&start("1")).stdout("").stderr_has("the list is locked by");
    drop(folder);
    session.create("5", "B");
    fs::write(session.file("5"), "{ half").unwrap();
    let open = session.before(&start("5")).code(0);
    open.stdout("").stderr_has("wl hook PreToolUse: ");
    assert_eq!(open.err.lines().count(), 1, "{}", open.err);
    session.wl.write(USERS, "lease = \"soon\"\n");
    session.before(&start("1")).code(0).stdout("").stderr_has("is not a length of time");
}

/// The server of our tools cannot know which agent calls: it is told by a note under the number of the call.
#[test]
fn calls_of_our_own_tools_are_noted() {
    let main = Session::new();
    let worker = main.subagent("a0123456789abcdef");
    let call = |tool: &str, number: &str| json!({"tool_name": tool, "tool_use_id": number, "tool_input": {}});
    for (tool, number) in
        [("mcp__wl__TaskNext", "toolu_1"), ("mcp__plugin_worklist_wl__TaskUpdate", "toolu_2")]
    {
        worker.hook("PreToolUse", call(tool, number)).code(0).stdout("").stderr("");
        let note = main.wl.read(&format!("home/.local/state/worklist/calls/{number}"));
        assert_eq!(note, "a0123456789abcdef\nworker-a0123456\n");
    }
    main.hook("PreToolUse", call("mcp__wl__TaskNext", "toolu_3")).code(0).stdout("");
    worker.hook("PreToolUse", call("mcp__other__TaskNext", "toolu_4")).code(0);
    worker.hook("PreToolUse", call("mcp__wl__TaskNext", "../../toolu_5")).code(0);
    assert_eq!(fs::read_dir(main.wl.path("home/.local/state/worklist/calls")).unwrap().count(), 2);
}
