//! What the tests need beside Rust: programs of the system, and packages beneath the target directory. Installs what is
//! missing, and only looks at files where nothing is. Not what users need: the program itself needs none of it.
#![expect(clippy::print_stdout, reason = "a tool for the terminal")]
#![expect(clippy::disallowed_methods, reason = "a tool that reads where cargo builds")]

mod packages;
mod system;

pub(crate) use system::{found, path};

use crate::{Outcome, gate};
use packages::{Kind, Package, Packages, Proof};
use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

/// What comes from npm. Tests run what is JavaScript with this node, which is newer than that of most systems.
const NPM: Packages = Packages {
    kind: Kind::Npm,
    wanted: &[
        Package { name: "node", version: "22.23.3" },
        Package { name: "@modelcontextprotocol/conformance", version: "0.2.0-alpha.12" },
        Package { name: "@modelcontextprotocol/inspector", version: "2.12.0" },
        Package { name: "@anthropic-ai/claude-code", version: "2.1.325" },
        Package { name: "@google/gemini-cli", version: "0.61.0" },
        Package { name: "@openai/codex", version: "0.166.0" },
        Package { name: "bun", version: "1.4.4" },
        Package { name: "proper-lockfile", version: "4.1.2" },
    ],
    proofs: &[
        Proof { program: "node_modules/.bin/node", arguments: &["--version"], says: "v22.23.3" },
        Proof { program: "node_modules/.bin/conformance", arguments: &["--version"], says: "0.2.0-alpha.12" },
        Proof { program: "node_modules/.bin/inspector", arguments: &["--cli", "--help"], says: "--strict" },
        Proof { program: "node_modules/.bin/claude", arguments: &["--version"], says: "2.1.325" },
        Proof { program: "node_modules/.bin/gemini", arguments: &["--version"], says: "0.61.0" },
        Proof { program: "node_modules/.bin/codex", arguments: &["--version"], says: "0.166.0" },
        Proof { program: "node_modules/.bin/bun", arguments: &["--version"], says: "1.4.4" },
    ],
};

/// What comes from Python's index: the official client of the protocol.
const PYTHON: Packages = Packages {
    kind: Kind::Python,
    wanted: &[Package { name: "mcp", version: "2.3.0" }],
    proofs: &[Proof {
        program: "bin/python3",
        arguments: &["-c", "import mcp; print(mcp.ClientSession.__name__)"],
        says: "ClientSession",
    }],
};

/// Makes sure of everything, and says in a line for each thing what was done.
pub(crate) fn run(root: &Path) -> Outcome {
    system::run()?;
    let tools = tools(root)?;
    for packages in [NPM, PYTHON] {
        packages.bring(&tools)?;
    }
    Ok(())
}

/// The folder that cargo builds in.
pub(crate) fn target(root: &Path) -> Result<PathBuf, String> {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    std::path::absolute(&target).map_err(|error| format!("{}: {error}", target.display()))
}

/// Where tools are installed: beneath the folder that cargo builds in. Tests find it beside `CARGO_TARGET_TMPDIR`.
pub(crate) fn tools(root: &Path) -> Result<PathBuf, String> {
    Ok(target(root)?.join("tools"))
}

/// Where the programs of one package of npm are that no test needs, installed if it is not there yet.
pub(crate) fn of_npm(root: &Path, name: &'static str, version: &'static str) -> Result<PathBuf, String> {
    let package = Package { name, version };
    let folder = tools(root)?.join("peers").join(name);
    if !package.is_in(&folder) {
        println!("{name} {version}: installing into {}", folder.display());
        package.install(&folder)?;
    }
    Ok(folder.join("node_modules/.bin"))
}

/// Where programs are looked for, with the node of the kit before that of the system.
pub(crate) fn path_with_node(root: &Path) -> OsString {
    let own = tools(root).map(|it| it.join("npm/node_modules/.bin")).unwrap_or_default();
    env::join_paths([own].into_iter().chain(env::split_paths(&path()))).unwrap_or_default()
}

/// A program of the registry of crates, installed beneath the tools if it is not there yet.
pub(crate) fn crate_of(root: &Path, name: &str, version: &str, how: &[&str]) -> Result<PathBuf, String> {
    let tools = tools(root)?;
    let program = tools.join("bin").join(name);
    let known = fs::read_to_string(tools.join(".crates.toml")).unwrap_or_default();
    if program.exists() && known.contains(&format!("\"{name} {version} ")) {
        return Ok(program);
    }
    twice(|| {
        let mut install = gate::cargo(root, &["install", name, "--version", version, "--locked", "--root"]);
        install.arg(&tools).args(how);
        gate::finish(install)
    })?;
    Ok(program)
}

/// Registries have bad moments: what fails is tried once more.
fn twice(mut install: impl FnMut() -> Outcome) -> Outcome {
    install().or_else(|reason| {
        println!("once more: {reason}");
        install()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_once_is_tried_again_and_no_more() {
        for (failures, expected) in [(0, (true, 1)), (1, (true, 2)), (2, (false, 2)), (3, (false, 2))] {
            let mut tries = 0;
            let outcome = twice(|| {
                tries += 1;
                if tries > failures { Ok(()) } else { Err("the line is bad".to_owned()) }
            });
            assert_eq!((outcome.is_ok(), tries), expected, "{failures} failures");
        }
    }
}
