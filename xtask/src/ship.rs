//! The program as it is shipped: one file that needs no other where Rust's target for that is at hand or can be had, else
//! as the compiler makes it. Not its tests: those are in `gate.rs`.
#![expect(clippy::print_stdout, reason = "a tool for the terminal")]

use crate::{Outcome, gate, kit};
use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Builds it, and says where it is.
pub(crate) fn build(root: &Path, profile: &str) -> Result<PathBuf, String> {
    let target = target()?;
    gate::finish(gate::cargo(
        root,
        &[&["build", "--profile", profile, "-p", "wl"][..], &flags(target.as_deref())].concat(),
    ))?;
    let folder = kit::target(root)?;
    let folder = target.map_or_else(|| folder.clone(), |it| folder.join(it));
    // The name of a profile is that of its folder, but for the one that has none.
    Ok(folder.join(if profile == "dev" { "debug" } else { profile }).join("wl"))
}

/// Installs it where cargo installs programs; `words` are cargo's own, `--root PATH` for example.
pub(crate) fn install(root: &Path, words: &[&str]) -> Outcome {
    let target = target()?;
    let install = ["install", "--path", "crates/wl", "--locked"];
    gate::finish(gate::cargo(root, &[&install[..], &flags(target.as_deref()), words].concat()))
}

/// The target of the static program for this machine, installed if need be; none if there is none.
pub(crate) fn target() -> Result<Option<String>, String> {
    let host = heard(Command::new("rustc").arg("-vV"))?;
    let host = host.lines().find_map(|it| it.strip_prefix("host: ")).unwrap_or_default();
    let Some(target) = static_of(host) else { return Ok(None) };
    if is_there(&target) {
        return Ok(Some(target));
    }
    let mut add = Command::new("rustup");
    add.args(["target", "add", &target]).stdout(Stdio::null()).stderr(Stdio::null());
    if add.status().is_ok_and(|it| it.success()) && is_there(&target) {
        return Ok(Some(target));
    }
    println!("{target} cannot be had here (`rustup target add {target}`): built with the system's C library");
    Ok(None)
}

/// The target whose programs are static, beside that of a machine.
fn static_of(host: &str) -> Option<String> {
    let known = ["x86_64-unknown-linux", "aarch64-unknown-linux"];
    known.iter().find(|it| host.starts_with(**it)).map(|it| format!("{it}-musl"))
}

fn is_there(target: &str) -> bool {
    let libraries = heard(Command::new("rustc").args(["--print", "target-libdir", "--target", target]));
    // The folder is named whether or not anything is in it.
    libraries.is_ok_and(|it| Path::new(it.trim()).join("self-contained").is_dir())
}

fn flags(target: Option<&str>) -> Vec<&str> {
    target.map_or_else(Vec::new, |it| vec!["--target", it])
}

fn heard(command: &mut Command) -> Result<String, String> {
    let output = command.stderr(Stdio::null()).output();
    let output = output.map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_has_the_static_target_of_its_own_kind() {
        let of = |host| static_of(host);
        assert_eq!(of("x86_64-unknown-linux-gnu").as_deref(), Some("x86_64-unknown-linux-musl"));
        assert_eq!(of("aarch64-unknown-linux-musl").as_deref(), Some("aarch64-unknown-linux-musl"));
        assert_eq!(of("aarch64-apple-darwin"), None);
        assert!(!is_there("x86_64-unknown-nothing"));
    }
}
