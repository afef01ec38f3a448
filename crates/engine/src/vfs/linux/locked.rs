//! What is locked, and let go. Not the waiting for it.

use super::{beneath::stat_of, not_a_file};
use crate::vfs::Kind;
use rustix::fs::{self, FlockOperation};
use std::{fs::File, io, os::fd::OwnedFd};

/// Something that is locked. Let go by saying so: a process that is just being started has a copy of every descriptor for a
/// moment, and only closing ours would leave the lock with it.
pub(super) struct Locked(pub(super) OwnedFd);

impl Drop for Locked {
    fn drop(&mut self) {
        // Where that fails, closing it will do.
        _ = fs::flock(&self.0, FlockOperation::Unlock);
    }
}

/// A file or a directory: nothing else is locked.
pub(super) fn lockable(file: File) -> io::Result<OwnedFd> {
    match stat_of(&fs::fstat(&file)?).kind {
        Kind::File | Kind::Directory => Ok(file.into()),
        _ => Err(not_a_file()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vfs::{Disk, Vfs, linux::open_folder};

    #[test]
    fn a_lock_is_let_go_while_a_child_still_has_its_descriptor() {
        let keep = tempfile::tempdir().unwrap();
        let disk = Disk::open(keep.path(), false).unwrap();
        let folder = open_folder(keep.path(), false).unwrap();
        fs::flock(&folder, FlockOperation::NonBlockingLockExclusive).unwrap();
        let child = folder.try_clone().unwrap();
        let lock = disk.if_still_ours(Locked(folder)).unwrap();
        assert!(lock.is_some() && disk.try_lock(None).unwrap().is_none());
        drop(lock);
        assert!(disk.try_lock(None).unwrap().is_some());
        drop(child);
    }

    #[test]
    fn a_file_and_a_directory_are_locked_once() {
        let keep = tempfile::tempdir().unwrap();
        let disk = Disk::open(keep.path(), false).unwrap();
        disk.make_dir("inside").unwrap();
        disk.write("file", b"").unwrap();
        for path in ["inside", "file"] {
            let lock = disk.try_lock(Some(path)).unwrap();
            assert!(lock.is_some() && disk.try_lock(Some(path)).unwrap().is_none());
            drop(lock);
            assert!(disk.try_lock(Some(path)).unwrap().is_some());
        }
        // The list's own lock is another.
        let _lock = disk.try_lock(Some("inside")).unwrap();
        assert!(disk.try_lock(None).unwrap().is_some());
        assert_eq!(disk.try_lock(Some("nothing")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
