//! Opening beneath a folder where the system has no call for it: the way is resolved first, then taken. Whoever moves
//! things in between is not kept out.
#![expect(clippy::disallowed_methods, reason = "files of the workspace are no list's")]

use std::{
    fs::{self, File},
    io,
    path::{Component, Path, PathBuf},
};

/// The folder by its resolved name.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn open(root: &Path) -> io::Result<Folder> {
        Ok(Folder(root.canonicalize()?))
    }

    pub(super) fn to_read(&self, path: &Path) -> io::Result<File> {
        let path = self.within(&self.0.join(path).canonicalize()?)?;
        if !fs::metadata(&path)?.is_file() {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        }
        File::open(path)
    }

    /// Makes the file if need be, and the folders it is in. What was in it stays.
    pub(super) fn to_write(&self, path: &Path) -> io::Result<File> {
        if !path.components().all(|it| matches!(it, Component::Normal(_) | Component::CurDir)) {
            return Err(outside());
        }
        let whole = self.0.join(path);
        let mut standing = whole.as_path();
        while !standing.exists() && !standing.is_symlink() {
            standing = standing.parent().ok_or_else(outside)?;
        }
        self.within(&standing.canonicalize()?)?;
        whole.parent().map_or(Ok(()), fs::create_dir_all)?;
        File::options().write(true).create(true).truncate(false).open(whole)
    }

    fn within(&self, path: &Path) -> io::Result<PathBuf> {
        if path.starts_with(&self.0) { Ok(path.to_owned()) } else { Err(outside()) }
    }
}

fn outside() -> io::Error {
    io::Error::from(io::ErrorKind::CrossesDevices)
}
