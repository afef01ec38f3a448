//! More than anybody writes: large, deep, wide. It ends, soon and with an answer, and never by running out of stack.

use crate::wl::Wl;
use std::{fmt::Write, fs};

/// A list with one task of ours, and a file of somebody else's.
fn beside(name: &str, content: &str) -> Wl {
    let wl = Wl::new();
    wl.run(&["add", "mine"]).code(0);
    fs::write(wl.path(".tasks").join(name), content).expect("a file");
    wl
}

fn task(id: usize, description: &str, waits: &[usize]) -> String {
    let waits: Vec<String> = waits.iter().map(|it| format!("\"{it}\"")).collect();
    format!(
        "{{\"id\": \"{id}\", \"subject\": \"s\", \"description\": {description:?}, \"status\": \"pending\", \
         \"blocks\": [], \"blockedBy\": [{}]}}",
        waits.join(",")
    )
}

#[test]
fn files_too_large_or_too_deep_are_told_not_read() {
    let large = task(7, &"x".repeat(1024 * 1024 + 1), &[]);
    let deep = format!("{{\"id\": \"7\", \"subject\": {}1{}}}", "[".repeat(10_000), "]".repeat(10_000));
    for content in [large, deep] {
        let wl = beside("7.json", &content);
        wl.run(&["list"]).code(0).stdout_has("mine").stderr_has("7.json");
        wl.run(&["add", "more", "--after", "1"]).code(0);
        assert_eq!(fs::read_to_string(wl.path(".tasks/7.json")).expect("a file"), content);
    }
    let wl = Wl::new();
    let plan = format!("{{\"tasks\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    wl.input(&plan).run(&["plan", "-"]).code(2);
    wl.input(&plan).run(&["import", "-"]);
    wl.run(&["init"]).code(0);
    let meta = format!("k={}", "[".repeat(100_000));
    wl.run(&["add", "x", "--meta", &meta]);
}

#[test]
fn deep_markdown_is_shown() {
    for part in ["> ", "- ", "* a\n", "**", "[", "`", "<b>", "1. ", "~~~\n", "| "] {
        let wl = beside("7.json", &task(7, &part.repeat(10_000), &[]));
        wl.run(&["show", "7"]).code(0).stdout_has("#7 s");
    }
}

#[test]
fn many_edges_and_long_chains() {
    let many: Vec<usize> = (1_000..6_000).collect();
    let wl = beside("7.json", &task(7, "", &many));
    for verb in ["list", "why", "show 7", "graph --to dot", "doctor", "list --tree"] {
        let words: Vec<&str> = verb.split(' ').collect();
        let run = wl.run(&words);
        assert!(run.err.is_empty() || !run.err.contains("panicked"), "{verb}: {}", run.err);
    }
    let mut plan = String::new();
    for n in 0..1_000 {
        writeln!(
            plan,
            "- [ ] step {n} {{#s{n}}}{}",
            if n > 0 { format!(" (after: s{})", n - 1) } else { String::new() }
        )
        .expect("text");
    }
    let wl = Wl::new();
    wl.input(&plan).run(&["plan", "-"]).code(0).stdout_has("Planned 1000 tasks");
    for verb in ["list --tree", "why", "why 1000", "graph 500 --to mermaid", "next", "graph"] {
        wl.run(&verb.split(' ').collect::<Vec<_>>()).code(0);
    }
}
