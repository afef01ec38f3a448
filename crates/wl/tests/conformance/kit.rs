//! Where the tools are that `cargo xtask kit` installs, and how they are run. Not what is asked of them.

use std::{
    path::PathBuf,
    process::{Command, Output},
};

/// A tool by its path beneath the folder of tools.
pub(crate) fn tool(path: &str) -> PathBuf {
    let tools = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("../tools");
    let tool = tools.join(path);
    assert!(tool.exists(), "{} is missing: run `cargo xtask kit`", tool.display());
    tool
}

/// A file beside these tests.
pub(crate) fn beside(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/conformance").join(name)
}

/// A program of the protocol's own, in the node of the kit.
pub(crate) fn node(program: &str) -> Command {
    let mut command = Command::new(tool("npm/node_modules/.bin/node"));
    command.arg(tool("npm/node_modules/.bin").join(program));
    command
}

/// A file of ours, in the Python that has the official library.
pub(crate) fn python(file: &str) -> Command {
    let mut command = Command::new(tool("python/bin/python3"));
    command.arg(beside(file));
    command
}

/// What a tool said.
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn said(command: &mut Command) -> Said {
    let Output { status, stdout, stderr } = command.output().expect("the tool starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Said { code: status.code(), out: text(&stdout), err: text(&stderr) }
}
