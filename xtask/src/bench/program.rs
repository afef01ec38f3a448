//! The programs that are measured, as processes in an environment of their own. Not what they are told to do.

use std::{
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

/// A program, and the home that it is shown.
#[derive(Debug, Clone)]
pub(super) struct Program {
    path: PathBuf,
    home: PathBuf,
}

impl Program {
    pub(super) fn new(path: &Path, home: &Path) -> Program {
        Program { path: path.to_owned(), home: home.to_owned() }
    }

    /// A process that reads nothing and speaks to nobody.
    pub(super) fn command(&self, words: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(&self.path);
        command
            .args(words)
            .env_clear()
            .envs([("HOME", self.home.as_os_str()), ("USER", OsStr::new("bench"))]);
        command.current_dir(&self.home).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// How long a process takes from its start to its end, which must be a good one. What fails is run once more, to hear what it
/// has to say about it.
pub(super) fn time(command: &mut Command) -> io::Result<Duration> {
    let started = Instant::now();
    let status = command.status()?;
    let took = started.elapsed();
    if status.success() {
        return Ok(took);
    }
    let output = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output()?;
    Err(unexpected(command, &output))
}

/// The same, with what it said.
pub(super) fn time_heard(command: &mut Command) -> io::Result<(Duration, Output)> {
    command.stdout(Stdio::piped());
    let started = Instant::now();
    let output = command.output()?;
    let took = started.elapsed();
    if output.status.success() { Ok((took, output)) } else { Err(unexpected(command, &output)) }
}

pub(super) fn unexpected(command: &Command, output: &Output) -> io::Error {
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let words: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    let name = command.get_program().to_string_lossy();
    io::Error::other(format!("{name} {}: {}: {}", words.join(" "), output.status, text.trim()))
}
