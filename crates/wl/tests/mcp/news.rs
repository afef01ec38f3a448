//! News of the list for those who listen, whoever made it.

use crate::{Client, Era, Wl};
use serde_json::json;

#[test]
fn subscribers_of_the_older_protocol_hear_of_changes() {
    let wl = Wl::with_tasks(&["one"]);
    let client = Client::start(&wl, Era::Old);
    for uri in ["worklist://list", "worklist://task/1"] {
        assert!(client.request("resources/subscribe", json!({"uri": uri}))["result"].is_object());
    }
    wl.ok(&["edit", "1", "--subject", "uno"]);
    for uri in ["worklist://list", "worklist://task/1"] {
        client.other(|it| it["method"] == "notifications/resources/updated" && it["params"]["uri"] == uri);
    }
    wl.write(".tasks/7.json", &wl.read(".tasks/1.json").replace("\"id\": \"1\"", "\"id\": \"7\""));
    client.other(|it| it["method"] == "notifications/resources/list_changed");
    assert!(
        client.request("resources/unsubscribe", json!({"uri": "worklist://task/1"}))["result"].is_object()
    );
}

#[test]
fn listeners_of_the_newer_protocol_hear_what_they_asked_for() {
    let wl = Wl::with_tasks(&["one", "two"]);
    let client = Client::start(&wl, Era::New);
    let wanted = json!({"resourcesListChanged": true, "resourceSubscriptions": ["worklist://task/2"]});
    client.send("subscriptions/listen", json!({"notifications": wanted}));
    client.other(|it| it["method"] == "notifications/subscriptions/acknowledged");
    wl.ok(&["edit", "1", "--subject", "uno"]);
    wl.ok(&["edit", "2", "--subject", "due"]);
    let told = client.other(|it| it["method"] == "notifications/resources/updated");
    assert_eq!(told["params"]["uri"], "worklist://task/2");
    wl.ok(&["add", "three"]);
    client.other(|it| it["method"] == "notifications/resources/list_changed");
}

/// A wait says that it goes on, with numbers that grow.
#[test]
fn waiting_is_told_as_progress() {
    let wl = Wl::with_tasks(&[]);
    let client = Client::start(&wl, Era::Old);
    let asked = json!({"name": "TaskNext", "arguments": {"wait": 600}, "_meta": {"progressToken": 7}});
    let number = client.send("tools/call", asked);
    let progress = || client.other(|it| it["params"]["progressToken"] == 7)["params"]["progress"].as_f64();
    let (first, second) = (progress(), progress());
    assert!(first.is_some() && first < second, "{first:?} {second:?}");
    wl.ok(&["add", "late"]);
    client.answer(&number);
}
