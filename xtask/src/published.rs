//! The folders that clients install from: the plugin with its catalogue, and the extension. They are what the program
//! says; the icon in them is drawn by hand. Not whether a client takes them: its own validator says that.

use crate::{Outcome, gate};
use std::path::Path;

/// The clients that install something from this repository.
const CLIENTS: [&str; 2] = ["claude", "gemini"];

/// Writes them anew.
pub(crate) fn write(root: &Path) -> Outcome {
    CLIENTS.iter().try_for_each(|client| export(root, client, &[]))
}

/// Whether they are what the program says now.
pub(crate) fn check(root: &Path) -> Outcome {
    let stale = |_| "what clients install is not what the program says: run `cargo xtask docs`".to_owned();
    CLIENTS.iter().try_for_each(|client| export(root, client, &["--check"]).map_err(stale))
}

fn export(root: &Path, client: &str, how: &[&str]) -> Outcome {
    let mut command =
        gate::cargo(root, &["run", "--quiet", "--package", "wl", "--", "--quiet", "setup", client]);
    command.arg("--export").arg(root).args(how).stdout(std::process::Stdio::null());
    gate::finish(command)
}
