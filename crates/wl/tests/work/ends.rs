//! The end of a run: asked for once, twice, or not at all.

use crate::{Wl, left_behind, signal, start, state, until};
use rustix::process::Signal;

/// Leaves its number and that of a grandchild, and works for long.
const LONG: &str = "mkdir -p pids; sleep 1000 & echo $$ $! > pids/$WORKLIST_TASK_ID; wait";

fn busy(wl: &Wl, id: &str) {
    until("it works", || wl.path(&format!("pids/{id}")).exists() && left_behind(wl).len() >= 2);
}

#[test]
fn killed_it_frees_its_tasks_at_once_and_leaves_nothing_running() {
    let wl = Wl::with_tasks(&["one", "two"]);
    let mut run = start(&wl, &["--workers", "2"], LONG);
    busy(&wl, "1");
    busy(&wl, "2");
    signal(&run, Signal::KILL);
    run.wait().expect("it dies");
    wl.by("ann").ok(&["claim", "1"]);
    until("nothing runs on", || left_behind(&wl).is_empty());
}

#[test]
fn asked_once_it_begins_nothing_new() {
    let wl = Wl::with_tasks(&["one", "two"]);
    let script = "touch began-$WORKLIST_TASK_ID; while ! test -e go; do sleep 0.05; done";
    let mut run = start(&wl, &[], script);
    until("it works", || wl.path("began-1").exists());
    signal(&run, Signal::INT);
    wl.write("go", "");
    run.wait().expect("it ends");
    assert_eq!([state(&wl, "1"), state(&wl, "2")], ["completed", "ready"]);
    assert!(!wl.path("began-2").exists());
}

#[test]
fn asked_twice_it_stops_and_gives_back() {
    for second in [Signal::INT, Signal::TERM] {
        let wl = Wl::with_tasks(&["one"]);
        let mut run = start(&wl, &[], LONG);
        busy(&wl, "1");
        if second == Signal::INT {
            signal(&run, Signal::INT);
            // Two of the same kind at once would be one.
            std::thread::sleep(std::time::Duration::from_millis(300));
        }
        signal(&run, second);
        run.wait().expect("it ends");
        assert!(left_behind(&wl).is_empty(), "{:?}", left_behind(&wl));
        assert_eq!(state(&wl, "1"), "ready");
        assert_eq!(wl.json(&["show", "1"])["task"].get("failed"), None, "nobody failed");
    }
}

#[test]
fn waiting_it_can_be_ended_at_any_time() {
    let wl = Wl::with_tasks(&[]);
    let mut run = start(&wl, &["--wait", "--workers", "3"], "exit 0");
    wl.ok(&["add", "late"]);
    until("it is done", || state(&wl, "1") == "completed");
    signal(&run, Signal::INT);
    run.wait().expect("it ends");
}

/// Somebody took the task away: the command is stopped, and what it says counts no more.
#[test]
fn who_lost_a_task_is_stopped_and_cannot_complete_it() {
    let wl = Wl::with_tasks(&["one"]);
    let mut run = start(&wl, &["--wait"], LONG);
    busy(&wl, "1");
    wl.by("ann").ok(&["claim", "1", "--force"]);
    until("it is stopped", || left_behind(&wl).is_empty());
    assert_eq!(wl.json(&["show", "1"])["task"]["claim"]["agent"], "ann");
    signal(&run, Signal::TERM);
    run.wait().expect("it ends");
    wl.by("ann").ok(&["done", "1"]);
}

/// A worker that was paused, lost its task and wakes up again changes nothing.
#[test]
fn a_paused_worker_that_wakes_too_late_changes_nothing() {
    let wl = Wl::with_tasks(&["one"]);
    let mut run = start(&wl, &["--wait"], "touch began; while ! test -e go; do sleep 0.05; done");
    until("it works", || wl.path("began").exists());
    signal(&run, Signal::STOP);
    wl.by("ann").ok(&["claim", "1", "--force"]);
    wl.write("go", "");
    signal(&run, Signal::CONT);
    signal(&run, Signal::TERM);
    run.wait().expect("it ends");
    let task = wl.json(&["show", "1"])["task"].clone();
    assert_eq!((&task["claim"]["agent"], &task["state"]), (&"ann".into(), &"in_progress".into()));
}

/// Somebody ended the guardian: what it guarded is ended all the same, and the attempt has failed.
#[test]
fn a_guardian_that_dies_leaves_nothing_running() {
    let wl = Wl::with_tasks(&["one"]);
    let mut run = start(&wl, &["--attempts", "1"], LONG);
    busy(&wl, "1");
    let first = wl.read("pids/1");
    let child: i32 = first.split_whitespace().next().and_then(|it| it.parse().ok()).expect("a number");
    let stat = std::fs::read_to_string(format!("/proc/{child}/stat")).expect("it runs");
    let guardian = stat.rsplit(')').next().and_then(|it| it.split_whitespace().nth(1)).expect("a parent");
    let guardian = guardian.parse().ok().and_then(rustix::process::Pid::from_raw).expect("a number");
    rustix::process::kill_process(guardian, Signal::KILL).expect("it dies");
    run.wait().expect("it ends");
    assert!(left_behind(&wl).is_empty(), "{:?}", left_behind(&wl));
    assert_eq!(wl.json(&["show", "1"])["task"]["failed"], 1);
}
