//! The calls of the simulated disk, each as simple as the promise of the trait allows.

use super::{Held, ROOT, SimDisk, State};
use crate::vfs::{Access, Fitness, Kind, Lock, Rights, Stat, Vfs, too_large};
use std::{io, path::Path};

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
        Ok(Stat {
            kind: it.kind,
            inode,
            modified: it.modified,
            changed: it.changed,
            length: it.bytes.len() as u64,
            shared: false,
        })
    }

    fn grain_ms(&self) -> Option<i64> {
        Some(1)
    }

    fn rights(&self, path: &str) -> io::Result<Rights> {
        self.call()?.get(path)?;
        Ok(Rights { mode: 0o600, mine: true, access: Access::Write })
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let now = self.0.clock.nanoseconds();
        self.call()?.put(path, bytes.to_vec(), now)
    }

    fn create(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let now = self.0.clock.nanoseconds();
        let mut state = self.call()?;
        if state.names.contains_key(path) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        state.put(path, bytes.to_vec(), now)
    }

    fn write_at(&self, path: &str, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let now = self.0.clock.nanoseconds();
        let mut state = self.call()?;
        let mut all = state.get(path)?.bytes.clone();
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
        state.syncs += 1;
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
                state.get(path)?;
                state.names[path]
            }
            None => ROOT,
        };
        if !state.locked.insert(inode) {
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
