//! The few things a list asks of a disk, so that a simulated disk can fail, crash and lose power in its place.
//! Not a general file system: every path is relative to the list's folder and never leaves it.

pub mod folder;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(not(target_os = "linux"), feature = "simulation"))]
mod portable;
#[cfg(feature = "simulation")]
pub mod sim;

#[cfg(target_os = "linux")]
pub use linux::Disk;
#[cfg(not(target_os = "linux"))]
pub use portable::Portable as Disk;
#[cfg(feature = "simulation")]
pub use portable::Portable;

use crate::time::Time;
use std::{io, path::Path};

/// A file that was opened to be read.
pub trait Handle: Send + Sync {
    /// Some of its bytes, fewer at its end.
    fn part(&self, offset: u64, length: usize) -> io::Result<Vec<u8>>;
}

/// One that was read already.
impl Handle for Vec<u8> {
    fn part(&self, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.len());
        Ok(self[start..start.saturating_add(length).min(self.len())].to_vec())
    }
}

/// A folder on a disk.
///
/// Paths are names or `dir/name`, beneath the folder. No call follows a symbolic link; reading anything but a
/// regular file fails. A call either happens or it does not; only `write`, `write_at` and `append` can stop half
/// way, and they are used on files that nobody trusts before they were checked.
pub trait Vfs: Send + Sync {
    /// The bytes of a regular file of at most `limit` bytes.
    fn read(&self, path: &str, limit: u64) -> io::Result<Vec<u8>>;
    /// Some bytes of a file, fewer at its end.
    fn read_at(&self, path: &str, offset: u64, length: usize) -> io::Result<Vec<u8>>;
    /// A file that is read later, and then is still the same one, whatever was put in its place.
    fn opened(&self, path: &str, limit: u64) -> io::Result<Box<dyn Handle>> {
        Ok(Box::new(self.read(path, limit)?))
    }
    /// The names in a directory (`""` is the list's own).
    fn names(&self, path: &str) -> io::Result<Vec<String>>;
    /// Shows the names in a directory one by one, without keeping them.
    fn each_name(&self, path: &str, see: &mut dyn FnMut(&str)) -> io::Result<()> {
        self.names(path)?.iter().for_each(|it| see(it));
        Ok(())
    }
    /// What stands at a path.
    fn stat(&self, path: &str) -> io::Result<Stat>;
    /// What stands at each of so many names in the folder, in their order; none for those of which that cannot be told.
    /// Each is put into an empty text when it is its turn.
    fn stat_each(
        &self,
        count: usize,
        name: &dyn Fn(usize, &mut String),
        see: &mut dyn FnMut(usize, Option<Stat>),
    ) {
        each_named(count, name, &mut |n, it| see(n, self.stat(it).ok()));
    }
    /// What stands at a path and its bytes, which are those of that moment or of a later one.
    fn read_with_stat(&self, path: &str, limit: u64) -> io::Result<(Stat, Vec<u8>)> {
        Ok((self.stat(path)?, self.read(path, limit)?))
    }
    /// After so many milliseconds a change of a file surely shows in its times; none where they cannot be relied on.
    fn grain_ms(&self) -> Option<i64> {
        None
    }
    /// Whose a thing is and what we may do with it. Asked only when a list is looked over.
    fn rights(&self, path: &str) -> io::Result<Rights>;
    /// Makes a file, or replaces what is in it, in place.
    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()>;
    /// Makes a file with these bytes where nothing is: it is there with all of them or not at all. Fails with `AlreadyExists`
    /// where something is, and with `Unsupported` on a disk that cannot do that in one step.
    fn create(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        _ = (path, bytes);
        Err(io::ErrorKind::Unsupported.into())
    }
    /// Changes some bytes of a file in place, which must exist.
    fn write_at(&self, path: &str, offset: u64, bytes: &[u8]) -> io::Result<()>;
    /// The same, flushed: when it returns, a loss of power does not take the bytes away any more.
    fn write_durably(&self, path: &str, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.write_at(path, offset, bytes)?;
        self.sync(path)
    }
    /// Changes some bytes here and some there, in this order.
    fn write_each(&self, path: &str, pieces: &[(u64, Vec<u8>)]) -> io::Result<()> {
        pieces.iter().try_for_each(|(offset, bytes)| self.write_at(path, *offset, bytes))
    }
    /// Adds to the end of a file, which is made if need be.
    fn append(&self, path: &str, bytes: &[u8]) -> io::Result<()>;
    /// Cuts a file.
    fn truncate(&self, path: &str, length: u64) -> io::Result<()>;
    /// Returns when a file's bytes, or a directory's names, would survive a loss of power.
    fn sync(&self, path: &str) -> io::Result<()>;
    /// Two files change places.
    fn exchange(&self, one: &str, other: &str) -> io::Result<()>;
    /// Moves a file or directory to where nothing is; fails with `AlreadyExists` otherwise.
    fn place(&self, from: &str, to: &str) -> io::Result<()>;
    /// Moves a file over whatever file is there.
    fn replace(&self, from: &str, to: &str) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &str) -> io::Result<()>;
    /// Makes a directory.
    fn make_dir(&self, path: &str) -> io::Result<()>;
    /// Removes an empty directory.
    fn remove_dir(&self, path: &str) -> io::Result<()>;
    /// Goes on with the folder that is at the path now; whether it is another than before. A disk that holds on to
    /// no folder has nothing to do.
    fn look_again(&self) -> io::Result<bool> {
        Ok(false)
    }
    /// Tries to take the list's lock, or with a path that of a file or directory, which must exist. Dies with the process.
    fn try_lock(&self, path: Option<&str>) -> io::Result<Option<Lock>>;
    /// Waits in line for the list's lock, at most so many milliseconds; none if it did not come. A disk without a line
    /// has none at once: who keeps trying may be overtaken for ever by others who come later.
    fn queue_for_lock(&self, milliseconds: u64) -> io::Result<Option<Lock>> {
        _ = milliseconds;
        Ok(None)
    }
    /// Gives a file a second name outside the folder, in place of an older one there.
    fn link_outside(&self, path: &str, outside: &Path) -> io::Result<()>;
    /// Gives a file outside the folder a second name inside it. A disk without an outside has nothing to give.
    fn link_inside(&self, _outside: &Path, path: &str) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::NotFound, format!("{path} has no other place")))
    }
    /// What the file system can do.
    fn fitness(&self) -> Fitness;
    /// Who holds the list's lock, if that can be told.
    fn holder(&self) -> Option<String>;
}

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// What it is.
    pub kind: Kind,
    /// Its identity.
    pub inode: u64,
    /// When its bytes last changed, in nanoseconds. A time that is further from 1970 than three hundred years is not told.
    pub modified: i64,
    /// When anything about it last changed, in nanoseconds.
    pub changed: i64,
    /// Its length.
    pub length: u64,
    /// Whether it has other names as well.
    pub shared: bool,
}

impl Stat {
    /// So many milliseconds ago its bytes were changed.
    pub fn modified_ago(&self, now: Time) -> i64 {
        now.0.saturating_sub(self.modified / 1_000_000)
    }

    /// Whether nothing about it was changed since a moment, in milliseconds.
    pub fn is_older_than(&self, moment: i64) -> bool {
        i128::from(self.changed) < i128::from(moment) * 1_000_000
    }

    /// So many milliseconds ago anything about it was changed.
    pub fn changed_ago(&self, now: Time) -> i64 {
        now.0.saturating_sub(self.changed / 1_000_000)
    }
}

/// The kinds of things on a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link. Not followed.
    Link,
    /// Anything else: pipes, sockets, devices. Left alone.
    Other,
}

/// Whose a thing on a disk is, and what this process may do with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rights {
    /// Its mode; where there are none, that of a thing which is its owner's alone.
    pub mode: u32,
    /// Whether it belongs to the user of this process.
    pub mine: bool,
    /// What we may do.
    pub access: Access,
}

/// What may be done with a thing on a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Nothing.
    None,
    /// Reading.
    Read,
    /// Reading and writing.
    Write,
}

/// What a file system can do for a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fitness {
    /// All that is needed.
    Full,
    /// Locks hold, but two files cannot change places in one step: a reader may see a file missing for a moment.
    NoExchange,
    /// Locks do not hold between machines or at all: such a list may be read, not shared.
    NoExclusion {
        /// What it is called.
        kind: String,
    },
}

/// A lock that is held until dropped.
pub struct Lock(#[expect(dead_code, reason = "held for its drop")] Box<dyn std::any::Any + Send>);

impl Lock {
    /// Wraps whatever lets go when dropped.
    pub fn new(held: impl std::any::Any + Send) -> Lock {
        Lock(Box::new(held))
    }
}

impl std::fmt::Debug for Lock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Lock")
    }
}

/// Shows names one after the other, all in the same place.
fn each_named(count: usize, name: &dyn Fn(usize, &mut String), see: &mut dyn FnMut(usize, &str)) {
    let mut place = String::new();
    for n in 0..count {
        place.clear();
        name(n, &mut place);
        see(n, &place);
    }
}

/// Nothing there is an answer, not a failure.
pub(crate) fn missing<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Puts a draft in the place of a file, or where there is none yet, in one step. Where two files can change places they
/// do, and the draft's name is left with what was there, to be written over: the bytes of a file that replaces another are
/// flushed first by some file systems, and that takes longer than all the rest.
pub(crate) fn put_draft(vfs: &dyn Vfs, draft: &str, path: &str) -> io::Result<()> {
    let exchanged = (vfs.fitness() == Fitness::Full).then(|| missing(vfs.exchange(draft, path)));
    match exchanged.transpose()?.flatten() {
        Some(()) => Ok(()),
        None => vfs.replace(draft, path),
    }
}

/// The failure of reading what is not a regular file.
pub(crate) fn not_a_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")
}

/// The failure of reading what is larger than allowed.
pub(crate) fn too_large(limit: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {limit} bytes"))
}
