//! Tools that tests run, where `cargo xtask kit` puts them. Not how they get there.

use std::path::{Path, PathBuf};

/// A file beneath the tools, such as `python/bin/python3`.
#[track_caller]
pub(crate) fn tool(path: &str) -> PathBuf {
    // For another target than the machine's own, cargo builds one folder further down.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = ["../tools", "../../tools"].map(|it| folder.join(it).join(path));
    let path = path.iter().find(|it| it.exists()).unwrap_or(&path[0]).clone();
    assert!(path.exists(), "{} is missing: run `cargo xtask kit`", path.display());
    path
}
