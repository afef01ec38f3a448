//! Keeping other programs out of a file for a moment, by their own lock protocol and without its holes.
//!
//! The protocol is proper-lockfile's: whoever makes the directory `<file>.lock` has the lock, and one that was not
//! touched for ten seconds may be removed by anybody with `rmdir`. Ours is never empty, so that fails; it comes and
//! goes by one rename; and our own processes never meet here, because they hold the list's lock first.
//!
//! # Limitations
//! A program that was stopped while it held its lock, and that wakes up after we took it over, writes all the same.
//! The journal notices that; no lock could.

use super::log::{OWN, make_dir};
use crate::{
    clock::Clock,
    json::{Json, Object, Style, parse, write},
    store::Error,
    vfs::{Fitness, Kind, Stat, Vfs, missing},
};
use std::io::ErrorKind;

/// A foreign lock that was not touched for so long may be stale: proper-lockfile's own limit.
pub const STALE_MS: i64 = 10_000;
/// And so long must we ourselves have watched it not move: longer than its owner's refresh of 5 s.
pub const WATCHED_MS: u64 = 6_000;
const PINS: &str = ".worklist/pins";
/// What we saw of foreign locks, for the next of our processes to go on with.
const SEEN: &str = ".worklist/seen";

/// So many foreign locks are watched at once.
pub(super) const MOST_SEEN: usize = 64;

/// So many slots are kept for the next change: each is a directory with a file.
const MOST_SLOTS: usize = 1024;

/// Locks of other programs that we hold until dropped.
pub(super) struct Pins<'a> {
    vfs: &'a dyn Vfs,
    held: Vec<(String, String)>,
}

impl<'a> Pins<'a> {
    /// Takes the locks of some files, in the order given, waiting until `deadline` (in ticks) at most.
    pub(super) fn take(
        vfs: &'a dyn Vfs,
        clock: &dyn Clock,
        files: &[String],
        deadline: u64,
    ) -> Result<Pins<'a>, Error> {
        let started = clock.ticks();
        let mut pins = Pins { vfs, held: Vec::new() };
        for (n, file) in files.iter().enumerate() {
            let (slot, lock) = (format!("{PINS}/{n}"), format!("{file}.lock"));
            prepare(vfs, n, &slot)?;
            while !pins.attempt(clock, &slot, &lock)? {
                if clock.ticks() >= deadline {
                    return Err(Error::ForeignLocked { lock, waited: clock.ticks() - started });
                }
                clock.sleep(2);
            }
        }
        Ok(pins)
    }

    /// One attempt at one lock: true if we have it now.
    fn attempt(&mut self, clock: &dyn Clock, slot: &str, lock: &str) -> Result<bool, Error> {
        match put_in_place(self.vfs, slot, lock) {
            Ok(()) => {
                self.held.push((slot.to_owned(), lock.to_owned()));
                return Ok(true);
            }
            Err(error) if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::DirectoryNotEmpty) => {
            }
            Err(error) => return Err(Error::io("take the lock", lock)(error)),
        }
        if release_orphan(self.vfs, lock)? {
            return Ok(false);
        }
        let Some(found) = missing(self.vfs.stat(lock)).map_err(Error::io("look at", lock))? else {
            return Ok(false);
        };
        if !is_abandoned(self.vfs, clock, lock, found) || self.vfs.fitness() != Fitness::Full {
            return Ok(false);
        }
        self.take_over(slot, lock, found)
    }

    /// The old lock and our pin change places; if what came out is not what we judged, they change back.
    fn take_over(&mut self, slot: &str, lock: &str, judged: Stat) -> Result<bool, Error> {
        match self.vfs.exchange(slot, lock) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            other => other.map_err(Error::io("take over", lock))?,
        }
        let out = self.vfs.stat(slot).map_err(Error::io("look at", slot))?;
        let same = out.inode == judged.inode && out.modified == judged.modified;
        if same && self.vfs.remove_dir(slot).is_ok() {
            self.held.push((slot.to_owned(), lock.to_owned()));
            return Ok(true);
        }
        self.vfs.exchange(slot, lock).map_err(Error::io("give back", lock))?;
        Ok(false)
    }
}

impl Drop for Pins<'_> {
    /// The last taken goes first, so that slot 0 at home means that all are.
    fn drop(&mut self) {
        while let Some((slot, lock)) = self.held.pop() {
            // If it fails, slot 0 stays away too: by that the next of ours knows that there is something to clear.
            if take_away(self.vfs, &lock, &slot).is_err() {
                return;
            }
            if self.held.len() >= MOST_SLOTS {
                // What stays of it is made whole when it is needed again.
                _ = self.vfs.remove(&format!("{slot}/pin")).and_then(|()| self.vfs.remove_dir(&slot));
            }
        }
    }
}

/// One attempt at locks that look abandoned: those that are, by the rule of [`is_abandoned`], are taken over and let
/// go. Answers with those that are gone. The list's lock must be held.
pub(super) fn clear_abandoned(
    vfs: &dyn Vfs,
    clock: &dyn Clock,
    locks: &[String],
) -> Result<Vec<String>, Error> {
    let slot = format!("{PINS}/0");
    let mut gone = Vec::new();
    for lock in locks {
        prepare(vfs, 0, &slot)?;
        let mut pins = Pins { vfs, held: Vec::new() };
        if pins.attempt(clock, &slot, lock)? {
            gone.push(lock.clone());
        }
    }
    Ok(gone)
}

/// Clears away the locks of ours whose process died. The list's lock must be held.
pub(super) fn release_orphans(vfs: &dyn Vfs) -> Result<(), Error> {
    if has_orphans(vfs) { release_every_orphan(vfs) } else { Ok(()) }
}

/// The same without trusting slot 0: after a loss of power any names may have come back.
pub(super) fn release_every_orphan(vfs: &dyn Vfs) -> Result<(), Error> {
    let names = vfs.names("").map_err(Error::io("list", "the folder"))?;
    let locks = names.into_iter().filter(|it| is_lock(it));
    let mut orphans: Vec<(u32, String)> = Vec::new();
    for lock in locks {
        orphans.extend(slot_of(vfs, &lock)?.map(|slot| (slot, lock)));
    }
    // Slot 0 comes home last, as ever.
    orphans.sort_unstable_by(|left, right| right.cmp(left));
    for (_, lock) in orphans {
        release_orphan(vfs, &lock)?;
    }
    Ok(())
}

/// Whether a process of ours died with a lock in its hand: one look, because slot 0 leaves first and comes last.
pub(super) fn has_orphans(vfs: &dyn Vfs) -> bool {
    vfs.stat(&format!("{PINS}/0/pin")).is_err() && vfs.stat(PINS).is_ok()
}

/// If a lock is ours, its owner is dead, because we hold the list's lock: it goes home. If its slot is not empty,
/// the owner died between taking over and looking: what it displaced goes back first.
fn release_orphan(vfs: &dyn Vfs, lock: &str) -> Result<bool, Error> {
    let Some(number) = slot_of(vfs, lock)? else { return Ok(false) };
    let (pin, slot) = (format!("{lock}/pin"), format!("{PINS}/{number}"));
    make_dir(vfs, PINS)?;
    let displaced = vfs.stat(&slot).is_ok() && vfs.stat(&format!("{slot}/pin")).is_err();
    let cleared = if displaced {
        vfs.exchange(&slot, lock)
    } else if vfs.stat(&slot).is_ok() {
        // Both are pins: the slot was made anew meanwhile.
        vfs.remove(&pin).and_then(|()| vfs.remove_dir(lock))
    } else {
        take_away(vfs, lock, &slot)
    };
    cleared.map_err(Error::io("clear away", lock))?;
    Ok(true)
}

#[expect(
    clippy::case_sensitive_file_extension_comparisons,
    reason = "other programs spell it so and not otherwise"
)]
pub(super) fn is_lock(name: &str) -> bool {
    name.ends_with(".lock")
}

/// The slot that a lock of ours belongs to; none if it is not ours. Not knowing is a failure: a lock of ours that is
/// taken for another's would stay for ever.
pub(super) fn slot_of(vfs: &dyn Vfs, lock: &str) -> Result<Option<u32>, Error> {
    let pin = format!("{lock}/pin");
    match vfs.read(&pin, 64) {
        Ok(name) => Ok(Some(String::from_utf8_lossy(&name).trim().parse().unwrap_or(0))),
        Err(error) => match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidInput => Ok(None),
            _ => Err(Error::io("read", &pin)(error)),
        },
    }
}

/// A directory with a file that says which slot it belongs to, made once and used again.
fn prepare(vfs: &dyn Vfs, number: usize, slot: &str) -> Result<(), Error> {
    let pin = format!("{slot}/pin");
    if vfs.stat(&pin).is_ok() {
        return Ok(());
    }
    for directory in [OWN, PINS, slot] {
        make_dir(vfs, directory)?;
    }
    vfs.write(&pin, number.to_string().as_bytes()).map_err(Error::io("write", &pin))?;
    // Once for all: a lock that survives a loss of power must still be known as ours.
    for path in [&pin, slot, PINS] {
        vfs.sync(path).map_err(Error::io("flush", path))?;
    }
    Ok(())
}

/// Where directories cannot be moved exclusively, one is made; it is empty for a moment, which is documented.
fn put_in_place(vfs: &dyn Vfs, slot: &str, lock: &str) -> std::io::Result<()> {
    if vfs.fitness() == Fitness::Full {
        return vfs.place(slot, lock);
    }
    vfs.make_dir(lock)?;
    let number = slot.rsplit('/').next().unwrap_or("0");
    vfs.write(&format!("{lock}/pin"), number.as_bytes())
}

fn take_away(vfs: &dyn Vfs, lock: &str, slot: &str) -> std::io::Result<()> {
    if vfs.fitness() == Fitness::Full {
        return vfs.place(lock, slot);
    }
    vfs.remove(&format!("{lock}/pin"))?;
    vfs.remove_dir(lock)
}

/// Old by the clock, and watched by us, now or in earlier commands, without a move for longer than its refresh.
fn is_abandoned(vfs: &dyn Vfs, clock: &dyn Clock, lock: &str, found: Stat) -> bool {
    if found.kind != Kind::Directory {
        return false;
    }
    let identity = format!("{} {}", found.inode, found.modified);
    let text = missing(vfs.read(SEEN, 64 * 1024)).ok().flatten().and_then(|it| String::from_utf8(it).ok());
    let mut seen = text.and_then(|it| parse(&it).ok()?.as_object().cloned()).unwrap_or_default();
    let note = seen.get(lock).and_then(Json::as_object);
    let text = |key: &str| note.and_then(|it| it.get(key)).and_then(Json::as_str);
    let same = text("is") == Some(&identity) && text("boot") == Some(&clock.boot());
    let since = note.and_then(|it| it.get("since")).and_then(Json::as_u64).filter(|_| same);
    let Some(since) = since else {
        let note = Object::new()
            .with("is", identity.as_str())
            .with("boot", clock.boot())
            .with("since", clock.ticks());
        if seen.len() >= MOST_SEEN {
            seen = Object::new();
        }
        seen.set(lock, note);
        // Without the note each command starts watching anew: slower, not wrong.
        _ = vfs.write(SEEN, write(&Json::Object(seen), Style::COMPACT, "").as_bytes());
        return false;
    };
    // A lock from the future says nothing about its age: then only our own watching counts.
    let age = found.modified_ago(clock.now());
    !(0..=STALE_MS).contains(&age) && clock.ticks().saturating_sub(since) >= WATCHED_MS
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::{clock::SystemClock, vfs::Disk};

    #[test]
    fn slots_of_a_large_change_do_not_stay() {
        let keep = tempfile::tempdir().unwrap();
        let disk = Disk::open(keep.path(), false).unwrap();
        let files: Vec<String> = (0..MOST_SLOTS + 3).map(|it| format!("{it}.json")).collect();
        for _ in 0..2 {
            let pins = Pins::take(&disk, &SystemClock, &files, u64::MAX).unwrap();
            assert_eq!(disk.names("").unwrap().iter().filter(|it| is_lock(it)).count(), files.len());
            drop(pins);
            assert_eq!(disk.names(PINS).unwrap().len(), MOST_SLOTS);
            assert!(!disk.names("").unwrap().iter().any(|it| is_lock(it)) && !has_orphans(&disk));
        }
    }
}
