//! The real disk by the standard library alone, for systems other than Linux. Untested there, tested on Linux.
//!
//! What it lacks: two files change places in two steps, and the last name of a path is checked for links, not all.
#![expect(clippy::disallowed_methods, reason = "this is one of the files that the lint points to")]

use super::{Access, Fitness, Handle, Kind, Lock, Rights, Stat, Vfs, not_a_file, too_large};
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

/// A list's folder, by paths.
pub struct Portable {
    folder: PathBuf,
}

impl Portable {
    /// Opens a folder that exists.
    pub fn open(path: &Path, follow: bool) -> io::Result<Portable> {
        let link = fs::symlink_metadata(path)?.is_symlink();
        if link && !follow {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the folder is a symbolic link"));
        }
        if !fs::metadata(path)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Portable { folder: path.to_owned() })
    }

    /// Makes a folder and those above it.
    pub fn make(path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    fn regular(&self, path: &str) -> io::Result<PathBuf> {
        let path = self.at(path);
        match fs::symlink_metadata(&path) {
            Ok(it) if !it.is_file() => Err(not_a_file()),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(path),
        }
    }
}

/// One who reads moves where the next one would.
struct OpenFile(Mutex<File>);

impl Handle for OpenFile {
    fn part(&self, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset))?;
        let mut bytes = Vec::new();
        Read::take(&mut *file, length as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

impl Vfs for Portable {
    fn read(&self, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(self.regular(path)?)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
    }

    fn read_at(&self, path: &str, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        OpenFile(Mutex::new(File::open(self.regular(path)?)?)).part(offset, length)
    }

    fn opened(&self, path: &str, limit: u64) -> io::Result<Box<dyn Handle>> {
        let file = File::open(self.regular(path)?)?;
        if file.metadata()?.len() > limit {
            return Err(too_large(limit));
        }
        Ok(Box::new(OpenFile(Mutex::new(file))))
    }

    fn names(&self, path: &str) -> io::Result<Vec<String>> {
        let names = fs::read_dir(self.at(path))?.map(|it| it.map(|it| it.file_name().into_string().ok()));
        names.filter_map(Result::transpose).collect()
    }

    fn stat(&self, path: &str) -> io::Result<Stat> {
        let it = fs::symlink_metadata(self.at(path))?;
        let kind = match it.file_type() {
            kind if kind.is_file() => Kind::File,
            kind if kind.is_dir() => Kind::Directory,
            kind if kind.is_symlink() => Kind::Link,
            _ => Kind::Other,
        };
        let since =
            |time: SystemTime| time.duration_since(UNIX_EPOCH).map(|it| it.as_nanos()).unwrap_or_default();
        let modified = i64::try_from(since(it.modified()?)).unwrap_or(i64::MAX);
        Ok(Stat {
            kind,
            inode: inode(&it),
            modified,
            changed: modified,
            length: it.len(),
            shared: is_shared(&it),
        })
    }

    /// The owner is not asked for: the standard library cannot tell who we are.
    fn rights(&self, path: &str) -> io::Result<Rights> {
        let it = fs::symlink_metadata(self.at(path))?;
        let access = if it.permissions().readonly() { Access::Read } else { Access::Write };
        Ok(Rights { mode: mode(&it), mine: true, access })
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        fs::write(self.regular(path)?, bytes)
    }

    fn write_at(&self, path: &str, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).open(self.regular(path)?)?;
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(bytes)
    }

    fn append(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        OpenOptions::new().append(true).create(true).open(self.regular(path)?)?.write_all(bytes)
    }

    fn truncate(&self, path: &str, length: u64) -> io::Result<()> {
        OpenOptions::new().write(true).open(self.regular(path)?)?.set_len(length)
    }

    fn sync(&self, path: &str) -> io::Result<()> {
        let path = self.at(path);
        if path.is_dir() {
            // Directories cannot be opened everywhere; where they can, their names are flushed.
            return File::open(path).and_then(|it| it.sync_all()).or(Ok(()));
        }
        OpenOptions::new().write(true).open(path)?.sync_data()
    }

    fn exchange(&self, one: &str, other: &str) -> io::Result<()> {
        let (one, other) = (self.at(one), self.at(other));
        let aside = one.with_extension("aside");
        fs::hard_link(&other, &aside)?;
        fs::rename(&one, &other)?;
        fs::rename(&aside, &one)
    }

    fn place(&self, from: &str, to: &str) -> io::Result<()> {
        let (from, to) = (self.at(from), self.at(to));
        if fs::symlink_metadata(&from)?.is_dir() {
            if fs::symlink_metadata(&to).is_ok() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            return fs::rename(from, to);
        }
        fs::hard_link(&from, &to)?;
        fs::remove_file(from)
    }

    fn replace(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.at(from), self.at(to))
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        fs::remove_file(self.at(path))
    }

    fn make_dir(&self, path: &str) -> io::Result<()> {
        fs::create_dir(self.at(path))
    }

    fn remove_dir(&self, path: &str) -> io::Result<()> {
        fs::remove_dir(self.at(path))
    }

    /// A folder cannot be locked everywhere: the list's lock is a file beside it that is never removed.
    fn try_lock(&self, path: Option<&str>) -> io::Result<Option<Lock>> {
        let file = match path {
            Some(path) => File::open(self.regular(path)?)?,
            None => {
                let mut name = self.folder.file_name().unwrap_or_default().to_owned();
                name.push(".worklist-lock");
                let path = self.folder.with_file_name(name);
                OpenOptions::new().write(true).create(true).truncate(false).open(path)?
            }
        };
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock::new(file))),
            Err(fs::TryLockError::WouldBlock) => Ok(None),
            Err(fs::TryLockError::Error(error)) => Err(error),
        }
    }

    fn link_outside(&self, path: &str, outside: &Path) -> io::Result<()> {
        if let Some(above) = outside.parent() {
            fs::create_dir_all(above)?;
        }
        match fs::remove_file(outside) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        fs::hard_link(self.at(path), outside)
    }

    fn link_inside(&self, outside: &Path, path: &str) -> io::Result<()> {
        fs::hard_link(outside, self.at(path))
    }

    fn fitness(&self) -> Fitness {
        Fitness::NoExchange
    }

    fn holder(&self) -> Option<String> {
        None
    }
}

#[cfg(unix)]
fn inode(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn inode(_metadata: &fs::Metadata) -> u64 {
    0
}

#[cfg(unix)]
fn mode(metadata: &fs::Metadata) -> u32 {
    std::os::unix::fs::MetadataExt::mode(metadata) & 0o7777
}

#[cfg(not(unix))]
fn mode(_metadata: &fs::Metadata) -> u32 {
    0o600
}

#[cfg(unix)]
fn is_shared(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) != 1
}

#[cfg(not(unix))]
fn is_shared(_metadata: &fs::Metadata) -> bool {
    false
}
