//! A new file that gets its name when it is whole, in one step. Not one that is written over.

use super::FILE_MODE;
use rustix::{
    fs::{self, AtFlags, OFlags},
    io::Errno,
};
use std::{
    fs::File,
    io::{self, Write},
    os::fd::{AsFd, AsRawFd},
};

/// Makes a file where nothing is. Where nameless files cannot be, that is `Unsupported`.
pub(super) fn create(directory: &impl AsFd, name: &str, bytes: &[u8]) -> io::Result<()> {
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let mut file = match fs::openat(directory, ".", flags, FILE_MODE) {
        Err(Errno::ISDIR | Errno::INVAL | Errno::NOTSUP) => return Err(io::ErrorKind::Unsupported.into()),
        other => File::from(other?),
    };
    file.write_all(bytes)?;
    match fs::linkat(&file, "", directory, name, AtFlags::EMPTY_PATH) {
        // Older kernels let only some do that by the descriptor.
        Err(Errno::NOENT) => by_path(&file, directory, name),
        other => Ok(other?),
    }
}

/// Names a file by the path under which this process has it open.
fn by_path(file: &File, directory: &impl AsFd, name: &str) -> io::Result<()> {
    let open = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(fs::linkat(fs::CWD, open, directory, name, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vfs::{Disk, Vfs};
    use rustix::fs::Mode;

    #[test]
    fn it_is_there_as_a_whole_and_takes_no_place() {
        let keep = tempfile::tempdir().unwrap();
        let disk = Disk::open(keep.path(), false).unwrap();
        disk.create("7.json", b"ours").unwrap();
        assert_eq!(disk.read("7.json", 100).unwrap(), b"ours");
        assert!(!disk.stat("7.json").unwrap().shared);
        assert_eq!(disk.rights("7.json").unwrap().mode, 0o600);
        let again = disk.create("7.json", b"again").unwrap_err();
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
        disk.make_dir("8.json").unwrap();
        fs::symlinkat("7.json", disk.folder(), "9.json").unwrap();
        for taken in ["8.json", "9.json"] {
            assert_eq!(disk.create(taken, b"ours").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        }
        assert_eq!(disk.read("7.json", 100).unwrap(), b"ours");
        // Nothing else was left, and nothing leads out.
        assert_eq!(disk.names("").unwrap().len(), 3);
        assert!(disk.create("../out.json", b"ours").is_err());
    }

    #[test]
    fn older_kernels_are_told_the_path() {
        let keep = tempfile::tempdir().unwrap();
        let folder = fs::open(keep.path(), OFlags::DIRECTORY, Mode::empty()).unwrap();
        let make = || {
            let flags = OFlags::TMPFILE | OFlags::WRONLY;
            let mut file = File::from(fs::openat(&folder, ".", flags, FILE_MODE).unwrap());
            file.write_all(b"ours").unwrap();
            by_path(&file, &folder, "7.json")
        };
        make().unwrap();
        assert_eq!(make().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        let disk = Disk::open(keep.path(), false).unwrap();
        assert_eq!(disk.read("7.json", 100).unwrap(), b"ours");
    }
}
