//! Signs of life of sessions. A session with a process holds a lock on its file and is gone the moment it dies;
//! one without leaves a stamp with every command, and its claims outlive the stamp by their lease.

use super::log::{OWN, make_dir};
use crate::{
    claim::{Actor, Claim, Life},
    clock::Clock,
    format::place::sanitized,
    json::{Json, Object, Style, parse, write},
    store::{Error, Held, SessionGuard},
    vfs::{Lock, Vfs, missing, put_draft},
};
use std::{io::ErrorKind, sync::Mutex};

pub(super) const SESSIONS: &str = ".worklist/sessions";

/// Where those who hold the list's lock write the next stamp, one after the other.
const DRAFT: &str = ".worklist/stamp";

/// The lock on a session's file: the machine lets go of it the moment the process dies.
struct Locked(#[expect(dead_code, reason = "held for its drop")] Mutex<Lock>);

impl Held for Locked {
    fn stands(&self) -> bool {
        true
    }
}

/// Whether a stamp may be made where there is none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Make {
    /// By a command that writes, with the list's lock held.
    IfMissing,
    /// By one that only looks: looking makes nothing.
    Never,
}

/// Leaves a stamp; false if it may not be made, or if there is no `.worklist/` for it.
pub(super) fn stamp(vfs: &dyn Vfs, clock: &dyn Clock, actor: &Actor, make: Make) -> Result<bool, Error> {
    let path = path(&actor.session, "seen");
    let there =
        |path: &str| missing(vfs.stat(path)).map_err(Error::io("look at", path)).map(|it| it.is_some());
    if !there(&path)? {
        if make == Make::Never || !there(OWN)? {
            return Ok(false);
        }
        make_dir(vfs, SESSIONS)?;
    }
    let note = Object::new()
        .with("session", actor.session.as_str())
        .with("agent", actor.agent.as_str())
        .with("at", clock.now().0)
        .with("boot", clock.boot())
        .with("ticks", clock.ticks());
    let text = write(&Json::Object(note), Style::COMPACT, "");
    // In one step: whoever looks at it finds the old stamp or the new one. One draft for all who hold the list's lock, so
    // that whoever dies over it leaves it to the next.
    let draft = if make == Make::IfMissing { DRAFT.to_owned() } else { self::path(&actor.session, "next") };
    vfs.write(&draft, text.as_bytes()).map_err(Error::io("write", &draft))?;
    match put_draft(vfs, &draft, &path) {
        // Another process of the session put it there between our two steps.
        Err(error) if error.kind() == ErrorKind::NotFound && make == Make::Never => Ok(true),
        other => other.map(|()| true).map_err(Error::io("put in place", &path)),
    }
}

/// Takes the lock that says "this process is the session"; none if another process has it.
pub(super) fn hold(vfs: &dyn Vfs, clock: &dyn Clock, session: &str) -> Result<Option<SessionGuard>, Error> {
    make_dir(vfs, OWN)?;
    make_dir(vfs, SESSIONS)?;
    let path = path(session, "live");
    vfs.append(&path, b"").map_err(Error::io("make", &path))?;
    // Somebody may be trying it at this moment, to see whether it is held.
    for _ in 0..20 {
        if let Some(lock) = vfs.try_lock(Some(&path)).map_err(Error::io("lock", &path))? {
            return Ok(Some(SessionGuard::new(Locked(Mutex::new(lock)))));
        }
        clock.sleep(1);
    }
    Ok(None)
}

/// A session whose process is dead, but which goes on by commands: from now on its stamps count.
pub(super) fn outlive_process(vfs: &dyn Vfs, session: &str) -> Result<(), Error> {
    let path = path(session, "live");
    match missing(vfs.try_lock(Some(&path))).map_err(Error::io("look at", &path))? {
        Some(Some(_dead)) => missing(vfs.remove(&path)).map(|_| ()).map_err(Error::io("remove", &path)),
        _ => Ok(()),
    }
}

/// Whether a claimant is to be believed at work.
pub(super) fn life(vfs: &dyn Vfs, clock: &dyn Clock, claim: &Claim) -> Result<Life, Error> {
    let (live, seen) = (path(&claim.by.session, "live"), path(&claim.by.session, "seen"));
    if let Some(lock) = missing(vfs.try_lock(Some(&live))).map_err(Error::io("look at", &live))? {
        // Nobody holds it although somebody once did: dead. A lock we cannot get is a living process.
        return Ok(if lock.is_none() { Life::Running } else { Life::Gone });
    }
    let Some(note) = missing(vfs.read(&seen, 64 * 1024)).map_err(Error::io("read", &seen))? else {
        return Ok(Life::of(claim, clock.now().0 - claim.since.0, clock.now()));
    };
    let silent = match silence(&note, clock) {
        Some(silent) => silent,
        // A stamp that cannot be read is one, all the same: as old as its file.
        None => vfs.stat(&seen).map_err(Error::io("look at", &seen))?.modified_ago(clock.now()),
    };
    Ok(Life::of(claim, silent, clock.now()))
}

/// How long a session has been silent, in milliseconds: by the clock that cannot jump if it is the same run.
fn silence(note: &[u8], clock: &dyn Clock) -> Option<i64> {
    let value = parse(std::str::from_utf8(note).ok()?).ok()?;
    let note = value.as_object()?;
    if note.get("boot")?.as_str()? == clock.boot() {
        let since = note.get("ticks")?.as_u64()?;
        return i64::try_from(clock.ticks().saturating_sub(since)).ok();
    }
    Some(clock.now().0 - note.get("at")?.as_i64()?)
}

/// Names may hold anything: what tells them apart is the hash.
pub(super) fn path(session: &str, kind: &str) -> String {
    let hash = xxhash_rust::xxh3::xxh3_64(session.as_bytes());
    let name: String = sanitized(session).chars().take(40).collect();
    format!("{SESSIONS}/{name}-{hash:016x}.{kind}")
}
