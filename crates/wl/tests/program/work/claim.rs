//! `wl claim`.

use crate::{Tested, Wl};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("claim", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::with_tasks(&["a", "b"]);
    wl.by("ann").ok(&["claim", "#1"]).stdout_has("Claimed [>] #1 a  @ann\n  token ");
    wl.by("ann").ok(&["claim", "2", "--no-start"]).stdout_has("Claimed [ ] #2 b  @ann\n");
    wl.by("bob").ok(&["claim", "1", "--force", "--lease", "2h"]).stdout_has("Claimed [>] #1 a  @bob\n");
    wl.ok(&["show", "1"]).stdout_has("bob, 2 h left");
}

#[test]
fn json() {
    let wl = Wl::with_tasks(&["a"]);
    let claimed = wl.json(&["claim", "1", "--as", "ann"]);
    assert_eq!(
        (&claimed["task"]["claim"]["token"], &claimed["task"]["state"]),
        (&claimed["token"], &json!("in_progress"))
    );
    assert_eq!(claimed["task"]["claim"]["agent"], "ann");
    let again = wl.json(&["claim", "1", "--as", "ann", "--resume"]);
    assert_eq!(again["token"], claimed["token"]);
    let taken = wl.json(&["claim", "1", "--as", "bob", "--force"]);
    assert!(taken["token"].as_u64() > claimed["token"].as_u64(), "a claim of its own");
    wl.fails(&["done", "1", "--as", "ann"], 5, "stale_token").has("holder", "bob");
}

#[test]
fn failures() {
    Wl::new().fails(&["claim", "1"], 4, "no_list");
    let wl = Wl::with_tasks(&["a", "b < a", "c"]);
    wl.fails(&["claim", "9"], 4, "not_found");
    wl.fails(&["claim"], 2, "usage").says("<ID>");
    wl.fails(&["claim", "1", "--lease", "soon"], 2, "invalid").says("write 90s, 15m or 2h");
    wl.fails(&["claim", "1", "--lease", "99999999999d"], 2, "invalid");
    let blocked = wl.fails(&["claim", "2"], 3, "blocked").says("task 2 waits for 1");
    blocked.hints("complete 1 first; `wl why 2` says more").has("by", json!(["1"])).has("missing", json!([]));
    wl.fails(&["claim", "2", "--force"], 3, "blocked");
    wl.by("ann").ok(&["claim", "1"]);
    let taken = wl.by("bob").fails(&["claim", "1"], 3, "already_claimed").has("by", "ann").has("mine", false);
    taken.hints("take another one: `wl next`");
    let own = wl.by("ann").fails(&["claim", "1"], 3, "already_claimed").has("mine", true);
    assert!(own.json["error"]["until"].is_string());
    own.hints("`wl claim 1 --resume` gives its number again");
    let busy = wl.by("ann").fails(&["claim", "3", "--one-at-a-time"], 3, "agent_busy");
    busy.has("with", json!(["1"])).has("agent", "ann").hints("complete that first");
    wl.by("ann").ok(&["done", "1"]);
    wl.fails(&["claim", "1"], 3, "already_resolved").says("task 1 is already completed");
}

/// A worker that was not heard of for longer than its lease: the task is shown as what it is, free.
#[test]
fn a_lost_lease_is_seen() {
    let wl = Wl::with_tasks(&["a"]);
    wl.ok(&["claim", "1", "--as", "bob", "--lease", "1s"]);
    while wl.ok(&["list", "--as", "zoe"]).out != "[ ] #1 a\n" {}
    wl.fails(&["done", "1", "--as", "zoe"], 5, "stale_token");
    wl.ok(&["claim", "1", "--as", "zoe"]);
    wl.fails(&["done", "1", "--as", "bob"], 5, "stale_token").hints("zoe has it now");
}

/// Three lost leases, and a person should look.
#[test]
fn a_task_that_is_lost_too_often_is_parked() {
    let wl = Wl::with_tasks(&["a"]);
    for agent in ["ann", "bob", "cid"] {
        wl.ok(&["claim", "1", "--as", agent, "--lease", "1ms"]);
        while wl.ok(&["list", "--as", "zoe"]).out.starts_with("[>]") {}
    }
    let parked = wl.fails(&["claim", "1"], 3, "parked").has("lost", 3);
    parked.hints("`wl claim 1 --force` takes it");
    assert_eq!(wl.json(&["show", "1"])["task"]["parked"], true);
    wl.ok(&[]).stdout_has("1 parked").stdout_has("Parked\n  [ ] #1 a  parked\n");
    wl.ok(&["why"]).stdout_has("#1 a - parked: ");
    wl.fails(&["next"], 6, "nothing_ready");
    wl.ok(&["claim", "1", "--force"]);
}

/// Two processes with different homes, as in two containers, on one folder: one lease.
#[test]
fn another_home_sees_the_same_claim() {
    let wl = Wl::with_tasks(&["a"]);
    let at = |home: &str, session: &str| wl.with("HOME", home).with("WORKLIST_SESSION", session);
    at("/nonexistent/one", "one").ok(&["claim", "1"]);
    at("/nonexistent/two", "two").fails(&["claim", "1"], 3, "already_claimed").says("is claimed by");
}
