//! The proofs: every line of the matrix in docs/proof.md by its name. Not other tests than the suites': the same ones,
//! optimised, alone, and in the long size if it is asked for.
#![expect(clippy::print_stderr, reason = "a tool for the terminal")]

use crate::{Outcome, fuzz, kit};
use std::{path::Path, process::Command};

/// How much is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    /// As much as with every test.
    Short,
    /// As much as one waits for over night.
    Long,
}

/// One line of the matrix.
struct Proof {
    name: &'static str,
    about: &'static str,
    package: &'static str,
    target: &'static str,
    tests: &'static str,
}

const fn engine(name: &'static str, tests: &'static str, about: &'static str) -> Proof {
    Proof { name, about, package: "worklist", target: "suite", tests }
}

const fn program(name: &'static str, about: &'static str) -> Proof {
    Proof { name, about, package: "wl", target: "proof", tests: name }
}

const PROOFS: &[Proof] = &[
    engine("model", "lock_model", "R1: every state of the model of the locks"),
    engine("rules", "properties", "R9: random commands against a reference"),
    engine("lives", "simulation", "R10: simulated lives with failing disks"),
    engine("order", "linearizability", "R8: histories of processes that are killed"),
    program("order", "R8: the same of the finished program, and the checker itself"),
    program("fleet", "R11: real clients, a program with their locks, and ours in one list"),
    program("peers", "§5, S1–S17: what befell others, and what a hostile neighbour could do"),
    program("race", "R7: many processes want the same at once"),
    program("versions", "R18: lists of other versions, fields of other programs"),
    program("calls", "R2, R3: killed and failed at every system call of every write command"),
    program("scarce", "R14: no room, no inodes, no right, no descriptors, no locks"),
    program("torn", "R12: reading what another program is writing; a watcher and our own writes"),
    program("storm", "R4, R5: processes of ours and others killed and paused"),
    program("power", "R6: the power is cut while the program writes"),
    program("clocks", "R13: clocks that are wrong, step back or stand still"),
    program("machines", "R15: a team's list on three machines, and one is cut off"),
    program("wiped", "R17: a wiped or removed folder comes back"),
    Proof {
        name: "workers",
        about: "workers and their commands killed and paused",
        package: "wl",
        target: "work",
        tests: "storm",
    },
];

/// Not a test: with the long size, or by its name.
const FUZZ: &str = "fuzz";

/// Runs the named ones, or all, and passes on what they say.
pub(crate) fn run(root: &Path, names: &[&str], length: Length) -> Outcome {
    let is_known = |name: &str| name == FUZZ || PROOFS.iter().any(|it| it.name == name);
    if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
        let mut known: Vec<String> =
            PROOFS.iter().map(|it| format!("  {:<10} {}", it.name, it.about)).collect();
        known.push(format!(
            "  {FUZZ:<10} R19: everything that reads what others wrote; needs a nightly compiler"
        ));
        return Err(format!("there is no proof {unknown}; there are\n{}", known.join("\n")));
    }
    let wanted = PROOFS.iter().filter(|it| names.is_empty() || names.contains(&it.name));
    let mut failed: Vec<&str> = wanted.filter(|it| !it.holds(root, length)).map(|it| it.name).collect();
    if names.contains(&FUZZ) || names.is_empty() && length == Length::Long {
        fuzz::run(root, length).unwrap_or_else(|reason| {
            eprintln!("{reason}");
            failed.push(FUZZ);
        });
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("not proven: {}", failed.join(", "))) }
}

impl Proof {
    /// A failure does not keep the others from being tried.
    fn holds(&self, root: &Path, length: Length) -> bool {
        eprintln!("== {}: {}", self.name, self.about);
        let mut command = Command::new("cargo");
        command.current_dir(root).args([
            "test",
            "--profile",
            "proof",
            "-p",
            self.package,
            "--test",
            self.target,
        ]);
        // The module of that name, not whatever has the word in it.
        command.args(["--", "--nocapture", "--test-threads=1", &format!("{}::", self.tests)]);
        command.env("PATH", kit::path());
        if length == Length::Long {
            command.env("WORKLIST_LONG", "1");
        }
        command.status().is_ok_and(|it| it.success())
    }
}
