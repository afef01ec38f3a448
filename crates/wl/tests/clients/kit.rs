//! Tools that tests run, where `cargo xtask kit` puts them. Not how they get there.

use std::path::{Path, PathBuf};

/// A file beneath the tools, such as `python/bin/python3`.
#[track_caller]
pub(crate) fn tool(path: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../tools").join(path);
    assert!(path.exists(), "{} is missing: run `cargo xtask kit`", path.display());
    path
}
