//! The real disk on Linux: every path opened beneath the folder's descriptor, no link followed, `renameat2`.

mod beneath;
mod locked;
mod nameless;
mod opened;
mod whole;

use super::{Access, Fitness, Handle, Kind, Lock, Rights, Stat, Vfs, each_named, not_a_file, too_large};
use crate::clock;
use beneath::{fitness, is_unsupported, keeps_times, open_beneath, open_folder, same, stat_of};
use locked::Locked;
use opened::Opened;
use rustix::{
    fs::{self, AtFlags, FileType, FlockOperation, Mode, OFlags, RenameFlags},
    io::Errno,
};
use std::{
    fs::File,
    io::{self, Write},
    os::{fd::OwnedFd, unix::fs::FileExt},
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock, mpsc},
    thread,
    time::Duration,
};

/// Modes of what we make: the user's alone.
const FILE_MODE: Mode = Mode::from_raw_mode(0o600);
const DIR_MODE: Mode = Mode::from_raw_mode(0o700);
/// So many bytes of names are asked for at once.
const NAMES_AT_ONCE: usize = 32 * 1024;

/// Before a thread stands in line for the list, it is asked for so often, so long apart.
const MOMENTS: u32 = 6;
const MOMENT: Duration = Duration::from_micros(100);

/// A list's folder on this machine's disk.
pub struct Disk {
    path: PathBuf,
    follow: bool,
    /// Replaced when the folder at the path turns out to be another one.
    folder: RwLock<Arc<OwnedFd>>,
    opened: Opened,
    fitness: Fitness,
    keeps_times: bool,
}

impl Disk {
    /// A lock of the list's folder. Another one may have been put in its place, since we looked or between opening and
    /// locking.
    fn if_still_ours(&self, locked: Locked) -> io::Result<Option<Lock>> {
        self.opened.close();
        let flags = if self.follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
        let (own, there) = (fs::fstat(&locked.0)?, fs::statat(fs::CWD, &self.path, flags)?);
        let is_there = (own.st_dev, own.st_ino) == (there.st_dev, there.st_ino);
        Ok((is_there && same(&self.folder(), &locked.0)?).then(|| Lock::new(locked)))
    }

    /// Opens a folder that exists. A symbolic link in its place is followed only if `follow` says so and it is ours.
    pub fn open(path: &Path, follow: bool) -> io::Result<Disk> {
        let folder = open_folder(path, follow)?;
        let kind = fs::fstatfs(&folder).map(|it| it.f_type).unwrap_or_default();
        let (fitness, keeps_times) = (fitness(kind), keeps_times(kind));
        let folder = RwLock::new(Arc::new(folder));
        Ok(Disk { path: path.to_owned(), follow, folder, opened: Opened::default(), fitness, keeps_times })
    }

    /// Makes a folder, and those above it, for the user alone; an existing one is left as it is.
    pub fn make(path: &Path) -> io::Result<()> {
        match fs::mkdir(path, DIR_MODE) {
            Ok(()) | Err(Errno::EXIST) => Ok(()),
            Err(Errno::NOENT) => match path.parent() {
                Some(above) if !above.as_os_str().is_empty() => {
                    Disk::make(above)?;
                    Ok(fs::mkdir(path, DIR_MODE)
                        .or_else(|error| if error == Errno::EXIST { Ok(()) } else { Err(error) })?)
                }
                _ => Err(Errno::NOENT.into()),
            },
            Err(error) => Err(error.into()),
        }
    }

    fn folder(&self) -> Arc<OwnedFd> {
        self.folder.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn open_file(&self, path: &str, flags: OFlags) -> io::Result<File> {
        let flags = flags | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        let mode = if flags.contains(OFlags::CREATE) { FILE_MODE } else { Mode::empty() };
        let (directory, name) = self.parent(path)?;
        Ok(File::from(open_beneath(&directory, name, flags, mode)?))
    }

    fn open_regular(&self, path: &str, flags: OFlags) -> io::Result<File> {
        let file = self.open_file(path, flags)?;
        let stat = fs::fstat(&file)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(not_a_file());
        }
        Ok(file)
    }

    /// The directory that a path's last name is in, and that name.
    fn parent<'p>(&self, path: &'p str) -> io::Result<(Arc<OwnedFd>, &'p str)> {
        let folder = self.folder();
        match path.rsplit_once('/') {
            None => Ok((folder, path)),
            Some((above, name)) => Ok((self.opened.directory(&folder, above)?, name)),
        }
    }

    fn rename(&self, from: &str, to: &str, flags: RenameFlags) -> io::Result<()> {
        let (from_dir, from) = self.parent(from)?;
        let (to_dir, to) = self.parent(to)?;
        Ok(fs::renameat_with(from_dir, from, to_dir, to, flags)?)
    }

    /// Where two files cannot change places in one step: the old one gets a second name before it is replaced.
    fn exchange_by_links(&self, one: &str, other: &str) -> io::Result<()> {
        let aside = format!("{one}.aside");
        let (one_dir, one_name) = self.parent(one)?;
        let (other_dir, other_name) = self.parent(other)?;
        let (_, aside_name) = self.parent(&aside)?;
        fs::linkat(&other_dir, other_name, &one_dir, aside_name, AtFlags::empty())?;
        fs::renameat(&one_dir, one_name, &other_dir, other_name)?;
        Ok(fs::renameat(&one_dir, aside_name, &one_dir, one_name)?)
    }
}

impl Vfs for Disk {
    fn read(&self, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        self.read_with_stat(path, limit).map(|(_, bytes)| bytes)
    }

    fn read_at(&self, path: &str, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        whole::read_part(&self.open_regular(path, OFlags::RDONLY)?, offset, length)
    }

    fn opened(&self, path: &str, limit: u64) -> io::Result<Box<dyn Handle>> {
        let file = self.open_file(path, OFlags::RDONLY)?;
        let stat = stat_of(&fs::fstat(&file)?);
        match stat.kind {
            Kind::File if stat.length > limit => Err(too_large(limit)),
            Kind::File => Ok(Box::new(file)),
            _ => Err(not_a_file()),
        }
    }

    fn names(&self, path: &str) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        self.each_name(path, &mut |it| names.push(it.to_owned()))?;
        Ok(names)
    }

    fn each_name(&self, path: &str, see: &mut dyn FnMut(&str)) -> io::Result<()> {
        let path = if path.is_empty() { "." } else { path };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = open_beneath(&self.folder(), path, flags, Mode::empty())?;
        let mut room = Vec::with_capacity(NAMES_AT_ONCE);
        let mut entries = fs::RawDir::new(directory, room.spare_capacity_mut());
        while let Some(entry) = entries.next() {
            // Names that are not text are nobody's tasks.
            match entry?.file_name().to_str() {
                Ok("." | "..") | Err(_) => {}
                Ok(name) => see(name),
            }
        }
        Ok(())
    }

    fn stat(&self, path: &str) -> io::Result<Stat> {
        let (directory, name) = self.parent(path)?;
        let name = if name.is_empty() { "." } else { name };
        Ok(stat_of(&fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)?))
    }

    /// With the folder looked up once: threads that do this beside each other would wait for each other.
    fn stat_each(
        &self,
        count: usize,
        name: &dyn Fn(usize, &mut String),
        see: &mut dyn FnMut(usize, Option<Stat>),
    ) {
        let folder = self.folder();
        let stat = |name: &str| fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW).ok();
        each_named(count, name, &mut |n, it| see(n, stat(it).map(|it| stat_of(&it))));
    }

    fn read_with_stat(&self, path: &str, limit: u64) -> io::Result<(Stat, Vec<u8>)> {
        whole::read(self.open_file(path, OFlags::RDONLY)?, limit)
    }

    /// The kernel's clock for files moves on at least a hundred times a second; the file systems below keep what it says.
    fn grain_ms(&self) -> Option<i64> {
        self.keeps_times.then_some(50)
    }

    fn rights(&self, path: &str) -> io::Result<Rights> {
        let (directory, name) = self.parent(path)?;
        let name = if name.is_empty() { "." } else { name };
        let stat = fs::statat(&directory, name, AtFlags::SYMLINK_NOFOLLOW)?;
        let may = |access| fs::accessat(&directory, name, access, AtFlags::EACCESS).is_ok();
        let access = match (may(fs::Access::READ_OK), may(fs::Access::WRITE_OK)) {
            (false, _) => Access::None,
            (true, false) => Access::Read,
            (true, true) => Access::Write,
        };
        let mine = stat.st_uid == rustix::process::geteuid().as_raw();
        Ok(Rights { mode: stat.st_mode & 0o7777, mine, access })
    }

    /// Over what is there, and the rest cut off: a file that is emptied first is flushed by some file systems when it is
    /// closed, and gives its place on the disk back only to be given another.
    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.open_file(path, OFlags::WRONLY | OFlags::CREATE)?;
        let stat = stat_of(&fs::fstat(&file)?);
        if stat.kind != Kind::File {
            return Err(not_a_file());
        }
        file.write_all(bytes)?;
        let length = bytes.len() as u64;
        if stat.length > length { file.set_len(length) } else { Ok(()) }
    }

    fn create(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let (directory, name) = self.parent(path)?;
        nameless::create(&directory, name, bytes)
    }

    fn write_at(&self, path: &str, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.open_regular(path, OFlags::WRONLY)?.write_all_at(bytes, offset)
    }

    fn write_durably(&self, path: &str, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let file = self.open_regular(path, OFlags::WRONLY)?;
        file.write_all_at(bytes, offset)?;
        file.sync_data()
    }

    fn write_each(&self, path: &str, pieces: &[(u64, Vec<u8>)]) -> io::Result<()> {
        let file = self.open_regular(path, OFlags::WRONLY)?;
        pieces.iter().try_for_each(|(offset, bytes)| file.write_all_at(bytes, *offset))
    }

    fn append(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.open_regular(path, OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE)?.write_all(bytes)
    }

    fn truncate(&self, path: &str, length: u64) -> io::Result<()> {
        self.open_regular(path, OFlags::WRONLY)?.set_len(length)
    }

    fn sync(&self, path: &str) -> io::Result<()> {
        let path = if path.is_empty() { "." } else { path };
        let file = self.open_file(path, OFlags::RDONLY)?;
        if file.metadata()?.is_dir() { file.sync_all() } else { file.sync_data() }
    }

    fn exchange(&self, one: &str, other: &str) -> io::Result<()> {
        match self.rename(one, other, RenameFlags::EXCHANGE) {
            Err(error) if is_unsupported(&error) => self.exchange_by_links(one, other),
            done => done,
        }
    }

    fn place(&self, from: &str, to: &str) -> io::Result<()> {
        match self.rename(from, to, RenameFlags::NOREPLACE) {
            Err(error) if is_unsupported(&error) => {
                let (from_dir, from) = self.parent(from)?;
                let (to_dir, to) = self.parent(to)?;
                fs::linkat(&from_dir, from, &to_dir, to, AtFlags::empty())?;
                Ok(fs::unlinkat(&from_dir, from, AtFlags::empty())?)
            }
            done => done,
        }
    }

    fn replace(&self, from: &str, to: &str) -> io::Result<()> {
        self.rename(from, to, RenameFlags::empty())
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        let (directory, name) = self.parent(path)?;
        Ok(fs::unlinkat(directory, name, AtFlags::empty())?)
    }

    fn make_dir(&self, path: &str) -> io::Result<()> {
        let (directory, name) = self.parent(path)?;
        Ok(fs::mkdirat(directory, name, DIR_MODE)?)
    }

    fn remove_dir(&self, path: &str) -> io::Result<()> {
        let (directory, name) = self.parent(path)?;
        Ok(fs::unlinkat(directory, name, AtFlags::REMOVEDIR)?)
    }

    fn look_again(&self) -> io::Result<bool> {
        self.opened.close();
        let folder = open_folder(&self.path, self.follow)?;
        let other = !same(&self.folder(), &folder)?;
        if other {
            *self.folder.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(folder);
        }
        Ok(other)
    }

    fn try_lock(&self, path: Option<&str>) -> io::Result<Option<Lock>> {
        let file = match path {
            Some(path) => locked::lockable(self.open_file(path, OFlags::RDONLY)?)?,
            None => open_folder(&self.path, self.follow)?,
        };
        match fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) => return Ok(None),
            other => other?,
        }
        let locked = Locked(file);
        if path.is_none() { self.if_still_ours(locked) } else { Ok(Some(Lock::new(locked))) }
    }

    /// The kernel keeps the line; a thread stands in it, because a wait there knows no end. But most have the list for less
    /// time than it takes to start one.
    fn queue_for_lock(&self, milliseconds: u64) -> io::Result<Option<Lock>> {
        let file = open_folder(&self.path, self.follow)?;
        for _ in 0..MOMENTS {
            clock::pause(MOMENT);
            match fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Err(Errno::WOULDBLOCK) => {}
                other => return other.map(|()| self.if_still_ours(Locked(file)))?,
            }
        }
        let (sender, receiver) = mpsc::channel();
        let stand = move || {
            let locked = loop {
                match fs::flock(&file, FlockOperation::LockExclusive) {
                    Err(Errno::INTR) => {}
                    other => break other.map(|()| Locked(file)),
                }
            };
            // If nobody waits any more, the lock goes with the message.
            _ = sender.send(locked);
        };
        if thread::Builder::new().name("lock".to_owned()).spawn(stand).is_err() {
            return Ok(None);
        }
        match receiver.recv_timeout(Duration::from_millis(milliseconds)) {
            Ok(locked) => self.if_still_ours(locked?),
            Err(_) => Ok(None),
        }
    }

    fn link_outside(&self, path: &str, outside: &Path) -> io::Result<()> {
        if let Some(above) = outside.parent() {
            Disk::make(above)?;
        }
        let (directory, name) = self.parent(path)?;
        match fs::unlink(outside) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(fs::linkat(directory, name, fs::CWD, outside, AtFlags::empty())?)
    }

    fn link_inside(&self, outside: &Path, path: &str) -> io::Result<()> {
        let (directory, name) = self.parent(path)?;
        Ok(fs::linkat(fs::CWD, outside, directory, name, AtFlags::empty())?)
    }

    fn fitness(&self) -> Fitness {
        self.fitness.clone()
    }

    /// The kernel lists the holders of locks by inode.
    fn holder(&self) -> Option<String> {
        let inode = fs::fstat(&*self.folder()).ok()?.st_ino.to_string();
        let locks = read_proc("/proc/locks")?;
        let line = locks.lines().find(|line| {
            line.contains("FLOCK") && !line.contains("->") && line.split([' ', ':']).any(|word| word == inode)
        })?;
        let process = line.split_whitespace().nth(4)?;
        let name = read_proc(&format!("/proc/{process}/comm")).unwrap_or_default();
        Some(format!("process {process} ({})", name.trim()))
    }
}

#[expect(clippy::disallowed_methods, reason = "the kernel's own files are not on the list's disk")]
fn read_proc(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok()
}
