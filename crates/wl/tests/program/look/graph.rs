//! `wl graph`.

use crate::{Tested, Wl, wl::Read};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("graph", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::with_tasks(&["a", "b < a", "c < a", "d < b < c", "alone"]);
    wl.ok(&["graph"]).stdout_has("#1").stdout_has("#5").stdout_has("alone");
    wl.with("LC_ALL", "C").ok(&["graph"]).stdout_has("+").stdout_has("alone");
    wl.ok(&["graph", "--to", "dot"]).stdout_has("digraph").stdout_has("->");
    wl.ok(&["graph", "--to", "mermaid"]).stdout_has("-->");
    let svg = wl.ok(&["graph", "--to", "svg"]);
    roxmltree::Document::parse(&svg.out).expect("XML");
    let around = wl.ok(&["graph", "2"]);
    around.stdout_has("#4");
    assert!(!around.out.contains("alone") && !around.out.contains("#3"), "{}", around.out);
    Wl::with_tasks(&[]).ok(&["graph"]).stdout("There is nothing to draw.\n");
}

#[test]
fn json() {
    let wl = Wl::with_tasks(&["a", "b < a", "c < a", "d < b < c"]);
    wl.ok(&["done", "1"]);
    let graph = wl.json(&["graph", "--to", "mermaid"]);
    assert_eq!(graph["nodes"][0], json!({"id": "1", "subject": "a", "state": "completed"}));
    assert_eq!(graph.items("edges").len(), 4);
    assert!(graph.word("picture").contains("-->"));
    let open = wl.json(&["graph", "--open"]);
    assert_eq!((open.items("nodes").len(), open.items("edges").len()), (3, 2));
    assert_eq!(open.items("criticalPath").last(), Some(&json!("4")));
    wl.ok(&["edit", "4", "--tag", "x"]);
    assert_eq!(wl.json(&["graph", "--tag", "x"]).items("nodes").len(), 1);
}

#[test]
fn failures() {
    Wl::new().fails(&["graph"], 4, "no_list");
    let wl = Wl::with_tasks(&["a"]);
    wl.fails(&["graph", "9"], 4, "not_found").has("id", "9");
    wl.fails(&["graph", "--to", "gif"], 2, "invalid").says("mermaid");
}

/// A task that is waited for and does not exist is drawn, and known by having no state.
#[test]
fn what_is_missing_is_drawn() {
    let wl = Wl::with_tasks(&["a", "b < a"]);
    std::fs::remove_file(wl.path(".tasks/1.json")).unwrap();
    let graph = wl.json(&["graph"]);
    assert_eq!(graph["nodes"][1], json!({"id": "1", "subject": "does not exist"}));
    assert_eq!(graph["edges"], json!([["1", "2"]]));
}
