//! A repository that means harm: its settings set everything, its hooks wait for their moment. Nothing of it is run and
//! nobody is called, as the kernel sees it.

use crate::wl::Wl;
use std::{fs, os::unix::fs::symlink};

const HOOKS: &str = "\
[hooks]
timeout = \"30s\"
created = \"touch ran\"
claimed = [\"touch\", \"ran\"]
completed = \"touch ran\"
unblocked = \"touch ran\"
released = \"touch ran\"
parked = \"touch ran\"
before-created = \"touch ran\"
before-completed = \"touch ran\"
";

/// Keys that are the user's, that programs like this one have elsewhere, or that nobody has.
const KEYS: &[&str] = &[
    "agent = \"root\"",
    "color = \"always\"",
    "format = \"v6\"",
    "lease = \"1ms\"",
    "pager = \"touch ran\"",
    "rules = \"lenient\"",
    "[model]\nurl = \"http://127.0.0.1:9\"",
    "editor = \"touch ran\"",
    "trust = true",
    "trusted = [\".\"]",
    "store = \"postgres://evil.example/db\"",
    "url = \"http://127.0.0.1:9\"",
    "token = \"x\"",
    "include = \"/etc/passwd\"",
    "[alias]\nlist = \"!touch ran\"",
    "[env]\nPAGER = \"touch ran\"",
];

/// Those of them that only the user may set.
const USERS: &[&str] = &["agent", "color", "format", "pager", "[model]"];

const VERBS: &[&str] = &[
    "",
    "list",
    "add two",
    "next",
    "release 1",
    "claim 1",
    "done 1",
    "undo",
    "edit 1 --subject x",
    "log",
    "graph",
    "lists",
    "config",
    "trust",
    "doctor --fix",
    "export",
    "convert s12 --dry-run",
    "plan plan.md",
    "help",
    "man",
];

/// Runs a verb under `strace`; what was started and who was called.
fn traced(wl: &Wl, verb: &str) -> Vec<String> {
    let program = env!("CARGO_BIN_EXE_wl");
    _ = fs::remove_file(wl.path("trace"));
    let run = wl.shell(&format!("strace -f -qq -e trace=execve,connect -o trace {program} {verb}"));
    let trace = fs::read_to_string(wl.path("trace"))
        .unwrap_or_else(|_| panic!("strace is missing or may not trace: run `cargo xtask kit`: {}", run.err));
    let calls = trace.lines().filter(|it| it.contains("execve(") || it.contains("connect("));
    calls.map(str::to_owned).collect()
}

fn assert_alone(wl: &Wl, what: &str) {
    for verb in VERBS {
        let calls = traced(wl, verb);
        assert_eq!(calls.len(), 1, "{what}: wl {verb}: {calls:?}");
        assert!(!wl.path("ran").exists(), "{what}: wl {verb}");
    }
}

#[test]
fn hooks_of_a_repository_do_not_run() {
    let wl = Wl::new();
    wl.run(&["add", "one"]).code(0);
    fs::write(wl.path("plan.md"), "- [ ] a\n").expect("a file");
    fs::write(wl.path(".tasks/worklist.toml"), HOOKS).expect("a file");
    assert_alone(&wl, "hooks");
    wl.run(&["add", "x"]).code(0).stderr_has("are not run");
}

#[test]
fn settings_of_a_repository_start_nothing() {
    let wl = Wl::new();
    wl.run(&["add", "one"]).code(0);
    for key in KEYS {
        fs::write(wl.path(".tasks/worklist.toml"), format!("{key}\n{HOOKS}")).expect("a file");
        for verb in ["list", "add x", "done 1 --force"] {
            let calls = traced(&wl, verb);
            assert_eq!(calls.len(), 1, "{key}: wl {verb}: {calls:?}");
        }
        if USERS.iter().any(|it| key.starts_with(it)) {
            wl.run(&["list"]).code(2).stderr_has("is the user's to set");
        }
    }
    assert!(!wl.path("ran").exists());
}

/// Trust is in one text at one place. A link to it, a copy of it, and a change of it are something else.
#[test]
fn trust_cannot_be_borrowed() {
    let wl = Wl::new();
    for place in ["good", "evil"] {
        fs::create_dir_all(wl.path(place)).expect("a folder");
        wl.in_folder(place).run(&["init", ".tasks"]).code(0);
    }
    let (good, evil) = (wl.in_folder("good"), wl.in_folder("evil"));
    let settings = wl.path("good/.tasks/worklist.toml");
    fs::write(&settings, "[hooks]\ncreated = \"touch ran\"\n").expect("a file");
    good.run(&["trust", "--yes"]).code(0);
    good.run(&["add", "x"]).code(0);
    assert!(wl.path("good/ran").exists());
    let own = wl.path("evil/.tasks/worklist.toml");
    fs::copy(&settings, &own).expect("a copy");
    evil.run(&["add", "x"]).code(0);
    fs::remove_file(&own).expect("gone");
    symlink(&settings, &own).expect("a link");
    evil.run(&["add", "x"]).code(2).stderr_has("link");
    assert!(!wl.path("evil/ran").exists());
    fs::remove_file(wl.path("good/ran")).expect("gone");
    fs::write(&settings, "[hooks]\ncreated = \"touch ran \"\n").expect("a file");
    good.run(&["add", "x"]).code(0).stderr_has("not run");
    assert!(!wl.path("good/ran").exists());
}
