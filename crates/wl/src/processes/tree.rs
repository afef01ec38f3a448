//! The processes beneath this one. Whoever loses its parent comes to us instead of getting lost, so that all of them can
//! be found and ended. Not which of them should be.
#![expect(clippy::disallowed_methods, reason = "processes are found in /proc")]

use super::guard::{MARK, WORD};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use std::{collections::HashMap, fs};

/// From now on the processes that lose their parent beneath this one become its children.
pub(crate) fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    {
        // Where this is not possible, what escapes is not found; the rest is.
        _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    }
}

/// Ends everything beneath this process, guardians aside, which end by themselves.
pub(crate) fn end_orphans() {
    end(&|it| !is_guardian(it));
}

/// Ends what has come to us from one guardian, and nothing else: others of ours may be at work.
pub(super) fn end_marked(mark: &str) {
    let mark = format!("{MARK}={mark}");
    end(&|pid| {
        let variables = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).unwrap_or_default();
        variables.split(|it| *it == 0).any(|it| it == mark.as_bytes())
    });
}

/// Ends everything beneath this process, however it hides. Returns when nothing is left.
pub(super) fn end_all() {
    end(&|_| true);
}

/// Ends what is beneath this process and stands under no child that is spared.
fn end(wanted: &dyn Fn(Pid) -> bool) {
    // A process can have children while it is being ended: until nobody is found.
    for _ in 0..1_000 {
        let beneath = beneath(std::process::id(), wanted);
        for pid in &beneath {
            _ = kill_process(*pid, Signal::KILL);
        }
        reap(&beneath);
        if beneath.is_empty() {
            return;
        }
        std::thread::yield_now();
    }
}

/// Takes leave of those that are dead.
fn reap(pids: &[Pid]) {
    for pid in pids {
        _ = waitpid(Some(*pid), WaitOptions::NOHANG);
    }
}

/// The processes beneath one, those under spared children aside.
fn beneath(root: u32, wanted: &dyn Fn(Pid) -> bool) -> Vec<Pid> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for (pid, parent) in parents() {
        children.entry(parent).or_default().push(pid);
    }
    let pid_of = |it: u32| i32::try_from(it).ok().and_then(Pid::from_raw);
    let first = children.get(&root).into_iter().flatten().copied();
    let mut open: Vec<u32> = first.filter(|it| pid_of(*it).is_some_and(wanted)).collect();
    let mut found = Vec::new();
    while let Some(pid) = open.pop() {
        found.extend(pid_of(pid));
        open.extend(children.get(&pid).into_iter().flatten().copied());
    }
    found
}

/// Every process with its parent.
fn parents() -> Vec<(u32, u32)> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|it| it.file_name().to_str()?.parse::<u32>().ok());
    numbers.filter_map(|pid| Some((pid, parent(pid)?))).collect()
}

fn parent(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything; what follows it is plain.
    let mut rest = stat.rsplit_once(')')?.1.split_whitespace();
    let state = rest.next()?;
    let parent = rest.next()?.parse().ok()?;
    // The dead are nobody's children any more, once their parent is told.
    (state != "Z" || parent == std::process::id()).then_some(parent)
}

fn is_guardian(pid: Pid) -> bool {
    let line = fs::read(format!("/proc/{}/cmdline", pid.as_raw_nonzero())).unwrap_or_default();
    let mut words = line.split(|it| *it == 0).skip(1);
    words.next() == Some(WORD.as_bytes())
}
