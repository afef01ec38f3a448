//! `wl next`.

use crate::{Tested, Wl};
use serde_json::json;
use std::time::{Duration, Instant};

pub(crate) const TESTED: Tested = Tested::new("next", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::with_tasks(&["a", "b", "c < b"]);
    wl.ok(&["next"]).stdout_has("Claimed [>] #2 b  @me\n  token ");
    wl.ok(&["next", "--no-start"]).stdout_has("Claimed [ ] #1 a  @me\n");
}

#[test]
fn json() {
    let wl = Wl::with_tasks(&["a", "b"]);
    wl.ok(&["edit", "2", "--tag", "x"]);
    let next = wl.json(&["next", "--tag", "x", "--lease", "1h", "--as", "ann"]);
    assert_eq!((&next["task"]["id"], &next["task"]["claim"]["token"]), (&json!("2"), &next["token"]));
    assert_eq!(
        wl.json(&["next", "--wait", "1s", "--as", "bob"])["task"]["id"],
        "1",
        "who waits may be lucky at once"
    );
}

#[test]
fn failures() {
    Wl::new().fails(&["next"], 4, "no_list");
    let wl = Wl::with_tasks(&["a", "b < a"]);
    wl.fails(&["next", "--wait", "soon"], 2, "invalid");
    wl.fails(&["next", "--tag", "x"], 6, "nothing_ready")
        .says("nothing is ready")
        .hints("--wait waits for it");
    wl.ok(&["next"]);
    wl.ok(&["add", "c"]);
    wl.fails(&["next", "--one-at-a-time"], 3, "agent_busy").has("with", json!(["1"]));
    wl.ok(&["done", "3"]);
    let waited = wl.fails(&["next", "--wait", "300ms"], 6, "nothing_ready");
    waited.says("nothing became ready in that time").hints("`wl why`");
}

/// Whoever waits gets the task that somebody else makes, at once and claimed.
#[test]
fn a_waiting_worker_is_woken() {
    let wl = Wl::with_tasks(&[]);
    let mut waits = wl.by("ann").start(&["next", "--wait", "60s", "--json", "--verbose"]);
    assert!(waits.complained().contains("agent ann"));
    wl.by("bob").ok(&["add", "a"]);
    let made = Instant::now();
    let got = waits.end().code(0).json();
    assert!(made.elapsed() < Duration::from_secs(2), "{:?}", made.elapsed());
    assert_eq!((&got["task"]["id"], &got["task"]["claim"]["agent"]), (&json!("1"), &json!("ann")));
}

/// So is one who waits for what somebody else completes.
#[test]
fn a_completion_wakes_who_waits_for_it() {
    let wl = Wl::with_tasks(&["a", "b < a"]);
    wl.by("bob").ok(&["claim", "1"]);
    let mut waits = wl.by("ann").start(&["next", "--wait", "--json", "--verbose"]);
    waits.complained();
    wl.by("bob").ok(&["done", "1"]);
    assert_eq!(waits.end().code(0).json()["task"]["id"], "2");
}

/// However many ask at once, each task is given out once.
#[test]
fn many_workers_share_the_work() {
    let wl = Wl::with_tasks(&["a", "b", "c"]);
    let agents = ["u", "v", "w", "x", "y"];
    let running: Vec<_> = agents.iter().map(|it| wl.by(it).start(&["next", "--json"])).collect();
    let said: Vec<_> = running.into_iter().map(|it| it.end().json()).collect();
    let mut ids: Vec<_> = said.iter().filter_map(|it| it["task"]["id"].as_str()).collect();
    ids.sort_unstable();
    assert_eq!(ids, ["1", "2", "3"]);
    assert_eq!(said.iter().filter(|it| it["error"]["code"] == "nothing_ready").count(), 2);
}
