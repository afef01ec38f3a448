//! A person is asked before what another holds is removed, where the client can ask; else it stays refused.

use crate::{Client, Era, Streams, Wl};
use serde_json::{Value, json};

const REMOVE: &str = r#"{"taskId": "1", "status": "deleted"}"#;

fn held() -> Wl {
    let wl = Wl::with_tasks(&["one"]);
    wl.by("ann").ok(&["claim", "1"]);
    wl
}

fn remove() -> Value {
    serde_json::from_str(REMOVE).expect("JSON")
}

fn there(wl: &Wl) -> bool {
    wl.json(&["list", "--all"])["total"] == 1
}

#[test]
fn without_a_way_to_ask_it_is_refused() {
    for era in [Era::Old, Era::New] {
        let wl = held();
        let client = Client::start(&wl, era);
        let refused = client.call("TaskUpdate", remove());
        assert!(refused.starts_with("Not done: ") && refused.contains("ann"), "{refused}");
        assert!(there(&wl));
    }
}

#[test]
fn the_older_protocol_asks_in_between() {
    for (answer, stays) in [
        (json!({"action": "accept", "content": {"remove": true}}), false),
        (json!({"action": "accept", "content": {"remove": false}}), true),
        (json!({"action": "accept"}), true),
        (json!({"action": "decline"}), true),
        (json!({"action": "cancel"}), true),
    ] {
        let wl = held();
        let client = Client::with(&wl, &["mcp"], Streams::Sockets, Era::Old, json!({"elicitation": {}}));
        let number = client.send("tools/call", json!({"name": "TaskUpdate", "arguments": remove()}));
        let question = client.other(|it| it["method"] == "elicitation/create");
        assert!(
            question["params"]["message"].as_str().expect("a question").contains("task #1"),
            "{question}"
        );
        client.say(&json!({"jsonrpc": "2.0", "id": question["id"], "result": answer}));
        client.answer(&number);
        assert_eq!(there(&wl), stays, "{answer}");
    }
}

#[test]
fn the_newer_protocol_asks_by_its_answer() {
    let wl = held();
    let able = json!({"elicitation": {"form": {}}});
    let client = Client::with(&wl, &["mcp"], Streams::Sockets, Era::New, able);
    let asked = client.request("tools/call", json!({"name": "TaskUpdate", "arguments": remove()}));
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    assert_eq!(asked["result"]["inputRequests"]["confirm"]["method"], "elicitation/create");
    let again = |answer: Value| {
        let params =
            json!({"name": "TaskUpdate", "arguments": remove(), "inputResponses": {"confirm": answer}});
        client.request("tools/call", params)
    };
    for no in [json!({"action": "decline"}), json!({"action": "accept", "content": {}}), json!(1)] {
        assert_eq!(again(no)["result"]["isError"], true);
        assert!(there(&wl));
    }
    again(json!({"action": "accept", "content": {"remove": true}}));
    assert!(!there(&wl));
    let last = wl.json(&["changes", "--since", "0"])["seq"].to_string();
    wl.ok(&["undo", &last]);
    assert!(there(&wl), "history can bring it back");
}

/// Nothing else can be had by an answer to a question that was not asked.
#[test]
fn an_answer_gives_no_other_power() {
    let wl = held();
    let client = Client::start(&wl, Era::New);
    let yes = json!({"confirm": {"action": "accept", "content": {"remove": true}}});
    for status in ["completed", "in_progress", "pending"] {
        let input = json!({"taskId": "1", "status": status});
        let params = json!({"name": "TaskUpdate", "arguments": input, "inputResponses": yes});
        assert_eq!(client.request("tools/call", params)["result"]["isError"], true, "{status}");
    }
    assert_eq!(wl.json(&["show", "1"])["task"]["claim"]["agent"], "ann");
}
