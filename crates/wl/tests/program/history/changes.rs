//! `wl changes`.

use crate::{Tested, Wl};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("changes", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::with_tasks(&["a", "b"]);
    wl.ok(&["changes"]).stdout("Nothing new; the last change is 2.\n");
    let all = wl.ok(&["changes", "--since", "0"]);
    assert!(all.out.find("created #1 a") < all.out.find("created #2 b"), "oldest first: {}", all.out);
    let some = wl.ok(&["changes", "--since", "1"]);
    assert_eq!(some.out.lines().count(), 1);
}

#[test]
fn json() {
    let wl = Wl::with_tasks(&["a", "b"]);
    let now = wl.json(&["changes"]);
    assert_eq!((&now["seq"], &now["events"]), (&json!(2), &json!([])));
    wl.ok(&["done", "1"]);
    let news = wl.json(&["changes", "--since", "2"]);
    assert_eq!((&news["seq"], &news["events"][0]["command"]), (&json!(3), &json!("complete")));
    let older = wl.json(&["changes", "--since", "99"]);
    assert_eq!((&older["seq"], &older["events"]), (&json!(3), &json!([])));
}

#[test]
fn failures() {
    Wl::new().fails(&["changes"], 4, "no_list");
    let wl = Wl::with_tasks(&[]);
    wl.fails(&["changes", "--since", "x"], 2, "invalid");
    wl.fails(&["changes", "3"], 2, "usage");
}
