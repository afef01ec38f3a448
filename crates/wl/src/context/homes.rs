//! Where other programs keep what is the user's, and where programs are found. Nothing in there is read here.
#![expect(clippy::disallowed_methods, reason = "this is the part that the lint points to")]

use super::variable;
use std::{env, path::PathBuf};

/// The folders of a user, each where its program looks for it.
pub(crate) struct Homes {
    pub(crate) home: PathBuf,
    pub(crate) codex: PathBuf,
    pub(crate) config: PathBuf,
}

impl Homes {
    /// None if nobody says where the user is at home.
    pub(crate) fn of_user() -> Option<Homes> {
        let home = PathBuf::from(variable("HOME")?);
        let absolute = |name| variable(name).map(PathBuf::from).filter(|it| it.is_absolute());
        let codex = absolute("CODEX_HOME").unwrap_or_else(|| home.join(".codex"));
        let config = absolute("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"));
        Some(Homes { home, codex, config })
    }
}

/// A program as the shell would find it.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&path).filter(|it| it.is_absolute()).map(|it| it.join(&name)).find(|it| is_program(it))
}

/// The very program that runs.
pub(crate) fn this_program() -> Option<PathBuf> {
    env::current_exe().and_then(std::fs::canonicalize).ok()
}

#[cfg(unix)]
fn is_program(path: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &std::path::Path) -> bool {
    path.is_file()
}
