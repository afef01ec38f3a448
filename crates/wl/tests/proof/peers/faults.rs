//! Faults that other task lists had, as far as no other test is already about them. Not threats: nobody means harm here.

use crate::{
    files::task_files,
    gate::{Gate, Held},
    mcp::{Client, Era},
    tally::{Tally, sized},
    wl::{FORMATS, Read, Wl},
};
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead, BufReader},
    os::unix::fs::MetadataExt,
    path::PathBuf,
    process::Stdio,
};

/// Others rewrote every file from what they remembered, and lost what had changed meanwhile.
#[test]
fn a_task_that_is_not_changed_is_not_written() {
    let mut tally = Tally::new("files of other tasks");
    // In tasks-json all tasks are one file.
    for format in &FORMATS[..5] {
        let wl = Wl::of_format(format, &["one", "two", "three"]);
        let id = |n: usize| wl.json(&["list", "--all"]).items("tasks")[n].word("id").to_owned();
        let (first, last) = (id(0), id(2));
        let named = |it: &PathBuf| it.file_name().is_some_and(|it| it.to_string_lossy().contains(&*last));
        let file = task_files(&wl).into_iter().find(named).expect("its file");
        let look =
            || fs::metadata(&file).map(|it| (it.ino(), it.mtime_nsec(), it.ctime_nsec())).expect("a file");
        let before = look();
        for words in [
            ["claim", &first],
            ["done", &first],
            ["rm", &first],
            ["undo", ""],
            ["export", ""],
            ["doctor", "--fix"],
        ] {
            wl.ok(&words.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>());
            let same = look() == before;
            tally.check(same, || format!("{format}: wl {words:?} wrote {}", file.display()));
        }
    }
    tally.end();
}

/// A watcher took its own renames for news, and emptied the file.
#[test]
fn a_watcher_does_not_react_to_our_own_writes() {
    let mut tally = Tally::new("own writes under a watcher");
    let wl = Wl::with_tasks(&["one"]);
    let count = sized(300, 10_000);
    let mut watch = wl.command(&["watch", "--since", "1", "--events", &count.to_string(), "--json"]);
    let mut watcher = watch.stdout(Stdio::piped()).spawn().expect("it starts");
    let server = Client::start(&wl, Era::Old);
    for n in 0..count {
        let said = server.call("TaskUpdate", json!({"taskId": "1", "subject": format!("subject {n}")}));
        assert!(said.contains("#1"), "{said}");
    }
    let lines = BufReader::new(watcher.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    for (n, line) in lines.enumerate() {
        let event: Value = serde_json::from_str(&line).expect("an event");
        let right = event["origin"] == "ours" && line.contains(&format!("subject {n}"));
        tally.check(right, || line);
    }
    assert!(watcher.wait().expect("it ends").success());
    let events = wl.json(&["changes", "--since", "0"]).items("events").len();
    tally.check(events == count + 1, || format!("{events} events of {count} writes"));
    tally.end();
}

/// Repairing waited for the lock that repairing held. Whoever waits for itself is told that the list is locked.
#[test]
fn no_command_waits_for_itself() {
    let mut tally = Tally::new("commands that lock");
    for format in FORMATS {
        let wl = Wl::of_format(format, &["one", "two < one"]);
        let id = wl.json(&["list"]).items("tasks")[0].word("id").to_owned();
        wl.write("plan.md", "- [ ] planned\n");
        let other = wl.ok(&["export"]).out;
        for line in [
            "doctor --fix",
            "next",
            "release ID",
            "done ID",
            "undo",
            "plan plan.md",
            "import -",
            "convert v6",
            "convert claude",
            "doctor --fix",
        ] {
            let line = line.replace("ID", &id);
            // There is something to repair, or the doctor would not lock at all.
            let repairs = line.starts_with("doctor");
            if repairs {
                fs::write(task_files(&wl).pop().expect("a task file"), "<<<<<<<").expect("a file");
            }
            let run = wl.input(&other).run(&line.split(' ').collect::<Vec<_>>());
            let waited = run.err.contains("locked") || run.err.contains("holds the lock");
            let done = !repairs || run.out.contains("done: ");
            tally.check(done && !waited, || format!("{format}: wl {line}: {}{}", run.out, run.err));
        }
    }
    tally.end();
}

/// One process died in the middle of a change; the next ones all find that at the same moment, and mended over each other.
#[test]
fn many_recover_at_once() {
    let mut tally = Tally::new("eight processes after a death");
    let program = env!("CARGO_BIN_EXE_wl");
    for (n, format) in FORMATS.iter().cycle().take(sized(12, 120)).enumerate() {
        let wl = Wl::of_format(format, &["one", "two < one"]);
        let ids: Vec<String> =
            wl.json(&["list"]).items("tasks").iter().map(|it| it.word("id").to_owned()).collect();
        // The change of both ends of an edge, killed at one of its renames: before the commit or behind it.
        let kill = format!(
            "strace -f -o /dev/null -e inject=renameat2,rename,renameat:signal=KILL:when={}",
            1 + n / 6 % 4
        );
        wl.shell(&format!("{kill} {program} edit {} --not-after {}", ids[1], ids[0]));
        let gate = Gate::new();
        let mut held: Vec<_> = (0..8).map(|n| gate.hold(&wl, &["add", &format!("after {n}")])).collect();
        gate.open(&mut held);
        let ended = held.into_iter().map(Held::end).filter(|it| !it.status.success());
        let failed: Vec<String> = ended.map(|it| String::from_utf8_lossy(&it.stderr).into_owned()).collect();
        let list = wl.json(&["list", "--all"]);
        let blocks = |n: usize, key: &str| list.task("id", &ids[n])[key].as_array().map_or(0, Vec::len);
        let whole = blocks(0, "blocks") == blocks(1, "blockedBy") && list.items("tasks").len() == 10;
        let healthy = wl.run(&["doctor"]).code == Some(0);
        let right = failed.is_empty() && whole && healthy;
        tally.check(right, || format!("{format}: {failed:?}, {list}, healthy: {healthy}"));
    }
    tally.end();
}
