//! Fuzzing of everything that reads what others wrote, with the seeds in `fuzz/corpus`. Not part of the gate: it needs a
//! nightly compiler and time.
#![expect(clippy::print_stderr, reason = "a tool for the terminal")]
#![expect(clippy::disallowed_methods, reason = "a tool that keeps what was found")]

use crate::{Outcome, gate, kit, prove::Length};
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

/// The version of cargo-fuzz that is installed where there is none.
const VERSION: &str = "0.13.2";
/// One for each program in `fuzz/fuzz_targets`.
const TARGETS: [&str; 8] = ["formats", "hooks", "journal", "json", "plan", "settings", "tools", "transfer"];

/// Runs each target for its time.
pub(crate) fn run(root: &Path, length: Length) -> Outcome {
    let mut nightly = Command::new("cargo");
    nightly.args(["+nightly", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    if !nightly.status().is_ok_and(|it| it.success()) {
        return Err("fuzzing needs a nightly compiler: `rustup toolchain install nightly`".to_owned());
    }
    let program = kit::crate_of(root, "cargo-fuzz", VERSION, &[])?;
    let seconds = if length == Length::Long { 300 } else { 20 };
    for target in TARGETS {
        eprintln!("== fuzz {target} for {seconds} s");
        // What is found stays out of the tree; what is worth keeping is put there by hand.
        let found = kit::tools(root)?.with_file_name("fuzz").join(target);
        fs::create_dir_all(&found).map_err(|error| format!("{}: {error}", found.display()))?;
        let mut command = Command::new(&program);
        command
            .current_dir(root.join("fuzz"))
            .env("RUSTUP_TOOLCHAIN", "nightly")
            .args(["fuzz", "run", target]);
        command.arg(&found).arg(root.join("fuzz/corpus").join(target)).arg("--");
        command.args(["-rss_limit_mb=1024", "-timeout=5", "-max_len=8192"]);
        command.arg(format!("-max_total_time={seconds}"));
        gate::finish(command).map_err(|reason| format!("fuzz {target}: {reason}"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::TARGETS;
    use std::{collections::BTreeSet, fs, path::Path};

    #[test]
    fn every_target_is_run_and_has_seeds() {
        let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
        let entries = fs::read_dir(fuzz.join("fuzz_targets")).expect("targets").flatten();
        let names =
            entries.filter_map(|it| it.file_name().to_str().map(|it| it.trim_end_matches(".rs").to_owned()));
        assert_eq!(names.collect::<BTreeSet<_>>(), TARGETS.map(str::to_owned).into());
        for target in TARGETS {
            assert!(fs::read_dir(fuzz.join("corpus").join(target)).expect("seeds").count() > 0, "{target}");
        }
    }
}
