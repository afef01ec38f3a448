//! The proofs: simulated disks that fail and lose power, histories checked for their order, the model of the locks,
//! workers that are killed and paused.
//! Not other tests than the suite's: the same ones, optimised and with more seeds.

use crate::Outcome;
use std::{path::Path, process::Command};

/// How many seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    /// As many as with every test.
    Short,
    /// As many as one waits for over night.
    Long,
}

/// Runs them and passes on what they say.
pub(crate) fn run(root: &Path, length: Length) -> Outcome {
    let suite = ["simulation", "linearizability", "properties", "lock_model"];
    tests(root, length, &["-p", "worklist", "--test", "suite"], &suite)?;
    tests(root, length, &["-p", "wl", "--test", "work"], &["storm"])
}

fn tests(root: &Path, length: Length, target: &[&str], names: &[&str]) -> Outcome {
    let mut command = Command::new("cargo");
    command
        .current_dir(root)
        .args(["test", "--release"])
        .args(target)
        .args(["--", "--nocapture"])
        .args(names);
    if length == Length::Long {
        command.env("WORKLIST_LONG", "1");
    }
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the proofs ended with {status}")),
        Err(error) => Err(format!("cargo could not be started: {error}")),
    }
}
