//! A command under a guardian, from the side of whoever started it. Not the guardian: that is another process.

use super::{
    guard::{LOST, MARK, WORD},
    tree,
};
use std::{
    env,
    ffi::OsStr,
    io::{self, Read, Write},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
};
use worklist::clock::{Clock, SystemClock};

/// A guardian that does not end in this time, after it was asked to, is ended.
const GUARDIAN_MS: u64 = 12_000;

/// A command line under a guardian, to be given its place and variables. What it prints goes to the log, or where the
/// guardian's own output goes.
pub(crate) fn guarded(log: Option<&Path>, line: impl IntoIterator<Item: AsRef<OsStr>>) -> Command {
    let mut command = Command::new(ourselves());
    command.arg(WORD);
    if let Some(log) = log {
        command.arg("--log").arg(log);
    }
    command.arg("--").args(line).process_group(0);
    // With a log, what it says itself is whether the log could be written.
    let own = if log.is_some() { Stdio::piped() } else { Stdio::null() };
    command.stdin(Stdio::piped()).stdout(own).stderr(Stdio::null());
    command
}

/// This program. By this name it is found also after another version has taken its place.
fn ourselves() -> PathBuf {
    let own = Path::new("/proc/self/exe");
    if own.exists() { own.to_owned() } else { env::current_exe().unwrap_or_else(|_| "wl".into()) }
}

/// A command that runs under a guardian. Dropped, it is stopped.
pub(crate) struct Ward {
    guardian: Child,
    /// The line whose end tells the guardian that we are gone, or want it to end.
    lifeline: Option<ChildStdin>,
    mark: String,
    asked: u64,
}

impl Ward {
    /// Starts a guarded command with a text on its standard input.
    pub(crate) fn start(mut command: Command, input: &[u8]) -> io::Result<Ward> {
        let mark = format!("{:016x}", getrandom::u64().map_err(io::Error::other)?);
        let mut guardian = command.env(MARK, &mark).spawn()?;
        let mut lifeline = guardian.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        lifeline.write_all(format!("{}\n", input.len()).as_bytes())?;
        lifeline.write_all(input)?;
        lifeline.flush()?;
        Ok(Ward { guardian, lifeline: Some(lifeline), mark, asked: 0 })
    }

    /// The exit code if it has ended; a signal is told by a number, as shells do it.
    pub(crate) fn ended(&mut self) -> io::Result<Option<i32>> {
        let Some(status) = self.guardian.try_wait()? else {
            if self.lifeline.is_none() && SystemClock.ticks().saturating_sub(self.asked) > GUARDIAN_MS {
                _ = self.guardian.kill();
            }
            return Ok(None);
        };
        if status.code().is_none() {
            // Somebody ended the guardian: what it guarded is ours now.
            tree::end_marked(&self.mark);
        }
        Ok(status.code().or_else(|| status.signal().map(|it| 128 + it)))
    }

    /// Whether some of the output could not be kept. To be asked when it has ended.
    pub(crate) fn has_lost_output(&mut self) -> bool {
        let mut said = Vec::new();
        let heard = self.guardian.stdout.take().map(|mut it| it.read_to_end(&mut said));
        heard.is_some() && said == LOST
    }

    /// Asks for the end: the command has a moment to end by itself.
    pub(crate) fn stop(&mut self) {
        if self.lifeline.take().is_some() {
            self.asked = SystemClock.ticks();
        }
    }
}
