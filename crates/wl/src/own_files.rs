//! Files of this program outside every list: only the user can read them, whatever the umask. Not the lists' own files.
#![expect(clippy::disallowed_methods, reason = "these are kept outside every list")]

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

/// Makes a folder that only the user can enter, whatever the umask.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Writes a new file that only the user can read and write; what was left there by an earlier try goes.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    create(path)?.write_all(text.as_bytes())
}

/// A new file that only the user can read and write, to be written bit by bit.
pub(crate) fn create(path: &Path) -> io::Result<fs::File> {
    _ = fs::remove_file(path);
    let mut options = fs::OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.write(true).create_new(true).open(path)
}
