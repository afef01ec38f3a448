//! Commands of the shell: in a group of processes of their own, for a bounded time, with a bounded answer. Not whether a
//! command may run.

use crate::{
    agent::interrupt::Interrupts,
    context::on_path,
    processes::{Heard, Ward, guarded},
};
use std::{io, path::Path};
use worklist::clock::{Clock, SystemClock};

/// So long a command may take, unless the call says otherwise, and at most.
pub(super) const USUAL_SECONDS: u64 = 120;
pub(super) const MOST_SECONDS: u64 = 600;
/// So much of the beginning and of the end of an output is kept.
const HEAD: usize = 8 * 1024;
const TAIL: usize = 24 * 1024;
/// So often it is looked whether a command has ended.
const STEP_MS: u64 = 10;
/// The keys of services are nothing for commands.
const KEYS: [&str; 2] = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"];

/// Where and how long a command runs.
pub(super) struct Shell<'a> {
    pub(super) folder: &'a Path,
    pub(super) seconds: u64,
    pub(super) interrupts: &'a Interrupts,
}

/// How it ended.
enum End {
    Exited(i32),
    TooLong,
    Interrupted,
}

impl Shell<'_> {
    /// Runs a command; its output, or what went wrong with what it said until then. Nothing of it outlives the call.
    pub(super) fn run(&self, command: &str) -> Result<String, String> {
        let failed = |error: io::Error| format!("It could not be started: {error}.");
        let (mut ward, output) = self.start(command).map_err(failed)?;
        let end = self.end(&mut ward).map_err(failed)?;
        let said = output.text();
        let said = if said.is_empty() { "(no output)".to_owned() } else { said };
        match end {
            End::Exited(0) => Ok(said),
            End::Exited(code @ 129..) => Err(format!("{said}\n[ended by signal {}]", code - 128)),
            End::Exited(code) => Err(format!("{said}\n[exit code {code}]")),
            End::TooLong => Err(format!("{said}\n[stopped: it took longer than {} s]", self.seconds)),
            End::Interrupted => Err(format!("{said}\n[stopped: the person broke it off]")),
        }
    }

    fn start(&self, command: &str) -> io::Result<(Ward, Heard)> {
        let (reader, writer) = io::pipe()?;
        let mut guardian = guarded(None, [shell(), "-c", command]);
        guardian.current_dir(self.folder).stdout(writer.try_clone()?).stderr(writer);
        for key in KEYS {
            guardian.env_remove(key);
        }
        Ok((Ward::start(guardian, &[])?, Heard::of(reader, HEAD, TAIL)))
    }

    /// Waits for the end, or brings it about.
    fn end(&self, ward: &mut Ward) -> io::Result<End> {
        let until = SystemClock.ticks() + self.seconds * 1000;
        let mut cut = None;
        loop {
            if let Some(code) = ward.ended()? {
                return Ok(cut.unwrap_or(End::Exited(code)));
            }
            if cut.is_none() {
                cut = self.reason_to_stop(until);
                if cut.is_some() {
                    ward.stop();
                }
            }
            SystemClock.sleep(STEP_MS);
        }
    }

    fn reason_to_stop(&self, until: u64) -> Option<End> {
        if self.interrupts.came() {
            return Some(End::Interrupted);
        }
        (SystemClock.ticks() >= until).then_some(End::TooLong)
    }
}

/// The shell that models know best, or the one that is there.
fn shell() -> &'static str {
    if on_path("bash").is_some() { "bash" } else { "sh" }
}
