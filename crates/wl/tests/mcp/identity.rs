//! Who a call comes from: the session of the server, and the agent within it. Two agents are two claimants.

use crate::{Client, Era, Wl, client::text};
use serde_json::{Value, json};

fn calls(client: &Client, tool: &str, arguments: &Value, meta: &Value) -> String {
    let asked = json!({"name": tool, "arguments": arguments, "_meta": meta});
    text(&client.request("tools/call", asked)["result"])
}

/// Each way to tell an agent apart.
fn ways(wl: &Wl) -> Vec<[(Value, Value); 2]> {
    let argument = ["ann", "bob"].map(|it| (json!({"agent": it}), json!({})));
    let meta = ["ann", "bob"].map(|it| (json!({}), json!({"worklist/agent": it})));
    for it in ["ann", "bob"] {
        wl.write(&format!("home/.local/state/worklist/calls/toolu_{it}"), it);
    }
    let noted = ["ann", "bob"].map(|it| (json!({}), json!({"claudecode/toolUseId": format!("toolu_{it}")})));
    vec![argument, meta, noted]
}

#[test]
fn two_agents_over_one_server_are_two_claimants() {
    for era in [Era::Old, Era::New] {
        for n in 0..3 {
            let wl = Wl::with_tasks(&["one", "two"]);
            let client = Client::start(&wl, era);
            let [ann, bob] = ways(&wl).remove(n);
            let first = calls(&client, "TaskNext", &ann.0, &ann.1);
            let second = calls(&client, "TaskNext", &bob.0, &bob.1);
            assert!(first.contains("#1") && first.contains("(@ann)"), "{n}: {first}");
            assert!(second.contains("#2") && second.contains("(@bob)"), "{n}: {second}");
            let [ann, bob] = ways(&wl).remove(n);
            let update = |agent: &Value, id: u32| {
                let mut input = json!({"taskId": id, "status": "completed"});
                input
                    .as_object_mut()
                    .expect("an object")
                    .extend(agent.as_object().cloned().unwrap_or_default());
                input
            };
            let stolen = calls(&client, "TaskUpdate", &update(&bob.0, 1), &bob.1);
            assert!(stolen.starts_with("Not done: "), "{n}: {stolen}");
            let own = calls(&client, "TaskUpdate", &update(&ann.0, 1), &ann.1);
            assert!(own.starts_with("Completed #1"), "{n}: {own}");
        }
    }
}

/// A note is for one call, and cannot be anything but a name.
#[test]
fn notes_are_taken_once_and_lead_nowhere_else() {
    let wl = Wl::with_tasks(&["one"]);
    wl.write("secret", "root");
    let client = Client::start(&wl, Era::Old);
    for call in ["../../../../../secret", "", "a/b", "\u{0}", "toolu_none"] {
        let meta = json!({"claudecode/toolUseId": call});
        assert!(!calls(&client, "TaskNext", &json!({}), &meta).contains("root"), "{call}");
        calls(&client, "TaskUpdate", &json!({"taskId": 1, "status": "pending"}), &json!({}));
    }
    assert_eq!(wl.read("secret"), "root");
    wl.write("home/.local/state/worklist/calls/toolu_1", "ann");
    let meta = json!({"claudecode/toolUseId": "toolu_1"});
    assert!(calls(&client, "TaskNext", &json!({}), &meta).contains("(@ann)"));
    assert!(!wl.path("home/.local/state/worklist/calls/toolu_1").exists());
}

/// The client's session is the server's: what it does in a shell is done by the same.
#[test]
fn the_shell_of_the_same_session_is_the_same_claimant() {
    let wl = Wl::with_tasks(&["one"]);
    let inside = wl.with("CLAUDE_CODE_SESSION_ID", "s-1");
    let client = Client::start(&inside, Era::Old);
    client.call("TaskNext", json!({}));
    wl.run(&["done", "1"]).code(5);
    inside.ok(&["done", "1"]);
}

/// Two servers of one session are two: neither may finish what the other began.
#[test]
fn two_servers_of_one_name_are_two_claimants() {
    let wl = Wl::with_tasks(&["one", "two"]).with("WORKLIST_SESSION", "shared");
    let (first, second) = (Client::start(&wl, Era::Old), Client::start(&wl, Era::Old));
    assert!(first.call("TaskNext", json!({})).contains("#1"));
    assert!(second.call("TaskNext", json!({})).contains("#2"));
    let stolen = second.call("TaskUpdate", json!({"taskId": "1", "status": "completed"}));
    assert!(stolen.starts_with("Not done: "), "{stolen}");
    first.kill();
    wl.by("ann").with("WORKLIST_SESSION", "ann").ok(&["claim", "1"]);
    wl.by("ann").with("WORKLIST_SESSION", "ann").fails(&["claim", "2"], 3, "already_claimed");
}

/// The name that people see: as told at the start, else what the client calls itself.
#[test]
fn names_come_from_the_start_or_from_the_client() {
    let wl = Wl::with_tasks(&["one"]);
    assert!(Client::start(&wl, Era::New).call("TaskNext", json!({})).contains("(@tester)"));
    let wl = Wl::with_tasks(&["one"]).by("ann");
    assert!(Client::start(&wl, Era::New).call("TaskNext", json!({})).contains("(@ann)"));
}
