//! Everything that must pass before a change goes in, in the order from fast to slow. Not a second list of rules:
//! each step is a command that can be run alone.
#![expect(clippy::print_stdout, reason = "a tool for the terminal")]
#![expect(clippy::disallowed_methods, reason = "each step says how long it took")]

use crate::{Outcome, book, kit, ship, tidy};
use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

/// The version of cargo-deny that is installed where there is none.
const DENY: &str = "0.20.2";
/// How the variables begin that cargo sets for the package that it runs.
const OWN: [&str; 2] = ["CARGO_PKG_", "CARGO_MANIFEST_"];

/// One step of the gate.
struct Step {
    name: &'static str,
    run: fn(&Path) -> Outcome,
}

/// The tests of `wl` that are run a second time, with the program that is shipped.
const SHIPPED: [&str; 5] = ["mcp", "program", "proof", "readme", "work"];
/// But for these: clocks are made wrong by a library that only a program with a dynamic linker loads.
const DYNAMIC: &str = "clocks::";

const STEPS: [Step; 9] = [
    Step { name: "cargo fmt --check", run: format },
    Step { name: "tidy", run: tidy::run },
    Step { name: "kit", run: kit::run },
    Step { name: "cargo clippy", run: lint },
    Step { name: "cargo test", run: test },
    Step { name: "cargo test of the static program", run: test_shipped },
    Step { name: "cargo doc", run: document },
    Step { name: "book", run: book::run },
    Step { name: "cargo deny", run: deny },
];

/// Runs the steps up to the first that fails.
pub(crate) fn run(root: &Path) -> Outcome {
    for step in STEPS {
        println!("== {}", step.name);
        let started = Instant::now();
        let outcome = (step.run)(root);
        let seconds = started.elapsed().as_secs_f64();
        outcome.map_err(|reason| format!("{} after {seconds:.1} s: {reason}", step.name))?;
        println!("-- {}: {seconds:.1} s\n", step.name);
    }
    println!("everything passed");
    Ok(())
}

fn format(root: &Path) -> Outcome {
    finish(cargo(root, &["fmt", "--all", "--", "--check"]))
}

fn lint(root: &Path) -> Outcome {
    finish(cargo(
        root,
        &["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"],
    ))?;
    // Whoever needs no database can leave it out.
    finish(cargo(root, &["clippy", "-p", "wl", "--no-default-features", "--", "-D", "warnings"]))
}

fn test(root: &Path) -> Outcome {
    let mut command = cargo(root, &["test", "--workspace"]);
    command.env("PATH", kit::path());
    finish(command)
}

/// The program as it is shipped, by the tests of the whole program. Where its target cannot be had, the line above said so: the
/// program that is shipped there is the one that was tested already.
fn test_shipped(root: &Path) -> Outcome {
    let Some(target) = ship::target()? else { return Ok(()) };
    let mut command = cargo(root, &["test", "-p", "wl", "--target", &target]);
    command
        .args(SHIPPED.iter().flat_map(|it| ["--test", it]))
        .args(["--", "--skip", DYNAMIC])
        .env("PATH", kit::path());
    finish(command)
}

fn document(root: &Path) -> Outcome {
    let mut command = cargo(root, &["doc", "--workspace", "--no-deps"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    finish(command)
}

fn deny(root: &Path) -> Outcome {
    let program = deny_program(root)?;
    let check = |what: &[&str]| {
        let mut command = program.as_ref().map_or_else(|| cargo(root, &["deny"]), Command::new);
        command.current_dir(root).arg("check").args(what);
        command
    };
    finish(check(&["licenses", "bans", "sources"]))?;
    let output = check(&["advisories"]).output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        return Ok(());
    }
    if is_unreachable(&said) {
        println!("advisories: the database could not be reached, not checked");
        return Ok(());
    }
    println!("{}{said}", String::from_utf8_lossy(&output.stdout));
    Err(format!("the advisories ended with {}", output.status))
}

/// Whether cargo-deny had nothing to check against.
fn is_unreachable(said: &str) -> bool {
    said.contains("failed to fetch advisory database") || said.contains("failed to load advisory database")
}

/// The program if it is not cargo's own subcommand; it is installed beneath the tools if there is none at all.
fn deny_program(root: &Path) -> Result<Option<PathBuf>, String> {
    let mut version = cargo(root, &["deny", "--version"]);
    if version.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|it| it.success()) {
        return Ok(None);
    }
    kit::crate_of(root, "cargo-deny", DENY, &[]).map(Some)
}

pub(crate) fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(root).args(arguments);
    // What cargo says to this tool about its own package: some build scripts would build all anew because of it.
    for (name, _) in env::vars_os() {
        if OWN.iter().any(|it| name.to_string_lossy().starts_with(it)) {
            command.env_remove(name);
        }
    }
    command
}

pub(crate) fn finish(mut command: Command) -> Outcome {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("ended with {status}")),
        Err(error) => Err(format!("could not be started: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::is_unreachable;

    #[test]
    fn no_database_is_not_a_fault_of_ours() {
        assert!(is_unreachable("[ERROR] failed to fetch advisory database https://example.org with cli"));
        assert!(!is_unreachable("error[vulnerability]: a crate is vulnerable"));
    }
}
