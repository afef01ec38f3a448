//! A person at a terminal: the live view, and Ctrl-C in every phase of a run.

use crate::{Wl, left_behind, state, until};
use std::{
    io::{Read, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

const CTRL_C: &[u8] = b"\x03";

/// `wl work` at a terminal of its own, and what was drawn there.
struct Screen {
    child: Child,
    keys: ChildStdin,
    drawn: Arc<Mutex<String>>,
}

impl Screen {
    fn of(wl: &Wl, flags: &str, script: &str) -> Screen {
        let wl_itself = env!("CARGO_BIN_EXE_wl");
        let line = format!("stty cols 80 rows 24; exec {wl_itself} work {flags} -- /bin/sh -c '{script}'");
        let mut child = Command::new("script")
            .args(["-q", "-e", "-c", &line, "/dev/null"])
            .current_dir(wl.path(""))
            .env("HOME", wl.path("home"))
            .env("TERM", "xterm")
            .env_remove("CI")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("script starts");
        let keys = child.stdin.take().expect("a pipe");
        let mut output = child.stdout.take().expect("a pipe");
        let drawn = Arc::new(Mutex::new(String::new()));
        let kept = drawn.clone();
        thread::spawn(move || {
            let mut piece = [0; 4096];
            while let Ok(length @ 1..) = output.read(&mut piece) {
                kept.lock().expect("no panic").push_str(&String::from_utf8_lossy(&piece[..length]));
            }
        });
        Screen { child, keys, drawn }
    }

    fn types(&mut self, keys: &[u8]) {
        // Who has ended does not hear it.
        _ = self.keys.write_all(keys).and_then(|()| self.keys.flush());
    }

    #[track_caller]
    fn shows(&self, text: &str) {
        until(text, || self.drawn.lock().expect("no panic").contains(text));
    }

    #[track_caller]
    fn ends(&mut self) -> Option<i32> {
        until("it ends", || self.has_ended());
        self.child.wait().expect("it ended").code()
    }

    fn has_ended(&self) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        stat.is_empty() || stat.rsplit(") ").next().is_some_and(|it| it.starts_with('Z'))
    }
}

const LONG: &str = "mkdir -p pids; sleep 1000 & echo $$ $! > pids/$WORKLIST_TASK_ID; wait";

#[test]
fn what_goes_on_is_in_view() {
    let wl = Wl::with_tasks(&["dig", "pour < dig"]);
    let mut screen = Screen::of(&wl, "--workers 2", "sleep 0.4");
    screen.shows("0/2");
    screen.shows("1 blocked");
    screen.shows("waits");
    screen.shows("unblocked 1");
    screen.shows("2/2");
    assert_eq!(screen.ends(), Some(0));
    screen.shows("2 tasks done in ");
}

#[test]
fn once_at_work_the_rest_is_finished_and_nothing_begun() {
    let wl = Wl::with_tasks(&["one", "two"]);
    let mut screen =
        Screen::of(&wl, "", "touch began-$WORKLIST_TASK_ID; while ! test -e go; do sleep 0.05; done");
    until("it works", || wl.path("began-1").exists());
    screen.types(CTRL_C);
    screen.shows("Nothing new is begun. Ctrl-C stops what runs.");
    wl.write("go", "");
    assert_eq!(screen.ends(), Some(0));
    screen.shows("1 task done in ");
    screen.shows("stopped before its time");
    assert_eq!([state(&wl, "1"), state(&wl, "2")], ["completed", "ready"]);
}

#[test]
fn twice_at_work_it_is_stopped_and_given_back() {
    let wl = Wl::with_tasks(&["one"]);
    let mut screen = Screen::of(&wl, "", LONG);
    until("it works", || left_behind(&wl).len() >= 2);
    screen.types(CTRL_C);
    screen.shows("Nothing new is begun");
    screen.types(CTRL_C);
    screen.ends();
    assert!(left_behind(&wl).is_empty(), "{:?}", left_behind(&wl));
    assert_eq!(state(&wl, "1"), "ready");
}

/// A command that will not hear is asked, given a moment, and ended; more of the same changes nothing.
#[test]
fn while_it_stops_more_of_it_changes_nothing() {
    let wl = Wl::with_tasks(&["one"]);
    let deaf = "mkdir -p pids; echo $$ > pids/1; trap : TERM INT HUP; while :; do sleep 0.1; done";
    let mut screen = Screen::of(&wl, "", deaf);
    until("it works", || !left_behind(&wl).is_empty());
    screen.types(CTRL_C);
    screen.shows("Nothing new is begun");
    screen.types(CTRL_C);
    screen.shows("Stopping.");
    screen.types(CTRL_C);
    screen.types(CTRL_C);
    screen.ends();
    assert!(left_behind(&wl).is_empty(), "{:?}", left_behind(&wl));
    assert_eq!(state(&wl, "1"), "ready");
}

#[test]
fn while_it_waits_once_is_enough() {
    let wl = Wl::with_tasks(&[]);
    let mut screen = Screen::of(&wl, "--wait", "true");
    screen.shows("waits");
    screen.types(CTRL_C);
    assert_eq!(screen.ends(), Some(0));
}

/// At the beginning, in the middle of a claim, between two tasks, at the end: wherever it comes, nothing stays claimed and
/// nothing runs on.
#[test]
fn whenever_it_comes_nothing_is_left() {
    let wl = Wl::with_tasks(&["a", "b", "c", "d", "e", "f"]);
    for n in 0..12 {
        let script = "mkdir -p pids; echo $$ > pids/$$; sleep 0.05; rm pids/$$; exit 1";
        let mut screen = Screen::of(&wl, "--workers 2 --attempts 100000", script);
        // Not a wait for something: a moment of chance. The first may come before there is anybody to hear it.
        thread::sleep(Duration::from_millis(n * 37));
        while !screen.has_ended() {
            screen.types(CTRL_C);
            thread::sleep(Duration::from_millis(20 + n * 11 % 40));
        }
        screen.ends();
        assert!(left_behind(&wl).is_empty(), "{n}: {:?}", left_behind(&wl));
        let busy = wl.json(&["list"])["tasks"].to_string().contains("in_progress");
        assert!(!busy, "{n}: something stays claimed");
    }
}
