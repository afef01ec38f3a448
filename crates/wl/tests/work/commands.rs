//! Commands of every kind: loud, deaf, forking, hanging, and such that see to their task themselves.

use crate::{Wl, left_behind, state, until};
use std::fs;

const WORK: [&str; 4] = ["work", "--attempts", "1", "--"];

fn work(wl: &Wl, script: &str) -> crate::wl::Run {
    let path = std::env::var("PATH").unwrap_or_default();
    wl.with("PATH", &path).run(&[&WORK[..], &["/bin/sh", "-c", script]].concat())
}

/// The script with `wl` in it.
fn with_wl(script: &str) -> String {
    format!("wl() {{ {} \"$@\"; }}; {script}", env!("CARGO_BIN_EXE_wl"))
}

#[test]
fn a_command_knows_its_task() {
    let wl = Wl::new();
    wl.ok(&["init"]);
    wl.ok(&["add", "Say $(it); `x`", "-d", "line 1\nline 2"]);
    work(&wl, "cat; echo; echo \"$WORKLIST_TASK_ID|$WORKLIST_TASK_SUBJECT|$WORKLIST_AGENT\"").code(0);
    wl.ok(&["logs", "1"]).stdout("line 1\nline 2\n1|Say $(it); `x`|me-1\n");
}

#[test]
fn a_command_may_see_to_its_task_itself() {
    let wl = Wl::with_tasks(&["one", "two"]);
    work(&wl, &with_wl("test $WORKLIST_TASK_ID = 2 || wl done 1; exit 0")).code(0);
    assert_eq!([state(&wl, "1"), state(&wl, "2")], ["completed", "completed"]);
    // It says why it did not work, and that is not a failed attempt.
    let wl = Wl::with_tasks(&["one"]);
    let script = with_wl("test -e tried && exit 0; touch tried; wl release 1 --reason 'not now'; exit 1");
    let path = std::env::var("PATH").unwrap_or_default();
    wl.with("PATH", &path).ok(&["work", "--attempts", "2", "--", "/bin/sh", "-c", &script]);
    assert_eq!(state(&wl, "1"), "completed");
    wl.ok(&["log"]).stdout_has("not now");
}

/// One that gives its task back every time is not run for ever; the task stays for others.
#[test]
fn what_is_given_back_again_and_again_is_left_to_others() {
    let wl = Wl::with_tasks(&["one", "two"]);
    let script = with_wl("echo x >> tried; test $WORKLIST_TASK_ID = 2 || wl release 1 --reason 'not for me'");
    let path = std::env::var("PATH").unwrap_or_default();
    let run = wl.with("PATH", &path).run(&["work", "--", "/bin/sh", "-c", &script]).code(1);
    run.stdout_has("1 task done").stdout_has("given back: #1");
    assert_eq!(wl.read("tried").lines().count(), 4);
    assert_eq!([state(&wl, "1"), state(&wl, "2")], ["ready", "completed"]);
}

#[test]
fn a_loud_command_fills_no_disk() {
    let wl = Wl::with_tasks(&["one"]);
    work(&wl, "head -c 100000000 /dev/zero | tr '\\0' 'x'; echo; echo the end").code(0);
    let log = fs::read_dir(wl.path(".tasks/.worklist/runs")).expect("runs").flatten();
    let log = log.map(|it| it.path()).find(|it| it.extension().is_some_and(|it| it == "log")).expect("a log");
    let size = log.metadata().expect("a file").len();
    assert!(size < 10 * 1024 * 1024, "{size} bytes");
    let text = String::from_utf8_lossy(&fs::read(log).expect("a file")).into_owned();
    assert!(
        text.ends_with("\nthe end\n") && text.contains("bytes are left out here"),
        "{}",
        &text[text.len() - 60..]
    );
}

#[test]
fn what_a_command_leaves_running_is_ended() {
    let wl = Wl::with_tasks(&["one"]);
    let script =
        "mkdir -p pids; (sleep 1000 & echo $! > pids/a; setsid sleep 1000 & echo $! > pids/b); exit 0";
    work(&wl, script).code(0);
    assert!(!wl.read("pids/a").is_empty() && !wl.read("pids/b").is_empty());
    assert!(left_behind(&wl).is_empty(), "{:?}", left_behind(&wl));
}

#[test]
fn a_command_that_takes_too_long_is_stopped_also_if_it_will_not_hear() {
    let wl = Wl::with_tasks(&["one"]);
    let script = "mkdir -p pids; echo $$ > pids/a; trap '' TERM INT HUP; while :; do sleep 1; done";
    let path = std::env::var("PATH").unwrap_or_default();
    let wl = wl.with("PATH", &path);
    let run = wl.run(&["work", "--attempts", "1", "--timeout", "1s", "--", "/bin/sh", "-c", script]).code(1);
    run.stdout_has("took too long");
    assert!(left_behind(&wl).is_empty());
    wl.ok(&["log"]).stdout_has("took too long");
}

#[test]
fn a_failing_task_is_parked_and_the_rest_goes_on() {
    let wl = Wl::with_tasks(&["bad", "good", "after bad < bad"]);
    let path = std::env::var("PATH").unwrap_or_default();
    let script = "echo \"try $WORKLIST_TASK_ID\"; test $WORKLIST_TASK_ID != 1";
    let run = wl.with("PATH", &path).run(&["work", "--", "/bin/sh", "-c", script]).code(1);
    run.stdout_has("attempt 3, exit code 1: try 1").stdout_has("parked: #1");
    assert_eq!([state(&wl, "1"), state(&wl, "2"), state(&wl, "3")], ["ready", "completed", "blocked"]);
    wl.fails(&["claim", "1"], 3, "parked").says("3 attempts failed");
    // A person looks, and lets it go on.
    wl.ok(&["release", "1"]);
    wl.with("PATH", &path).ok(&["work", "--", "/bin/true"]);
    assert_eq!(state(&wl, "3"), "completed");
}

/// Where nothing can be kept of a run, the work is done all the same.
#[test]
fn a_place_that_cannot_be_written_costs_the_output_only() {
    let wl = Wl::with_tasks(&["one"]);
    wl.write(".tasks/.worklist/runs", "in the way");
    work(&wl, "echo hello").code(0);
    assert_eq!(state(&wl, "1"), "completed");
}

/// A command that reads nothing of a long description does not hang.
#[test]
fn nobody_has_to_read_the_description() {
    let wl = Wl::new();
    wl.ok(&["init"]);
    wl.input(&"long ".repeat(100_000)).ok(&["add", "one", "-d", "-"]);
    work(&wl, "exit 0").code(0);
    until("it is done", || state(&wl, "1") == "completed");
}
