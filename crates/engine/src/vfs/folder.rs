//! Whole folders: putting one in the place of another. Not what is inside a list's folder: that is [`super::Vfs`].
#![expect(clippy::disallowed_methods, reason = "this is a part of the disk")]

use std::{fs, io, path::Path};

/// Puts `new` in the place of `folder`, which then is at `aside`. On Linux nobody finds the place empty meanwhile.
pub fn put_in_place(new: &Path, folder: &Path, aside: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        if renameat_with(CWD, new, CWD, folder, RenameFlags::EXCHANGE).is_ok() {
            return fs::rename(new, aside);
        }
    }
    fs::rename(folder, aside)?;
    fs::rename(new, folder).inspect_err(|_| {
        // Better the old one than none.
        _ = fs::rename(aside, folder);
    })
}

/// Copies a file from one folder to another, if it is there.
pub fn carry(name: &str, from: &Path, to: &Path) -> io::Result<()> {
    super::missing(fs::copy(from.join(name), to.join(name))).map(|_| ())
}

/// Moves a file out of the way, to a name that nothing has.
pub fn keep_aside(file: &Path) -> io::Result<()> {
    let name = file.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    let free = (1..10_000).map(|n| file.with_file_name(format!("{name}.{n}"))).find(|it| !it.exists());
    free.map_or(Ok(()), |free| fs::rename(file, free))
}

/// Removes a folder that was never put in place.
pub fn discard(draft: &Path) {
    _ = fs::remove_dir_all(draft);
}
