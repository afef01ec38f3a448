//! Clocks that are an hour wrong, step back, or run on while the machine sleeps: nobody's claim and nobody's lock is taken
//! early, and history keeps its order. The time of day is set by faketime, for the real program; the clock that cannot
//! jump goes on as it does when a machine wakes up. Not jumps at every moment: the engine's simulation has those.

use crate::{
    tally::Tally,
    victims::{Talk, Victim},
    wl::{Read, Wl},
};
use serde_json::{Value, json};
use std::{
    fs::{self, File},
    path::Path,
    process::{Command, Output},
    sync::mpsc,
    thread,
    time::{Duration, Instant, SystemTime},
};

/// How wrong a clock is; the shorter ones are just beyond a lease.
const SKEWS: [&str; 5] = ["-1h", "-16m", "+0", "+16m", "+1h"];

/// The program, about to start under another time of day.
fn command(wl: &Wl, skew: &str, arguments: &[&str]) -> Command {
    let mut command = preloaded(wl, arguments);
    command.env("FAKETIME", skew);
    command
}

/// The program with the library that sets the time of day.
fn preloaded(wl: &Wl, arguments: &[&str]) -> Command {
    sweep();
    let folders = fs::read_dir("/usr/lib").expect("a folder").flatten();
    let library = folders.map(|it| it.path().join("faketime/libfaketimeMT.so.1")).find(|it| it.exists());
    let mut command = wl.command(arguments);
    command.env("LD_PRELOAD", library.expect("libfaketime: run `cargo xtask kit`"));
    // The files keep the times that they have.
    command.env("FAKETIME_DONT_FAKE_MONOTONIC", "1").env("NO_FAKE_STAT", "1");
    command
}

/// What the library leaves behind of a process that is killed bears its number, and stops the next one that gets it.
fn sweep() {
    for entry in fs::read_dir("/dev/shm").into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let number = name.strip_prefix("sem.faketime_sem_").or_else(|| name.strip_prefix("faketime_shm_"));
        if number.is_some_and(|it| !Path::new("/proc").join(it).exists()) {
            // Another test may have been faster.
            _ = fs::remove_file(entry.path());
        }
    }
}

fn at(wl: &Wl, skew: &str, arguments: &[&str]) -> Output {
    command(wl, skew, arguments).output().expect("it runs")
}

fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_default()
}

/// Every wrong clock of a holder against every wrong clock of who would like to have the task, too.
#[test]
fn a_wrong_clock_takes_no_claim_early() {
    let mut tally = Tally::new("R13 claims under wrong clocks");
    for holder in SKEWS {
        for other in SKEWS {
            let wl = Wl::with_tasks(&["dig"]);
            tally.trial(
                kept_apart(&wl, holder, other).map_err(|it| format!("{holder} against {other}: {it}")),
            );
        }
    }
    tally.end();
}

fn kept_apart(wl: &Wl, holder: &str, other: &str) -> Result<(), String> {
    let (ann, bob) = (wl.by("ann"), wl.by("bob"));
    let expect = |wl: &Wl, skew: &str, arguments: &[&str], code: i32| {
        let output = at(wl, skew, arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        let same = output.status.code() == Some(code);
        if same { Ok(output) } else { Err(format!("{arguments:?}: {:?} {said}", output.status)) }
    };
    let claimed = document(&expect(&ann, holder, &["claim", "1", "--json"], 0)?);
    let year = claimed["task"]["updatedAt"].as_str().unwrap_or_default().to_owned();
    if holder != "+0" && !is_far(&year) {
        return Err(format!("the clock was not wrong: {year}"));
    }
    expect(&bob, other, &["claim", "1"], 3)?;
    expect(&bob, other, &["next"], 6)?;
    expect(&bob, other, &["done", "1"], 5)?;
    // Whoever has it goes on under either clock, and its number is still good.
    let token = claimed["token"].to_string();
    expect(&ann, other, &["heartbeat", "1", "--token", &token], 0)?;
    expect(&bob, other, &["claim", "1"], 3)?;
    expect(&ann, holder, &["done", "1", "--token", &token], 0).map(|_| ())
}

/// Whether a time is not the time of day of this machine.
fn is_far(time: &str) -> bool {
    let moment = worklist::time::Time::parse(time).expect("a time");
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970").as_millis();
    (i128::from(moment.0) - i128::try_from(now).expect("a number")).abs() > 600_000
}

/// A lease lasts as long as it lasts, whatever the clocks say: not shorter, and not for ever.
#[test]
fn a_lease_ends_when_it_ends() {
    let lease = Duration::from_secs(1);
    let mut tally = Tally::new("R13 leases under wrong clocks");
    let outcomes: Vec<Result<(), String>> = thread::scope(|scope| {
        let pairs = ["-1h", "+0", "+1h"].into_iter().flat_map(|a| ["-1h", "+0", "+1h"].map(|b| (a, b)));
        let running: Vec<_> = pairs
            .map(|(holder, other)| {
                scope.spawn(move || {
                    let wl = Wl::with_tasks(&["dig"]);
                    let began = Instant::now();
                    let claimed = at(&wl.by("ann"), holder, &["claim", "1", "--lease", "1s"]);
                    let next = at(&wl.by("bob"), other, &["next", "--wait", "20s"]);
                    let took = began.elapsed();
                    let fine = claimed.status.success() && next.status.success() && took >= lease;
                    if fine {
                        Ok(())
                    } else {
                        Err(format!("{holder} against {other}: {next:?} after {took:?}"))
                    }
                })
            })
            .collect();
        running.into_iter().map(|it| it.join().expect("a pair")).collect()
    });
    for outcome in outcomes {
        tally.trial(outcome);
    }
    tally.end();
}

/// A server's clock steps while it runs: what it has claimed is its own until it dies, and free then.
#[test]
fn a_server_outlives_steps_of_its_clock() {
    let mut tally = Tally::new("R13 steps under a running server");
    let wl = Wl::with_tasks(&["dig", "lay"]);
    let (victim, clock) = (Victim::default(), wl.path("clock"));
    fs::write(&clock, "+0").expect("a file");
    let mut server = stepping(&wl.by("ann").with("WORKLIST_SESSION", "server"), &clock, &["mcp"]);
    let mut talk = Talk::start(&victim, &mut server);
    let mut call = |tool: &str, arguments: Value| {
        let params = json!({"name": tool, "arguments": arguments, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "clocks", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }});
        talk.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string());
        talk.hear().expect("an answer")
    };
    assert!(call("TaskNext", json!({})).contains("Claimed #1"));
    for skew in ["+1h", "-1h", "+16m", "-16m", "+0"] {
        fs::write(&clock, skew).expect("a file");
        let said = call("TaskUpdate", json!({"taskId": "2", "description": skew}));
        let when = wl.json(&["show", "2"])["task"].word("updatedAt").to_owned();
        let stepped = skew == "+0" || is_far(&when);
        let other = at(&wl.by("bob"), skew, &["claim", "1"]).status.code();
        let fine = said.contains("Updated #2") && stepped && other == Some(3);
        tally.trial(if fine { Ok(()) } else { Err(format!("{skew}: {said}, {when}, {other:?}")) });
    }
    victim.kill(|_| {});
    drop(talk);
    let free = at(&wl.by("bob"), "-1h", &["claim", "1"]).status.code();
    tally.trial(if free == Some(0) { Ok(()) } else { Err(format!("not free after its death: {free:?}")) });
    tally.end();
}

/// The program, with a clock that follows a file.
fn stepping(wl: &Wl, clock: &Path, arguments: &[&str]) -> Command {
    let mut command = preloaded(wl, arguments);
    command.env("FAKETIME_TIMESTAMP_FILE", clock).env("FAKETIME_NO_CACHE", "1");
    command
}

/// Changes whose times go back and forth stay in the order in which they were made, and can be taken back.
#[test]
fn history_keeps_its_order_when_times_go_back() {
    let mut tally = Tally::new("R13 history under clocks that go back");
    let wl = Wl::with_tasks(&["dig"]);
    let texts: Vec<String> = (0..15).map(|n| format!("text {n}")).collect();
    for (text, skew) in texts.iter().zip(SKEWS.iter().rev().cycle()) {
        let output = at(&wl, skew, &["edit", "1", "-d", text]);
        tally.trial(if output.status.success() { Ok(()) } else { Err(format!("{skew}: {output:?}")) });
    }
    let changes = wl.json(&["changes", "--since", "1"]);
    let made: Vec<&str> = changes
        .items("events")
        .iter()
        .filter_map(|it| it["changes"][0]["fields"]["description"][1].as_str())
        .collect();
    assert_eq!(made, texts);
    let seqs = |it: &Value| it.items("events").iter().map(|it| it["seq"].as_u64()).collect::<Vec<_>>();
    let log = wl.json(&["log"]);
    assert!(seqs(&log).is_sorted_by(|newer, older| newer > older), "{log}");
    let times: Vec<&str> = changes.items("events").iter().map(|it| it.word("at")).collect();
    assert!(!times.is_sorted(), "the clock never went back: {times:?}");
    at(&wl, "-1h", &["undo"]);
    assert_eq!(wl.json(&["show", "1"])["task"]["description"], "text 13");
    tally.end();
}

/// A neighbour holds the lock of a task and keeps it fresh: no clock makes it look abandoned. Once the neighbour is gone,
/// every clock sees that.
#[test]
fn a_wrong_clock_takes_no_foreign_lock_early() {
    let mut tally = Tally::new("R13 foreign locks under wrong clocks");
    let outcomes: Vec<Result<(), String>> = thread::scope(|scope| {
        let running: Vec<_> =
            ["-1h", "+0", "+1h"].map(|skew| scope.spawn(move || foreign_lock(skew))).into_iter().collect();
        running.into_iter().map(|it| it.join().expect("a neighbour")).collect()
    });
    for outcome in outcomes {
        tally.trial(outcome);
    }
    tally.end();
}

fn foreign_lock(skew: &str) -> Result<(), String> {
    let wl = Wl::with_tasks(&["dig"]);
    let lock = wl.path(".tasks/1.json.lock");
    fs::create_dir(&lock).expect("a lock");
    let touch = |when: SystemTime| File::open(&lock).and_then(|it| it.set_modified(when)).is_ok();
    let (gone, is_gone) = mpsc::channel::<()>();
    // Four commands wait for two seconds each: longer than a lock is watched before it counts as abandoned.
    let early = thread::scope(|scope| {
        let touch = &touch;
        scope.spawn(move || {
            while is_gone.recv_timeout(Duration::from_millis(500)) == Err(mpsc::RecvTimeoutError::Timeout) {
                touch(SystemTime::now());
            }
        });
        let taken = (0..4).find(|_| at(&wl, skew, &["edit", "1", "-d", "early"]).status.success());
        drop(gone);
        taken
    });
    if let Some(n) = early {
        return Err(format!("{skew}: taken by command {n} while its owner lived"));
    }
    touch(SystemTime::now() - Duration::from_mins(1));
    let late = (0..6).any(|_| at(&wl, skew, &["edit", "1", "-d", "late"]).status.success());
    if late { Ok(()) } else { Err(format!("{skew}: never taken, although its owner was gone")) }
}
