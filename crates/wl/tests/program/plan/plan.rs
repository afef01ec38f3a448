//! `wl plan`.

use crate::{Tested, Wl, wl::Read};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("plan", [text, json, failures]);

const CHECKLIST: &str = "\
# Release

- [ ] Design the schema {#schema} !high #db
  What the tables are.
- [ ] Write the API (after: schema) {#api}
- [ ] Write the docs (after: schema, api)
";

#[test]
fn text() {
    let wl = Wl::new();
    wl.write("plan.md", CHECKLIST);
    wl.ok(&["plan", "plan.md", "--dry-run"])
        .stdout_has("Would plan 3 tasks:")
        .stdout_has("Design the schema");
    assert!(!wl.path(".tasks").exists(), "a rehearsal makes nothing");
    let made = wl.ok(&["plan", "plan.md", "--key", "release"]);
    made.stdout_has("Made a list at").stdout_has(
        "Planned 3 tasks\n\
         [ ] #1 Design the schema  !high  +db\n\
         [ ] #2 Write the API  blocked by #1\n\
         [ ] #3 Write the docs  blocked by #1, #2\n",
    );
    let again = wl.ok(&["plan", "plan.md", "--key", "release"]);
    again.stdout_has("The plan `release` was made before; nothing was changed");
    again.stderr("");
    wl.ok(&["plan", "plan.md", "--key", "release", "--dry-run"]).stdout_has("it would change nothing");
    wl.write("longer.md", &format!("{CHECKLIST}- [ ] Ship it\n- [ ] Rest\n"));
    wl.ok(&["plan", "longer.md", "--key", "release"])
        .stderr_has("in the plan, but not in the list: Ship it and 1 more");
    assert_eq!(wl.json(&["list"])["total"], 3);
}

#[test]
fn json() {
    let wl = Wl::new();
    let plan = r#"{"tasks": [{"name": "a", "subject": "Build", "tags": ["x"]}, {"subject": "Ship", "after": ["a"]}]}"#;
    let rehearsed = wl.input(plan).json(&["plan", "-", "--dry-run"]);
    assert_eq!((&rehearsed["dryRun"], &rehearsed["tasks"][1]["blockedBy"]), (&json!(true), &json!(["1"])));
    let made = wl.input(plan).json(&["plan", "-", "--key", "k"]);
    assert_eq!(made["names"]["a"], "1");
    assert_eq!((&made["planned"], &made["tasks"][1]["state"]), (&json!(true), &json!("blocked")));
    let again = wl.input(plan).json(&["plan", "-", "--key", "k"]);
    assert_eq!((&again["planned"], &again["names"]), (&json!(false), &made["names"]));
    wl.write("plan.md", CHECKLIST);
    let listed = wl.json(&["plan", "plan.md"]);
    assert_eq!(listed["names"], json!({"schema": "3", "api": "4", "3": "5"}));
    assert_eq!(listed["tasks"][0]["description"], "What the tables are.");
}

#[test]
fn failures() {
    let wl = Wl::new();
    let plan = |text: &str| wl.input(text);
    wl.fails(&["plan", "nowhere.md"], 1, "io").says("could not read nowhere.md");
    wl.fails(&["plan"], 2, "usage").says("<FILE>");
    let mistakes =
        plan("- [ ] a (after: nothing)\n- [ ] b (after: none)\n").fails(&["plan", "-"], 2, "invalid");
    assert_eq!(mistakes.json["error"].items("mistakes").len(), 2, "all of them at once");
    mistakes.says("-:1").says("-:2").hints("nothing was planned");
    plan("{\"tasks\": [{}]}").fails(&["plan", "-"], 2, "invalid").says("subject");
    plan("{\"tasks\": [").fails(&["plan", "-"], 2, "invalid");
    plan("").fails(&["plan", "-"], 2, "invalid");
    let circle =
        plan("- [ ] a {#a} (after: b)\n- [ ] b {#b} (after: a)\n").fails(&["plan", "-"], 2, "invalid");
    circle.says("these items wait for each other");
    let strange = plan("- [ ] a\n- [ ] b (after: #77)\n").fails(&["plan", "-"], 4, "not_found");
    strange.says("-:2").has("line", 2).has("id", "77");
    assert!(!wl.path(".tasks").exists(), "what is refused makes no list");
    wl.write("broken", "");
    std::fs::write(wl.path("broken"), [0xFF, 0xFE]).unwrap();
    wl.fails(&["plan", "broken"], 2, "invalid").says("is not UTF-8");
}

/// Each call to the system takes as long as some hundred lines do: a long answer goes out in one.
#[cfg(unix)]
#[test]
fn a_long_answer_is_written_at_once() {
    use std::{os::unix::net::UnixDatagram, process::Stdio};
    let task = |n: usize| {
        let after: Vec<String> = n.checked_sub(2).map(|it| format!("t{it}")).into_iter().collect();
        json!({"name": format!("t{n}"), "subject": format!("task {n}"), "after": after})
    };
    let tasks: Vec<_> = (0..100).map(task).collect();
    let wl = Wl::with_tasks(&[]);
    wl.write("plan.json", &json!({ "tasks": tasks }).to_string());
    for arguments in [&["plan", "plan.json"][..], &["plan", "plan.json", "--json"], &["list", "--all"]] {
        // What is written in one call arrives in one piece.
        let (ours, theirs) = UnixDatagram::pair().expect("sockets");
        let mut command = wl.command(arguments);
        command.stdout(Stdio::from(std::os::fd::OwnedFd::from(theirs)));
        assert!(command.status().expect("it starts").success());
        drop(command);
        let mut bytes = vec![0; 1 << 20];
        let length = ours.recv(&mut bytes).expect("an answer");
        let text = String::from_utf8_lossy(&bytes[..length]);
        assert!(text.contains("task 0") && text.contains("task 99"), "{arguments:?}: {length} bytes at once");
        ours.set_nonblocking(true).expect("a socket");
        assert!(ours.recv(&mut bytes).is_err(), "{arguments:?}: there was more");
    }
}
