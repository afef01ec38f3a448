//! A disk and a clock made of memory that can fail any call, crash at any call and lose what was not synced.
//! One seed, one run: nothing here asks the real machine for anything.

mod calls;
mod clock;

pub use clock::SimClock;

use super::{Kind, not_a_file};
use crate::clock::Clock;
use std::{
    collections::{BTreeMap, HashSet},
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// What happens in the gap before a call: a foreign writer gets its turn here. It is given the call's number.
pub type Gap = Box<dyn FnMut(&SimDisk, u64) + Send>;

/// A simulated disk. Clones are the same disk.
#[derive(Clone)]
pub struct SimDisk(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    gap: Mutex<Option<Gap>>,
    clock: SimClock,
}

#[derive(Default)]
struct State {
    names: BTreeMap<String, u64>,
    inodes: BTreeMap<u64, Inode>,
    /// What the names would be after a loss of power, and what was done to them since.
    durable: BTreeMap<String, u64>,
    pending: Vec<(i64, Names)>,
    now: i64,
    next_inode: u64,
    locked: HashSet<u64>,
    calls: u64,
    syncs: u64,
    fail_at: Option<(u64, io::ErrorKind)>,
    crash_at: Option<u64>,
    dead: bool,
    /// Syncs that say yes and do nothing: for showing that tests notice.
    lying: bool,
}

#[derive(Clone)]
struct Inode {
    kind: Kind,
    bytes: Vec<u8>,
    synced: Vec<u8>,
    modified: i64,
    changed: i64,
}

/// One change of names, kept or lost as a whole.
type Names = Vec<(String, Option<u64>)>;

/// What was written so long ago has reached the disk by itself.
const FLUSHED_NS: i64 = 30_000_000_000;

/// A disk writes so many bytes at once, or none of them.
const SECTOR: usize = 512;

const ROOT: u64 = 1;

impl SimDisk {
    /// An empty folder.
    pub fn new(clock: SimClock) -> SimDisk {
        let mut state = State { next_inode: ROOT + 1, ..State::default() };
        let root = Inode { kind: Kind::Directory, bytes: vec![], synced: vec![], modified: 0, changed: 0 };
        state.inodes.insert(ROOT, root);
        state.names.insert(String::new(), ROOT);
        state.durable = state.names.clone();
        SimDisk(Arc::new(Shared { state: Mutex::new(state), gap: Mutex::new(None), clock }))
    }

    /// Lets something happen before every call.
    pub fn set_gap(&self, gap: Option<Gap>) {
        *self.0.gap.lock().unwrap_or_else(PoisonError::into_inner) = gap;
    }

    /// How many calls were made.
    pub fn calls(&self) -> u64 {
        self.state().calls
    }

    /// How often something was synced.
    pub fn syncs(&self) -> u64 {
        self.state().syncs
    }

    /// Makes the n-th call from now fail.
    pub fn fail_in(&self, calls: u64, kind: io::ErrorKind) {
        let mut state = self.state();
        state.fail_at = Some((state.calls + calls, kind));
    }

    /// Kills the process in the n-th call from now: that call and all later ones fail.
    pub fn crash_in(&self, calls: u64) {
        let mut state = self.state();
        state.crash_at = Some(state.calls + calls);
    }

    /// Whether the process is dead.
    pub fn is_dead(&self) -> bool {
        self.state().dead
    }

    /// A new process: its locks are gone, what it wrote is still in the cache.
    pub fn restart(&self) {
        let mut state = self.state();
        (state.dead, state.crash_at, state.fail_at) = (false, None, None);
        state.locked.clear();
    }

    /// Loses power: of names an old or newer state survives, of bytes at least what was synced.
    pub fn lose_power(&self) {
        let clock = &self.0.clock;
        let mut state = self.state();
        let flushed = clock.nanoseconds() - FLUSHED_NS;
        let old = state.pending.iter().filter(|(at, _)| *at < flushed).count();
        let kept = old + usize::try_from(clock.random()).unwrap_or(0) % (state.pending.len() - old + 1);
        let pending: Vec<(i64, Names)> = state.pending.drain(..).take(kept).collect();
        for (_, names) in pending {
            State::rename(&mut state.durable, &names);
        }
        state.names = state.durable.clone();
        for inode in state.inodes.values_mut() {
            // In-place writes are torn: some bytes are new, the rest is as synced.
            inode.bytes = match clock.random() % 6 {
                _ if inode.modified < flushed => inode.bytes.clone(),
                0 => inode.bytes.clone(),
                1 => {
                    let cut = usize::try_from(clock.random()).unwrap_or(0) % (inode.bytes.len() + 1);
                    let mut torn = inode.bytes[..cut].to_vec();
                    torn.extend(inode.synced.iter().skip(cut));
                    torn
                }
                // Some sectors were written and some were not, in whatever order.
                2 => {
                    let mut torn = inode.bytes.clone();
                    for (part, old) in torn.chunks_mut(SECTOR).zip(inode.synced.chunks(SECTOR)) {
                        if part.len() == old.len() && clock.random().is_multiple_of(2) {
                            part.copy_from_slice(old);
                        }
                    }
                    torn
                }
                _ => inode.synced.clone(),
            };
            inode.synced = inode.bytes.clone();
        }
        drop(state);
        clock.reboot();
        self.restart();
    }

    /// Makes syncing an empty word, to show that its absence is noticed.
    pub fn lie_about_syncing(&self) {
        self.state().lying = true;
    }

    /// Writes as a foreign program does: in place, without asking anyone. `None` removes the file.
    pub fn foreign_write(&self, path: &str, bytes: Option<&[u8]>) {
        let now = self.0.clock.nanoseconds();
        let mut state = self.state();
        state.now = now;
        match bytes {
            Some(bytes) => _ = state.put(path, bytes.to_vec(), now),
            None => state.name(vec![(path.to_owned(), None)]),
        }
    }

    /// Reads without being counted.
    pub fn peek(&self, path: &str) -> Option<Vec<u8>> {
        self.state().get(path).map(|it| it.bytes.clone()).ok()
    }

    /// All names, without being counted.
    pub fn all_names(&self) -> Vec<String> {
        self.state().names.keys().filter(|it| !it.is_empty()).cloned().collect()
    }

    /// Makes a foreign lock directory.
    pub fn foreign_lock(&self, path: &str) -> bool {
        let now = self.0.clock.nanoseconds();
        let mut state = self.state();
        if state.names.contains_key(path) {
            return false;
        }
        state.now = now;
        state.make(path, Kind::Directory, now);
        true
    }

    /// Removes a foreign lock directory as `rmdir` does.
    pub fn foreign_unlock(&self, path: &str) -> bool {
        let now = self.0.clock.nanoseconds();
        let mut state = self.state();
        state.now = now;
        let inside = format!("{path}/");
        if !state.names.contains_key(path) || state.names.keys().any(|it| it.starts_with(&inside)) {
            return false;
        }
        state.name(vec![(path.to_owned(), None)]);
        true
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every call passes here: others have their turn, then faults strike.
    fn call(&self) -> io::Result<MutexGuard<'_, State>> {
        let number = {
            let mut state = self.state();
            state.calls += 1;
            state.calls
        };
        let gap = self.0.gap.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(mut gap) = gap {
            gap(self, number);
            self.0.gap.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(gap);
        }
        let mut state = self.state();
        state.now = self.0.clock.nanoseconds();
        state.dead |= state.crash_at.is_some_and(|at| at <= number);
        if state.dead {
            return Err(io::Error::other("the simulated process is dead"));
        }
        match state.fail_at {
            Some((at, kind)) if at == number => Err(kind.into()),
            _ => Ok(state),
        }
    }
}

impl State {
    fn get(&self, path: &str) -> io::Result<&Inode> {
        let inode = self.names.get(path).ok_or(io::ErrorKind::NotFound)?;
        self.inodes.get(inode).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn file(&mut self, path: &str) -> io::Result<&mut Inode> {
        let inode = *self.names.get(path).ok_or(io::ErrorKind::NotFound)?;
        match self.inodes.get_mut(&inode) {
            Some(it) if it.kind == Kind::File => Ok(it),
            Some(_) => Err(not_a_file()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn make(&mut self, path: &str, kind: Kind, now: i64) -> u64 {
        let inode = self.next_inode;
        self.next_inode += 1;
        self.inodes.insert(inode, Inode { kind, bytes: vec![], synced: vec![], modified: now, changed: now });
        self.name(vec![(path.to_owned(), Some(inode))]);
        inode
    }

    fn put(&mut self, path: &str, bytes: Vec<u8>, now: i64) -> io::Result<()> {
        if !self.names.contains_key(path) {
            self.parent(path)?;
            self.make(path, Kind::File, now);
        }
        let file = self.file(path)?;
        (file.bytes, file.modified, file.changed) = (bytes, now, now);
        Ok(())
    }

    fn parent(&self, path: &str) -> io::Result<()> {
        match path.rsplit_once('/') {
            Some((above, _)) => self.get(above).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Names come and go, which shows in the times of the directory that they are in; not in those of one that moves with
    /// all beneath it.
    fn name(&mut self, names: Names) {
        let above = |path: &str| path.rsplit_once('/').map_or("", |(above, _)| above).to_owned();
        let moves = |directory: &str| names.iter().any(|(it, _)| it == directory);
        let seen = names.iter().map(|(path, _)| above(path)).filter(|it| !moves(it));
        for inode in seen.filter_map(|it| self.names.get(&it).copied()).collect::<Vec<_>>() {
            let now = self.now;
            self.inodes.entry(inode).and_modify(|it| (it.modified, it.changed) = (now, now));
        }
        State::rename(&mut self.names, &names);
        self.pending.push((self.now, names));
    }

    fn rename(all: &mut BTreeMap<String, u64>, names: &Names) {
        for (path, inode) in names {
            match inode {
                Some(inode) => all.insert(path.clone(), *inode),
                None => all.remove(path),
            };
        }
    }

    /// The new names of a thing and all beneath it.
    fn moved(&self, from: &str, to: &str) -> Names {
        let inside = format!("{from}/");
        let beneath = self.names.iter().filter(|(path, _)| *path == from || path.starts_with(&inside));
        beneath.map(|(path, inode)| (format!("{to}{}", &path[from.len()..]), Some(*inode))).collect()
    }

    fn gone(&self, from: &str) -> Names {
        self.moved(from, from).into_iter().map(|(path, _)| (path, None)).collect()
    }
}

struct Held(SimDisk, u64);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.state().locked.remove(&self.1);
    }
}
