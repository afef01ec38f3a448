//! The client's own task tools where `wl setup claude --native` has been: our hooks deny what the rules refuse, and note who
//! did the rest. Not our own tools.

use crate::{
    claude::Claude,
    model::{Asked, Model, Script, Turn},
    wl::{Read, Wl},
};
use serde_json::{Value, json};

fn update(id: &str, key: &str, value: Value) -> Turn {
    let mut input = json!({"taskId": id});
    input[key] = value;
    Turn::calls("TaskUpdate", input)
}

fn start(id: &str) -> Turn {
    update(id, "status", json!("in_progress"))
}

/// A project that is set up, and the list on which the client's tools and the program both work there.
fn set_up() -> Wl {
    let wl = Wl::new();
    wl.ok(&["setup", "claude", "--native"]);
    let settings: Value = serde_json::from_str(&wl.read(".claude/settings.json")).expect("settings");
    let wl = wl.with("CLAUDE_CODE_TASK_LIST_ID", settings["env"].word("CLAUDE_CODE_TASK_LIST_ID"));
    for arguments in [&["add", "one"][..], &["add", "two"], &["add", "three", "--after", "1", "--after", "2"]]
    {
        wl.ok(arguments);
    }
    wl
}

/// The one call before was denied, and the model reads all of this.
#[track_caller]
fn denied(asked: &Asked, words: &[&str]) {
    let result = asked.results().remove(0);
    assert!(result.is_error, "{result:?}");
    for word in words {
        assert!(result.text.contains(word), "{word:?} is not in {result:?}");
    }
}

#[test]
fn what_the_rules_refuse_is_denied_and_the_rest_is_noted() {
    let wl = set_up();
    wl.by("ann").ok(&["claim", "1"]);
    let other = wl.by("bob");
    let model = Model::playing([Script::of("work on it")
        .turn(start("1"))
        .then(|asked| {
            denied(asked, &["claimed by ann", "Leave it to whoever has it"]);
            start("3")
        })
        .then(|asked| {
            denied(asked, &["blocked by #1, #2", "Do what it waits for first"]);
            update("2", "addBlockedBy", json!(["3"]))
        })
        .then(|asked| {
            denied(asked, &["#2 -> #3 -> #2", "Leave one of these edges out"]);
            start("2")
        })
        .then(move |asked| {
            // The hook has started it already: the client finds no status to change.
            assert_eq!(asked.results()[0].text, "Updated task #2 ");
            assert!(asked.news().contains("Task #2 is claimed for you."), "{}", asked.news());
            other.fails(&["claim", "2"], 3, "already_claimed").says("claude");
            update("2", "status", json!("completed"))
        })
        .turn(Turn::says("two is done"))]);
    let said = Claude::new(&wl, &model).open().run("work on it");
    assert_eq!(said.result(), "two is done");

    let told = model.asked("work on it")[0].news();
    assert!(told.contains("Tasks of this project") && told.contains("#2 [ready] two"), "{told}");
    let log = wl.json(&["log"]);
    let by_client = log.items("events").iter().rev().filter(|it| it["agent"] == "claude");
    // The server of the plugin watches the list, too, and leaves the hook time to say who wrote the second.
    assert_eq!(by_client.map(turn).collect::<Vec<_>>(), [("2", "in_progress"), ("2", "completed")], "{log}");
}

/// The first task of an event, and the status it came to.
fn turn(event: &Value) -> (&str, &str) {
    let change = &event.items("changes")[0];
    (change.word("id"), change["fields"]["status"][1].as_str().unwrap_or_default())
}
