//! Disks on which nobody keeps anybody out: to see the tests go red that rely on the lock, and writing refused.

use std::{io, path::Path, sync::Arc};
use worklist::{
    Error, TaskList,
    conformance::{self, Setup},
    format::named,
    store::{Store, files::Files},
    vfs::{
        Fitness, Lock, Rights, Stat, Vfs,
        sim::{SimClock, SimDisk},
    },
};

/// A disk that is not what a list needs.
pub(crate) struct Bent<V> {
    pub(crate) disk: V,
    pub(crate) how: How,
}

/// What is wrong with it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// The list's lock is an empty word, and writing into files is slow, so that others can decide meanwhile.
    NoLock,
    /// This file belongs to another user, and cannot be written into.
    Theirs { inode: u64 },
    /// It is on a file system that cannot keep machines apart.
    Network,
}

/// Hands calls through to the disk inside.
macro_rules! handed_through {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)+) => {
        $(fn $name(&self $(, $argument: $type)*) -> $result {
            self.disk.$name($($argument),*)
        })+
    };
}

impl<V: Vfs> Vfs for Bent<V> {
    handed_through! {
        read(path: &str, limit: u64) -> io::Result<Vec<u8>>;
        read_at(path: &str, offset: u64, length: usize) -> io::Result<Vec<u8>>;
        names(path: &str) -> io::Result<Vec<String>>;
        stat(path: &str) -> io::Result<Stat>;
        rights(path: &str) -> io::Result<Rights>;
        grain_ms() -> Option<i64>;
        append(path: &str, bytes: &[u8]) -> io::Result<()>;
        truncate(path: &str, length: u64) -> io::Result<()>;
        sync(path: &str) -> io::Result<()>;
        exchange(one: &str, other: &str) -> io::Result<()>;
        place(from: &str, to: &str) -> io::Result<()>;
        replace(from: &str, to: &str) -> io::Result<()>;
        remove(path: &str) -> io::Result<()>;
        make_dir(path: &str) -> io::Result<()>;
        remove_dir(path: &str) -> io::Result<()>;
        link_outside(path: &str, outside: &Path) -> io::Result<()>;
        holder() -> Option<String>;
    }

    #[expect(clippy::disallowed_methods, reason = "a slow disk takes real time")]
    fn write_at(&self, path: &str, offset: u64, bytes: &[u8]) -> io::Result<()> {
        if self.how == How::NoLock {
            std::thread::sleep(std::time::Duration::from_micros(500));
        }
        self.disk.write_at(path, offset, bytes)
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        match (self.how, self.disk.stat(path)) {
            (How::Theirs { inode }, Ok(stat)) if stat.inode == inode => {
                Err(io::ErrorKind::PermissionDenied.into())
            }
            _ => self.disk.write(path, bytes),
        }
    }

    fn try_lock(&self, path: Option<&str>) -> io::Result<Option<Lock>> {
        match (path, self.how) {
            (None, How::NoLock) => Ok(Some(Lock::new(()))),
            _ => self.disk.try_lock(path),
        }
    }

    fn fitness(&self) -> Fitness {
        match self.how {
            How::NoLock | How::Theirs { .. } => self.disk.fitness(),
            How::Network => Fitness::NoExclusion { kind: "NFS".to_owned() },
        }
    }
}

/// Such a list is read, and every change is refused with the reason.
#[test]
fn where_locks_mean_nothing_lists_are_only_read() {
    let clock = SimClock::new(5);
    let disk = SimDisk::new(clock.clone());
    let open = |disk: Arc<dyn Vfs>| {
        let files =
            Files::open(disk, Arc::new(clock.clone()), Path::new("list"), named("claude")).expect("open");
        TaskList::of_files(files, Arc::new(clock.clone()))
    };
    let id = conformance::add(&open(Arc::new(disk.clone())), "task", &[]);
    let list = open(Arc::new(Bent { disk: disk.clone(), how: How::Network }));
    assert_eq!(list.board().expect("a look").tasks.len(), 1);
    match conformance::claim(&list, &conformance::ann(), &id).map(|_| ()) {
        Err(error @ Error::Unfit { .. }) => assert!(error.to_string().contains("is on NFS"), "{error}"),
        other => panic!("{other:?}"),
    }
}

fn without_lock() -> Setup {
    let clock = SimClock::patient(5);
    let disk = Arc::new(Bent { disk: SimDisk::new(clock.clone()), how: How::NoLock });
    let its = clock.clone();
    let open = move || -> Arc<dyn Store> {
        let folder = Path::new("list");
        Arc::new(Files::open(disk.clone(), Arc::new(its.clone()), folder, named("s12")).expect("open"))
    };
    Setup { open: Box::new(open), clock, keep: Box::new(()) }
}

/// The case that holds a decision open and looks for company finds it every time.
#[test]
fn without_the_lock_the_suite_is_red() {
    let red = (0..10).filter(|_| {
        let run = || conformance::races::decisions_never_overlap(&without_lock());
        std::panic::catch_unwind(run).is_err()
    });
    assert_eq!(red.count(), 10, "of 10 runs without the lock");
}
