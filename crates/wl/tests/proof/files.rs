//! The files in which a list keeps its tasks, whatever its format. Not what is in them.

use crate::wl::Wl;
use std::{fs, path::PathBuf};

pub(crate) fn task_files(wl: &Wl) -> Vec<PathBuf> {
    let entries = fs::read_dir(wl.path(".tasks")).expect("a folder").map(|it| it.expect("an entry").path());
    let mut files: Vec<PathBuf> =
        entries.filter(|it| it.is_file() && it.extension().is_some_and(|it| it == "json")).collect();
    files.sort();
    files
}
