//! Opening beneath a folder where the system itself refuses every way out: by links, by `..`, by absolute paths, also while
//! somebody moves things around. Not what is read or written.

use rustix::{
    fd::OwnedFd,
    fs::{Mode, OFlags, ResolveFlags, openat2},
    io::Errno,
};
use std::{
    fs::File,
    io,
    path::{Component, Path, PathBuf},
};

/// A folder, held open: it stays the same one if another is put in its place.
pub(super) struct Folder(OwnedFd);

impl Folder {
    pub(super) fn open(root: &Path) -> io::Result<Folder> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Folder(rustix::fs::open(root, flags, Mode::empty())?))
    }

    pub(super) fn to_read(&self, path: &Path) -> io::Result<File> {
        // A pipe without a writer must not keep us.
        Ok(self.beneath(path, OFlags::RDONLY | OFlags::NONBLOCK).map_err(told)?.into())
    }

    /// Makes the file if need be, and the folders it is in. What was in it stays.
    pub(super) fn to_write(&self, path: &Path) -> io::Result<File> {
        self.folders(path).map_err(told)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::NONBLOCK;
        Ok(self.beneath(path, flags).map_err(told)?.into())
    }

    fn folders(&self, path: &Path) -> Result<(), Errno> {
        let mut so_far = PathBuf::from(".");
        for part in path.parent().into_iter().flat_map(Path::components) {
            let above = so_far.clone();
            so_far.push(part);
            let Component::Normal(name) = part else { continue };
            if self.beneath(&so_far, OFlags::PATH).is_err_and(|it| it == Errno::NOENT) {
                let above = self.beneath(&above, OFlags::RDONLY | OFlags::DIRECTORY)?;
                rustix::fs::mkdirat(&above, name, Mode::from_raw_mode(0o777))?;
            }
        }
        Ok(())
    }

    fn beneath(&self, path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        let made = if flags.contains(OFlags::CREATE) { Mode::from_raw_mode(0o666) } else { Mode::empty() };
        openat2(&self.0, path, flags | OFlags::CLOEXEC, made, resolve)
    }
}

/// The ways out have a kind of their own.
fn told(error: Errno) -> io::Error {
    match error {
        Errno::XDEV | Errno::LOOP => io::Error::from(io::ErrorKind::CrossesDevices),
        other => other.into(),
    }
}
