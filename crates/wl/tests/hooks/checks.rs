//! The user's own checks, asked by the client's tools.

use crate::client::{Session, recorded};
use serde_json::json;

const USERS: &str = "home/.config/worklist/config.toml";

fn with_checks(checks: &str) -> Session {
    let session = Session::new();
    session.wl.write(USERS, &format!("[hooks]\n{checks}\n"));
    session
}

#[test]
fn a_check_refuses_with_its_reason() {
    let session = with_checks(
        "before-created = \"echo need a ticket >&2; exit 2\"\nbefore-completed = \"echo '{\\\"decision\\\": \\\"block\\\", \\\"reason\\\": \\\"tests fail\\\"}'\"",
    );
    let task = json!({"task_id": "1", "task_subject": "A", "task_description": ""});
    session.hook("TaskCreated", task.clone()).code(2).stdout("").stderr("need a ticket\n");
    session.hook("TaskCompleted", task).code(2).stdout("").stderr("tests fail\n");
}

/// A check that could not be made is not one that passed.
#[test]
fn a_check_that_fails_refuses() {
    let session = with_checks("before-completed = [\"/nonexistent/check\"]");
    let task = json!({"task_id": "1", "task_subject": "A"});
    session.hook("TaskCompleted", task.clone()).code(2).stderr_has("it could not be started");
    session.hook("TaskCreated", task).code(0).stdout("").stderr("");
}

/// Being asked first does not make a change somebody else's.
#[test]
fn what_was_checked_is_still_the_agents() {
    let session = with_checks("before-created = \"exit 0\"\nbefore-completed = \"exit 0\"");
    for id in ["1", "2"] {
        session.create(id, "A");
        session.hook("TaskCreated", json!({"task_id": id, "task_subject": "A"})).code(0);
        let call =
            json!({"tool_name": "TaskCreate", "tool_input": {}, "tool_response": {"task": {"id": id}}});
        session.hook("PostToolUse", call).code(0);
        session.wl.ok(&["log", "--limit", "1"]).stdout_has(&format!("claude  created #{id} A"));
    }
}

/// What is checked is the task as it will be, with the edges and fields that the list knows of.
#[test]
fn a_check_is_told_what_it_checks() {
    let session = with_checks("before-completed = \"cat > told\"");
    session.create("1", "As the list has it");
    for name in ["TaskCompleted", "TaskCompleted.teammate"] {
        let mut input = recorded(name);
        input["cwd"] = json!(session.wl.path("").display().to_string());
        session.wl.input(&input.to_string()).ok(&["hook", "TaskCompleted"]).stdout("").stderr("");
        let told: serde_json::Value = serde_json::from_str(&session.wl.read("told")).unwrap();
        let agent = if name.ends_with("teammate") { "worker" } else { "claude" };
        assert_eq!(
            (&told["moment"], &told["agent"], &told["task"]["subject"], &told["task"]["status"]),
            (&json!("completed"), &json!(agent), &json!("As the list has it"), &json!("completed"))
        );
    }
    let unknown = json!({"task_id": "77", "task_subject": "As the client says"});
    session.hook("TaskCompleted", unknown).code(0);
    assert!(session.wl.read("told").contains("As the client says"));
}
