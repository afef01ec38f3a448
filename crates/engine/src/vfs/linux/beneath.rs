//! Opening beneath a folder without following anything out of it, and what a file system can be relied on for. Not the
//! calls that a list makes.

use crate::vfs::{Fitness, Kind, Stat, not_a_file};
use rustix::{
    fs::{self, FileType, Mode, OFlags, ResolveFlags},
    io::Errno,
};
use std::{
    io,
    os::fd::{AsFd, OwnedFd},
    path::Path,
};

/// Whether two descriptors are of one folder.
pub(super) fn same(one: &OwnedFd, other: &OwnedFd) -> io::Result<bool> {
    let (one, other) = (fs::fstat(one)?, fs::fstat(other)?);
    Ok((one.st_dev, one.st_ino) == (other.st_dev, other.st_ino))
}

pub(super) fn open_folder(path: &Path, follow: bool) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    match fs::open(path, flags | OFlags::NOFOLLOW, Mode::empty()) {
        Err(Errno::LOOP | Errno::NOTDIR) if is_link(path)? => {
            let link = fs::lstat(path)?;
            if !follow || link.st_uid != rustix::process::geteuid().as_raw() {
                let reason =
                    "the folder is a symbolic link; name its target, or the link itself if it is yours";
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
            }
            Ok(fs::open(path, flags, Mode::empty())?)
        }
        other => Ok(other?),
    }
}

fn is_link(path: &Path) -> io::Result<bool> {
    Ok(FileType::from_raw_mode(fs::lstat(path)?.st_mode) == FileType::Symlink)
}

/// Opens beneath a directory and follows no link. An old kernel without `openat2` checks only the last name.
pub(super) fn open_beneath(
    directory: &impl AsFd,
    path: &str,
    flags: OFlags,
    mode: Mode,
) -> io::Result<OwnedFd> {
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    match fs::openat2(directory, path, flags, mode, resolve) {
        Err(Errno::NOSYS | Errno::PERM) => Ok(fs::openat(directory, path, flags | OFlags::NOFOLLOW, mode)?),
        // A link, a pipe without a reader, a socket, a directory opened for writing.
        Err(Errno::LOOP | Errno::NXIO | Errno::ISDIR) => Err(not_a_file()),
        other => Ok(other?),
    }
}

pub(super) fn is_unsupported(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP))
}

pub(super) fn stat_of(stat: &fs::Stat) -> Stat {
    let kind = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Directory,
        FileType::Symlink => Kind::Link,
        _ => Kind::Other,
    };
    let nanoseconds = |seconds: i64, rest: u64| {
        seconds.saturating_mul(1_000_000_000).saturating_add(i64::try_from(rest).unwrap_or(0))
    };
    Stat {
        kind,
        inode: stat.st_ino,
        modified: nanoseconds(stat.st_mtime, stat.st_mtime_nsec),
        changed: nanoseconds(stat.st_ctime, stat.st_ctime_nsec),
        length: u64::try_from(stat.st_size).unwrap_or(0),
        shared: stat.st_nlink != 1,
    }
}

/// File systems of this machine that keep times as fine as the kernel gives them: ext4, xfs, btrfs, tmpfs, f2fs, overlays.
pub(super) fn keeps_times(kind: fs::FsWord) -> bool {
    matches!(kind, 0xEF53 | 0x5846_5342 | 0x9123_683E | 0x0102_1994 | 0xF2F5_2010 | 0x794C_7630)
}

/// File systems on which a lock here means nothing elsewhere.
pub(super) fn fitness(kind: fs::FsWord) -> Fitness {
    let name = match kind {
        0x6969 => "NFS",
        0x517B => "SMB",
        0xFF53_4D42 | 0xFE53_4D42 => "SMB/CIFS",
        0x0102_1997 => "9p",
        0x5346_414F => "AFS",
        0x00C3_6400 => "Ceph",
        0x6573_5546 => return Fitness::NoExchange,
        _ => return Fitness::Full,
    };
    Fitness::NoExclusion { kind: name.to_owned() }
}
