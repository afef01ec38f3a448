//! Workers under everything that can go wrong with commands, processes and people: nothing runs on, nothing stays claimed,
//! nothing is done twice. Not what is printed: that is with the other commands.
#![expect(clippy::disallowed_methods, reason = "tests start processes and end them")]

#[path = "../proof/chance.rs"]
mod chance;
mod commands;
mod ends;
mod storm;
mod terminal;
#[path = "../program/wl/mod.rs"]
#[expect(dead_code, unused_imports, reason = "shared with the other tests, which use the rest")]
mod wl;
mod worktrees;

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use std::{
    fs,
    process::{Child, Stdio},
    thread,
    time::Duration,
};
use wl::Wl;

/// Nothing that is waited for here takes so long.
const LIMIT: usize = 3_000;

/// `wl work` in the background, with a script as its command.
fn start(wl: &Wl, flags: &[&str], script: &str) -> Child {
    let arguments = [&["work"], flags, &["--", "/bin/sh", "-c", script]].concat();
    let mut command = wl.command(&arguments);
    command.env("PATH", std::env::var("PATH").unwrap_or_default());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
}

/// Waits until something is so.
#[track_caller]
fn until(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..LIMIT {
        if is_so() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("{what}: not in half a minute");
}

/// The processes whose numbers a script has left in files.
fn left_behind(wl: &Wl) -> Vec<Pid> {
    let entries = fs::read_dir(wl.path("pids")).into_iter().flatten().flatten();
    let texts = entries.filter_map(|it| fs::read_to_string(it.path()).ok());
    texts
        .flat_map(|it| it.split_whitespace().filter_map(|it| it.parse().ok()).collect::<Vec<i32>>())
        .filter_map(Pid::from_raw)
        .filter(|it| is_alive(*it))
        .collect()
}

/// Whether a process is there and not only waits to be buried.
fn is_alive(pid: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
    test_kill_process(pid).is_ok()
        && !stat.rsplit(')').next().is_some_and(|it| it.trim_start().starts_with('Z'))
}

fn signal(child: &Child, signal: Signal) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a number");
    kill_process(pid, signal).expect("it can be signalled");
}

fn state(wl: &Wl, id: &str) -> String {
    wl.json(&["show", id])["task"]["state"].as_str().expect("a state").to_owned()
}
