//! Processes that we start and answer for: each under a guardian that ends with us and leaves nothing behind. Not what
//! they are started for.

mod guard;
mod heard;
mod tree;
mod ward;

pub(crate) use guard::guard;
pub(crate) use heard::Heard;
pub(crate) use tree::{adopt_orphans, end_orphans};
pub(crate) use ward::{Ward, guarded};

use rustix::process::{Pid, Signal, kill_process_group};
use std::process::Child;

/// Ends a process that leads a group, and the group.
pub(crate) fn end_group(child: &mut Child) {
    signal_group(child.id(), Signal::KILL);
    _ = child.kill();
    _ = child.wait();
}

fn signal_group(leader: u32, signal: Signal) {
    if let Some(group) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        _ = kill_process_group(group, signal);
    }
}
