//! `wl watch` in a pipe. The live view needs a terminal.

use crate::{Tested, Wl, wl::Read};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("watch", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::with_tasks(&["a", "b < a"]);
    let told = wl.ok(&["watch", "--since", "0", "--events", "2"]);
    assert_eq!(told.out.lines().count(), 2);
    told.stdout_has("created #1 a").stdout_has("created #2 b").stdout_has(" me ");
}

#[test]
fn json() {
    let wl = Wl::with_tasks(&["a", "b < a"]);
    wl.ok(&["done", "1"]);
    let events = wl.ok(&["watch", "--json", "--since", "1", "--events", "2"]).lines();
    assert_eq!(events.iter().map(|it| &it["seq"]).collect::<Vec<_>>(), [&json!(2), &json!(3)]);
    assert_eq!((&events[1]["command"], &events[1]["unblocked"]), (&json!("complete"), &json!(["2"])));
    assert_eq!(events[1]["changes"][0]["fields"]["status"], json!(["pending", "completed"]));
}

#[test]
fn failures() {
    Wl::new().fails(&["watch"], 4, "no_list");
    let wl = Wl::with_tasks(&[]);
    wl.fails(&["watch", "--since", "yesterday"], 2, "invalid");
    wl.fails(&["watch", "--events"], 2, "invalid");
}

/// What happens while somebody watches is told, by us and by others.
#[test]
fn what_happens_is_told() {
    let wl = Wl::with_tasks(&["a"]);
    let watch = wl.start(&["watch", "--json", "--since", "1", "--events", "2"]);
    wl.ok(&["add", "b"]);
    wl.replace(".tasks/1.json", "\"a\"", "\"A\"");
    let events = watch.end().code(0).lines();
    let mut told: Vec<_> = events.iter().map(|it| it.word("origin")).collect();
    told.sort_unstable();
    assert_eq!(told, ["foreign", "ours"]);
}

/// Whoever reads what they wanted and goes ends it.
#[test]
fn a_reader_that_goes_ends_it() {
    let wl = Wl::with_tasks(&["a", "b", "c"]);
    wl.shell("wl watch --json --since 0 --events 3 | head -n 1").code(0).stdout_has("\"seq\":1");
}
