//! The locks of other programs that a write needs, by their own rules. Not how one of theirs is taken: that is `pin`.

use super::{Files, pin::Pins};
use crate::{
    format::ForeignLocks,
    store::Error,
    vfs::{Lock, missing},
};

/// Takes the locks that the other programs of this format respect, in the order of the files; waits so long for them.
pub(super) fn take(
    files: &Files,
    there: impl Iterator<Item = String>,
    counts: bool,
    wait_ms: u64,
) -> Result<(Pins<'_>, Option<Lock>), Error> {
    let names = needed(files, there, counts);
    let locks = files.format.shape().locks;
    let deadline = files.clock.ticks() + wait_ms;
    let pins = Pins::take(&*files.vfs, &*files.clock, &names, deadline)?;
    let single = files.format.shape().single_file.filter(|_| locks == ForeignLocks::OneFile);
    let lock = single.map(|it| inside(files, it, deadline)).transpose()?.flatten();
    Ok((pins, lock))
}

/// What the other programs of this format lock before they write these files, and where tasks come or go.
pub(super) fn needed(files: &Files, there: impl Iterator<Item = String>, counts: bool) -> Vec<String> {
    let locks = files.format.shape().locks;
    let list = (locks == ForeignLocks::PerTask && counts).then(|| ".lock".to_owned());
    there.filter(|_| locks != ForeignLocks::None).chain(list).collect()
}

/// A lock on the data file itself, as followers of its specification take it. It must still be the same file then.
pub(super) fn inside(files: &Files, name: &str, deadline: u64) -> Result<Option<Lock>, Error> {
    let started = files.clock.ticks();
    loop {
        let Some(before) = missing(files.vfs.stat(name)).map_err(Error::io("look at", name))? else {
            return Ok(None);
        };
        let lock = missing(files.vfs.try_lock(Some(name))).map_err(Error::io("lock", name))?.flatten();
        let same = files.vfs.stat(name).is_ok_and(|it| it.inode == before.inode);
        match lock.filter(|_| same) {
            Some(lock) => return Ok(Some(lock)),
            None if files.clock.ticks() >= deadline => {
                return Err(Error::ForeignLocked {
                    lock: name.to_owned(),
                    waited: files.clock.ticks() - started,
                });
            }
            None => files.clock.sleep(2),
        }
    }
}
