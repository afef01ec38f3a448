//! A disk and a clock made of memory that can fail any call, crash at any call and lose what was not synced.
//! One seed, one run: nothing here asks the real machine for anything.

use super::{Fitness, Kind, Lock, Stat, Vfs, not_a_file, too_large};
use crate::{clock::Clock, time::Time};
use std::{
    collections::{BTreeMap, HashSet},
    io,
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
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
    pending: Vec<(i128, Names)>,
    now: i128,
    next_inode: u64,
    locked: HashSet<u64>,
    calls: u64,
    fail_at: Option<(u64, io::ErrorKind)>,
    crash_at: Option<u64>,
    dead: bool,
    /// Nobody excludes anybody: for showing that tests notice.
    lawless: bool,
    /// Syncs that say yes and do nothing: for showing that tests notice.
    lying: bool,
}

#[derive(Clone)]
struct Inode {
    kind: Kind,
    bytes: Vec<u8>,
    synced: Vec<u8>,
    modified: i128,
    changed: i128,
}

/// One change of names, kept or lost as a whole.
type Names = Vec<(String, Option<u64>)>;

/// What was written so long ago has reached the disk by itself.
const FLUSHED_NS: i128 = 30_000_000_000;

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
        let pending: Vec<(i128, Names)> = state.pending.drain(..).take(kept).collect();
        for (_, names) in pending {
            State::rename(&mut state.durable, &names);
        }
        state.names = state.durable.clone();
        for inode in state.inodes.values_mut() {
            // In-place writes are torn: some bytes are new, the rest is as synced.
            inode.bytes = match clock.random() % 4 {
                _ if inode.modified < flushed => inode.bytes.clone(),
                0 => inode.bytes.clone(),
                1 => {
                    let cut = usize::try_from(clock.random()).unwrap_or(0) % (inode.bytes.len() + 1);
                    let mut torn = inode.bytes[..cut].to_vec();
                    torn.extend(inode.synced.iter().skip(cut));
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

    /// Takes exclusion away, to show that its absence is noticed.
    pub fn lawless(&self) {
        self.state().lawless = true;
    }

    /// Makes syncing an empty word, to show that its absence is noticed.
    pub fn lie_about_syncing(&self) {
        self.state().lying = true;
    }

    /// Writes as a foreign program does: in place, without asking anyone. `None` removes the file.
    pub fn foreign_write(&self, path: &str, bytes: Option<&[u8]>) {
        let now = self.0.clock.nanoseconds();
        let mut state = self.state();
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
        state.make(path, Kind::Directory, now);
        true
    }

    /// Removes a foreign lock directory as `rmdir` does.
    pub fn foreign_unlock(&self, path: &str) -> bool {
        let mut state = self.state();
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

    fn make(&mut self, path: &str, kind: Kind, now: i128) -> u64 {
        let inode = self.next_inode;
        self.next_inode += 1;
        self.inodes.insert(inode, Inode { kind, bytes: vec![], synced: vec![], modified: now, changed: now });
        self.name(vec![(path.to_owned(), Some(inode))]);
        inode
    }

    fn put(&mut self, path: &str, bytes: Vec<u8>, now: i128) -> io::Result<()> {
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

    fn name(&mut self, names: Names) {
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

impl Vfs for SimDisk {
    fn read(&self, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        let mut state = self.call()?;
        let bytes = state.file(path)?.bytes.clone();
        if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
    }

    fn read_at(&self, path: &str, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut state = self.call()?;
        let bytes = &state.file(path)?.bytes;
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
        Ok(bytes[start..(start + length).min(bytes.len())].to_vec())
    }

    fn names(&self, path: &str) -> io::Result<Vec<String>> {
        let state = self.call()?;
        state.get(path)?;
        let inside = if path.is_empty() { String::new() } else { format!("{path}/") };
        let beneath = state.names.keys().filter_map(|it| it.strip_prefix(&inside));
        Ok(beneath.filter(|it| !it.is_empty() && !it.contains('/')).map(str::to_owned).collect())
    }

    fn stat(&self, path: &str) -> io::Result<Stat> {
        let state = self.call()?;
        let it = state.get(path)?;
        let inode = state.names[path];
        Ok(Stat { kind: it.kind, inode, modified: it.modified, changed: it.changed, length: it.bytes.len() as u64 })
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let now = self.0.clock.nanoseconds();
        self.call()?.put(path, bytes.to_vec(), now)
    }

    fn write_at(&self, path: &str, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let now = self.0.clock.nanoseconds();
        let mut state = self.call()?;
        let mut all = state.get(path).map(|it| it.bytes.clone()).unwrap_or_default();
        let start = usize::try_from(offset).unwrap_or(0);
        all.resize(all.len().max(start + bytes.len()), 0);
        all[start..start + bytes.len()].copy_from_slice(bytes);
        state.put(path, all, now)
    }

    fn append(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let now = self.0.clock.nanoseconds();
        let mut state = self.call()?;
        let mut all = state.get(path).map(|it| it.bytes.clone()).unwrap_or_default();
        all.extend_from_slice(bytes);
        state.put(path, all, now)
    }

    fn truncate(&self, path: &str, length: u64) -> io::Result<()> {
        let mut state = self.call()?;
        state.file(path)?.bytes.truncate(usize::try_from(length).unwrap_or(usize::MAX));
        Ok(())
    }

    fn sync(&self, path: &str) -> io::Result<()> {
        let mut state = self.call()?;
        if state.lying {
            return Ok(());
        }
        if state.get(path)?.kind == Kind::File {
            let file = state.file(path)?;
            file.synced = file.bytes.clone();
            return Ok(());
        }
        // A directory's sync carries along every change of names before it, as journaling file systems do.
        let pending = std::mem::take(&mut state.pending);
        for (_, names) in pending {
            State::rename(&mut state.durable, &names);
        }
        Ok(())
    }

    fn exchange(&self, one: &str, other: &str) -> io::Result<()> {
        let now = self.0.clock.nanoseconds();
        let mut state = self.call()?;
        state.get(one)?;
        state.get(other)?;
        let mut names = state.gone(one);
        names.extend(state.gone(other));
        names.extend(state.moved(one, other));
        names.extend(state.moved(other, one));
        for path in [one, other] {
            let inode = state.names[path];
            state.inodes.entry(inode).and_modify(|it| it.changed = now);
        }
        state.name(names);
        Ok(())
    }

    fn place(&self, from: &str, to: &str) -> io::Result<()> {
        let mut state = self.call()?;
        state.get(from)?;
        state.parent(to)?;
        if state.names.contains_key(to) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let mut names = state.gone(from);
        names.extend(state.moved(from, to));
        state.name(names);
        Ok(())
    }

    fn replace(&self, from: &str, to: &str) -> io::Result<()> {
        let mut state = self.call()?;
        state.get(from)?;
        state.parent(to)?;
        let mut names = state.gone(from);
        names.extend(state.moved(from, to));
        state.name(names);
        Ok(())
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        let mut state = self.call()?;
        state.file(path)?;
        state.name(vec![(path.to_owned(), None)]);
        Ok(())
    }

    fn make_dir(&self, path: &str) -> io::Result<()> {
        let now = self.0.clock.nanoseconds();
        let mut state = self.call()?;
        state.parent(path)?;
        if state.names.contains_key(path) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        state.make(path, Kind::Directory, now);
        Ok(())
    }

    fn remove_dir(&self, path: &str) -> io::Result<()> {
        let mut state = self.call()?;
        if state.gone(path).len() > 1 {
            return Err(io::ErrorKind::DirectoryNotEmpty.into());
        }
        state.get(path)?;
        state.name(vec![(path.to_owned(), None)]);
        Ok(())
    }

    fn try_lock(&self, path: Option<&str>) -> io::Result<Option<Lock>> {
        let mut state = self.call()?;
        let inode = match path {
            Some(path) => {
                state.file(path)?;
                state.names[path]
            }
            None => ROOT,
        };
        if !state.locked.insert(inode) && !state.lawless {
            return Ok(None);
        }
        Ok(Some(Lock::new(Held(self.clone(), inode))))
    }

    fn link_outside(&self, path: &str, _outside: &Path) -> io::Result<()> {
        self.call()?.get(path).map(|_| ())
    }

    fn fitness(&self) -> Fitness {
        Fitness::Full
    }

    fn holder(&self) -> Option<String> {
        None
    }
}

struct Held(SimDisk, u64);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.state().locked.remove(&self.1);
    }
}

/// A clock that moves only when told to, and seeded chance. Clones are the same clock.
#[derive(Clone)]
pub struct SimClock(Arc<ClockState>);

struct ClockState {
    now: AtomicU64,
    ticks: AtomicU64,
    boots: AtomicU64,
    seed: AtomicU64,
    patient: bool,
}

impl SimClock {
    /// A clock whose chance follows from a seed. Whoever waits makes its time pass.
    pub fn new(seed: u64) -> SimClock {
        SimClock::with(seed, false)
    }

    /// The same, but waiting lets other threads run and no time pass: for tests with real threads.
    pub fn patient(seed: u64) -> SimClock {
        SimClock::with(seed, true)
    }

    fn with(seed: u64, patient: bool) -> SimClock {
        let state = ClockState {
            patient,
            now: AtomicU64::new(1_770_000_000_000),
            ticks: AtomicU64::new(1_000),
            boots: AtomicU64::new(1),
            seed: AtomicU64::new(seed),
        };
        SimClock(Arc::new(state))
    }

    /// Lets time pass.
    pub fn pass(&self, milliseconds: u64) {
        self.0.now.fetch_add(milliseconds, Ordering::Relaxed);
        self.0.ticks.fetch_add(milliseconds, Ordering::Relaxed);
    }

    /// Moves the time of day alone, as somebody setting the clock does.
    pub fn jump(&self, milliseconds: i64) {
        self.0.now.fetch_add(milliseconds.cast_unsigned(), Ordering::Relaxed);
    }

    /// A new run of the machine.
    pub fn reboot(&self) {
        self.0.boots.fetch_add(1, Ordering::Relaxed);
        self.0.ticks.store(1_000, Ordering::Relaxed);
        self.pass(1_000);
    }

    fn nanoseconds(&self) -> i128 {
        i128::from(self.0.now.load(Ordering::Relaxed)) * 1_000_000
    }
}

impl Clock for SimClock {
    fn now(&self) -> Time {
        Time(self.0.now.load(Ordering::Relaxed).cast_signed())
    }

    fn ticks(&self) -> u64 {
        self.0.ticks.load(Ordering::Relaxed)
    }

    fn boot(&self) -> String {
        self.0.boots.load(Ordering::Relaxed).to_string()
    }

    /// splitmix64
    fn random(&self) -> u64 {
        let mut z = self.0.seed.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn sleep(&self, milliseconds: u64) {
        if self.0.patient {
            std::thread::yield_now();
        } else {
            self.pass(milliseconds);
        }
    }
}
