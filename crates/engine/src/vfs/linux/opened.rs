//! Directories that one command comes to many times, opened once. Not for longer: by then there may be others in their places.

use super::beneath::open_beneath;
use rustix::fs::{Mode, OFlags};
use std::{
    io,
    os::fd::OwnedFd,
    sync::{Arc, PoisonError, RwLock},
};

/// They are ours, and none of us moves them.
const OFTEN: [&str; 4] = [".worklist", ".worklist/pins", ".worklist/sessions", ".worklist/spare"];

/// What was opened since the folder was last looked for.
#[derive(Default)]
pub(super) struct Opened(RwLock<Vec<(&'static str, Arc<OwnedFd>)>>);

impl Opened {
    /// From now on they are opened anew.
    pub(super) fn close(&self) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// A directory beneath the folder.
    pub(super) fn directory(&self, folder: &OwnedFd, path: &str) -> io::Result<Arc<OwnedFd>> {
        let often = OFTEN.iter().find(|it| **it == path);
        let opened = || self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(often) = often
            && let Some((_, directory)) = opened().iter().find(|(it, _)| it == often)
        {
            return Ok(directory.clone());
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = Arc::new(open_beneath(folder, path, flags, Mode::empty())?);
        if let Some(often) = often {
            self.0.write().unwrap_or_else(PoisonError::into_inner).push((often, directory.clone()));
        }
        Ok(directory)
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
        let folder = fs::open(keep.path(), OFlags::DIRECTORY | OFlags::RDONLY, Mode::empty()).unwrap();
        let (opened, inode) = (Opened::default(), |it: &OwnedFd| fs::fstat(it).unwrap().st_ino);
        let first = inode(&opened.directory(&folder, ".worklist").unwrap());
        fs::rename(keep.path().join(".worklist"), keep.path().join("aside")).unwrap();
        make(".worklist");
        assert_eq!(inode(&opened.directory(&folder, ".worklist").unwrap()), first);
        opened.close();
        assert_ne!(inode(&opened.directory(&folder, ".worklist").unwrap()), first);
    }
}
