//! A machine with one disk and a list on it: its power can be cut, and then it is another run of the machine. Not a whole
//! machine: processes are told another name of the run, and the rest of the system goes on.

use super::disk::{Disk, Kind};
use serde_json::Value;
use std::{
    fs,
    path::PathBuf,
    process::{Command, Output},
    time::{Duration, Instant},
};

/// What becomes of a program's wish to have something flushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flushing {
    Works,
    /// It is answered with yes and forgotten.
    Swallowed,
}

pub(crate) struct Machine {
    pub(crate) disk: Disk,
    home: tempfile::TempDir,
    runs: u32,
    flushing: Flushing,
}

impl Machine {
    pub(crate) fn new(kind: &'static Kind, flushing: Flushing) -> Machine {
        let home = tempfile::tempdir().expect("a folder");
        let machine = Machine { disk: Disk::make(kind), home, runs: 0, flushing };
        machine.name_run();
        machine
    }

    /// The list's folder.
    pub(crate) fn list(&self) -> PathBuf {
        self.disk.path().join("list")
    }

    /// The program, about to start in this run of the machine.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("unshare");
        command.args(["--mount", "--propagation", "slave", "sh", "-c", IN_RUN]).arg(self.run_name());
        if self.flushing == Flushing::Swallowed {
            let inject = "inject=fsync,fdatasync,sync_file_range,syncfs:retval=0";
            command.args(["strace", "-f", "-qq", "-o", "/dev/null", "-e", inject]);
        }
        command.arg(env!("CARGO_BIN_EXE_wl")).args(arguments).arg("--dir").arg(self.list());
        let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/sbin:/usr/bin:/sbin:/bin".to_owned());
        command.env_clear().env("HOME", self.home.path()).env("USER", "me").env("PATH", path);
        command
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("unshare runs")
    }

    /// The document of a command that must succeed.
    #[track_caller]
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        let said = [&output.stderr, &output.stdout].map(|it| String::from_utf8_lossy(it).into_owned());
        assert!(output.status.success(), "wl {arguments:?}: {:?} {}", output.status, said.concat());
        serde_json::from_slice(&output.stdout).expect("a document")
    }

    /// Power comes back. Answers with what the first command says, and how long it took.
    pub(crate) fn power_up(&mut self, first: &[&str]) -> (Value, Duration) {
        self.disk.power_up();
        self.runs += 1;
        self.name_run();
        let start = Instant::now();
        let said = self.json(first);
        (said, start.elapsed())
    }

    fn run_name(&self) -> PathBuf {
        self.home.path().join("boot_id")
    }

    fn name_run(&self) {
        let name = format!("{:08x}-0000-4000-8000-000000000000\n", self.runs);
        fs::write(self.run_name(), name).expect("it can be written");
    }
}

/// In a name space of its own, so that nobody else is told the other name.
const IN_RUN: &str = r#"mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@""#;
