//! An agent's work over the server, in both generations of the protocol and over every kind of stream.

use crate::{Client, Era, Streams, Wl, client::text};
use serde_json::{Value, json};

const ERAS: [Era; 2] = [Era::Old, Era::New];

#[test]
fn a_goal_is_planned_and_worked_off() {
    for era in ERAS {
        for streams in [Streams::Pipes, Streams::Sockets] {
            let wl = Wl::new();
            let client = Client::with(&wl, &["mcp"], streams, era, json!({}));
            let tasks = json!([{"name": "a", "subject": "First"}, {"subject": "Second", "after": ["a"]}]);
            assert!(client.call("TaskPlan", json!({"tasks": tasks})).starts_with("Planned 2 tasks:"));
            assert!(
                client.call("TaskNext", json!({})).starts_with("Claimed #1 [in_progress] First (@tester)")
            );
            let done = client.call("TaskUpdate", json!({"taskId": 1, "status": "completed"}));
            assert!(done.ends_with("Now ready:\n#2 [ready] Second"), "{era:?} {streams:?}: {done}");
            assert_eq!(wl.json(&["list", "--all"])["total"], 2);
        }
    }
}

#[test]
fn both_generations_are_answered_by_one_server() {
    let wl = Wl::new();
    let client = Client::silent(&wl, &["mcp"], Streams::Sockets, Era::New, json!({}));
    let found = client.request("server/discover", json!({}))["result"].clone();
    assert_eq!(found["resultType"], "complete");
    let versions = found["supportedVersions"].as_array().expect("versions");
    assert!(
        versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2025-06-18")),
        "{versions:?}"
    );
    let instructions = found["instructions"].as_str().expect("instructions");
    assert!(instructions.chars().count() < 1_000 && instructions.contains("TaskNext"));
    let tools = client.request("tools/list", json!({}))["result"]["tools"].clone();
    let names: Vec<&str> =
        tools.as_array().expect("tools").iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(names, ["TaskCreate", "TaskGet", "TaskUpdate", "TaskList", "TaskPlan", "TaskNext"]);
    let hints = |n: usize| {
        (tools[n]["annotations"]["readOnlyHint"].clone(), tools[n]["annotations"]["destructiveHint"].clone())
    };
    assert_eq!([hints(1), hints(2)], [(json!(true), json!(false)), (json!(false), json!(true))]);
    assert!(tools.as_array().expect("tools").iter().all(|it| it.get("outputSchema").is_none()));
}

#[test]
fn what_is_not_known_is_answered_at_once() {
    for era in ERAS {
        let wl = Wl::new();
        let client = Client::start(&wl, era);
        assert_eq!(client.request("tasks/frobnicate", json!({}))["error"]["code"], -32601);
        let unknown = client.result("TaskLost", json!({}));
        assert_eq!(unknown["isError"], true);
        assert!(text(&unknown).contains("There is no tool TaskLost."), "{unknown}");
        let wrong = client.result("TaskGet", json!({"taskId": "9"}));
        assert_eq!(
            (&wrong["isError"], &wrong["_meta"]["worklist/code"]),
            (&json!(true), &json!("not_found"))
        );
    }
}

#[test]
fn looking_makes_no_list() {
    let wl = Wl::new();
    let client = Client::start(&wl, Era::Old);
    client.call("TaskList", json!({}));
    client.request("resources/list", json!({}));
    client.request("resources/read", json!({"uri": "worklist://graph"}));
    client.request("prompts/get", json!({"name": "status"}));
    assert!(!wl.path(".tasks").exists());
    client.call("TaskCreate", json!({"subject": "a"}));
    assert!(wl.path(".tasks/1.json").exists());
}

/// Other programs change the list while the server runs; another list may even take its place.
#[test]
fn foreign_changes_are_seen_without_a_restart() {
    let wl = Wl::with_tasks(&["one"]);
    let client = Client::start(&wl, Era::Old);
    assert!(client.call("TaskList", json!({})).contains("#1 [ready] one"));
    wl.ok(&["add", "two"]);
    wl.replace(".tasks/1.json", "\"one\"", "\"uno\"");
    let seen = client.call("TaskList", json!({}));
    assert!(seen.contains("#1 [ready] uno") && seen.contains("#2 [ready] two"), "{seen}");
    client.call("TaskNext", json!({}));
    wl.ok(&["convert", "s12", "--force"]);
    assert!(client.call("TaskList", json!({})).contains("uno"));
    std::fs::remove_dir_all(wl.path(".tasks")).expect("it goes");
    wl.ok(&["init"]);
    wl.ok(&["add", "anew"]);
    assert!(client.call("TaskNext", json!({})).starts_with("Claimed #1 [in_progress] anew"));
    wl.by("ann").run(&["claim", "1"]).code(3);
}

#[test]
fn a_list_that_cannot_be_read_is_an_answer() {
    let wl = Wl::new();
    wl.write(".tasks/notes.md", "x");
    wl.write(".tasks/tasks.json", "{}");
    wl.write(".tasks/1.json", "{}");
    let client = Client::start(&wl, Era::Old);
    let answer = client.result("TaskCreate", json!({"subject": "a"}));
    assert_eq!(answer["isError"], true, "{answer}");
    assert!(text(&answer).starts_with("Failed: ") || text(&answer).starts_with("Not done: "), "{answer}");
}

#[test]
fn resources_and_prompts_tell_how_things_stand() {
    let wl = Wl::with_tasks(&["one", "two < one"]);
    for era in ERAS {
        let client = Client::start(&wl, era);
        let read = |uri: &str| client.request("resources/read", json!({"uri": uri}));
        let text =
            |answer: &Value| answer["result"]["contents"][0]["text"].as_str().expect("text").to_owned();
        assert!(text(&read("worklist://list")).contains("#2 [blocked] two [blocked by #1]"));
        assert!(text(&read("worklist://task/2")).starts_with("#2 [blocked] two"));
        assert!(text(&read("worklist://graph")).starts_with("flowchart"));
        let code = if era == Era::Old { -32002 } else { -32602 };
        for nothing in ["worklist://task/9", "worklist://task/", "worklist://else", "file:///etc/passwd", ""]
        {
            assert_eq!(read(nothing)["error"]["code"], code, "{nothing}");
        }
        let listed = client.request("resources/list", json!({}))["result"]["resources"].clone();
        assert_eq!(listed.as_array().map(Vec::len), Some(4), "{listed}");
        let goal = client.request("prompts/get", json!({"name": "plan", "arguments": {"goal": "Ship"}}));
        assert!(goal.to_string().contains("The goal: Ship"), "{goal}");
        assert_eq!(client.request("prompts/get", json!({"name": "plan"}))["error"]["code"], -32602);
        assert_eq!(client.request("prompts/get", json!({"name": "odd"}))["error"]["code"], -32602);
        let reference = json!({"type": "ref/resource", "uri": "worklist://task/{id}"});
        let asked = json!({"ref": reference, "argument": {"name": "id", "value": ""}});
        let completed =
            client.request("completion/complete", asked)["result"]["completion"]["values"].clone();
        assert_eq!(completed, json!(["1", "2"]));
    }
}

#[test]
fn many_tasks_are_named_page_by_page() {
    let wl = Wl::new();
    wl.ok(&["init"]);
    wl.input(&"- [ ] x\n".repeat(250)).ok(&["plan", "-"]);
    let client = Client::start(&wl, Era::Old);
    let (mut cursor, mut seen) = (Value::Null, 0);
    for _ in 0..3 {
        let asked = if cursor.is_null() { json!({}) } else { json!({"cursor": cursor}) };
        let page = client.request("resources/list", asked)["result"].clone();
        seen += page["resources"].as_array().map_or(0, Vec::len);
        cursor = page["nextCursor"].clone();
    }
    assert_eq!((seen, cursor), (252, Value::Null));
    assert_eq!(client.request("resources/list", json!({"cursor": "x"}))["error"]["code"], -32602);
}

/// The switch of the older checklist, and every other vocabulary by its name.
#[test]
fn the_vocabulary_can_be_chosen() {
    let names = |client: &Client| -> Vec<String> {
        let tools = client.request("tools/list", json!({}))["result"]["tools"].clone();
        tools
            .as_array()
            .expect("tools")
            .iter()
            .map(|it| it["name"].as_str().unwrap_or("").to_owned())
            .collect()
    };
    let off = Wl::new().with("CLAUDE_CODE_ENABLE_TASKS", "false");
    let client = Client::start(&off, Era::Old);
    assert_eq!(names(&client), ["TodoWrite", "TodoRead"]);
    let todos = json!({"todos": [{"content": "a", "status": "pending", "activeForm": "doing a"}]});
    assert!(!client.call("TodoWrite", todos).is_empty());
    assert!(!off.path(".tasks").exists() || off.json(&["list"])["total"] == 0);
    let wl = Wl::new();
    let asked = Client::with(&wl, &["mcp", "--tools", "s12"], Streams::Sockets, Era::Old, json!({}));
    assert!(names(&asked).contains(&"claim_task".to_owned()));
    let claude = Client::with(&wl, &["mcp", "--tools", "claude"], Streams::Sockets, Era::Old, json!({}));
    assert_eq!(
        claude.call("TaskCreate", json!({"subject": "A", "description": "a"})),
        "Task #1 created successfully: A"
    );
}
