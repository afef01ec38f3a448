//! Directories that one command comes to many times, opened once. Not for longer: by then there may be others in their places.

use super::beneath::open_beneath;
use rustix::fs::{Mode, OFlags};
use std::{
    io,
    os::fd::OwnedFd,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// They are ours, and none of us moves them.
const OFTEN: [&str; 4] = [".worklist", ".worklist/pins", ".worklist/sessions", ".worklist/spare"];

/// What was opened since the folder was last looked for.
#[derive(Default)]
pub(super) struct Opened(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    /// How often all were closed: what another thread began to open before that is not kept.
    closed: u64,
    directories: Vec<Directory>,
}

struct Directory {
    path: &'static str,
    /// Beneath which folder: another thread may have found another one since.
    folder: Arc<OwnedFd>,
    opened: Arc<OwnedFd>,
}

impl Opened {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on they are opened anew.
    pub(super) fn close(&self) {
        let mut kept = self.kept();
        kept.closed += 1;
        kept.directories.clear();
    }

    /// A directory beneath the folder.
    pub(super) fn directory(&self, folder: &Arc<OwnedFd>, path: &str) -> io::Result<Arc<OwnedFd>> {
        let often = OFTEN.into_iter().find(|it| *it == path);
        let is_it = |it: &&Directory| it.path == path && Arc::ptr_eq(&it.folder, folder);
        let kept = self.kept();
        if let Some(known) = kept.directories.iter().find(is_it) {
            return Ok(known.opened.clone());
        }
        let closed = kept.closed;
        drop(kept);
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = Arc::new(open_beneath(folder, path, flags, Mode::empty())?);
        let mut kept = self.kept();
        if let Some(path) = often.filter(|_| kept.closed == closed) {
            kept.directories.push(Directory { path, folder: folder.clone(), opened: opened.clone() });
        }
        Ok(opened)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs;

    #[test]
    fn another_in_its_place_is_found_after_the_next_look() {
        let keep = tempfile::tempdir().unwrap();
        let make = |name: &str| fs::mkdir(keep.path().join(name), Mode::RWXU).unwrap();
        make(".worklist");
        let open = || Arc::new(fs::open(keep.path(), OFlags::DIRECTORY, Mode::empty()).unwrap());
        let folder = open();
        let (opened, inode) = (Opened::default(), |it: &OwnedFd| fs::fstat(it).unwrap().st_ino);
        let first = inode(&opened.directory(&folder, ".worklist").unwrap());
        fs::rename(keep.path().join(".worklist"), keep.path().join("aside")).unwrap();
        make(".worklist");
        assert_eq!(inode(&opened.directory(&folder, ".worklist").unwrap()), first);
        // Another thread found another folder: what is beneath the old one is not beneath that.
        assert_ne!(inode(&opened.directory(&open(), ".worklist").unwrap()), first);
        opened.close();
        assert_ne!(inode(&opened.directory(&folder, ".worklist").unwrap()), first);
    }
}
