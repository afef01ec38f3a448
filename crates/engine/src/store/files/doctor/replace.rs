//! Putting bytes in the place of others, if those are still there. Not a commit: no task changes by it.
//!
//! The new bytes are flushed before they get their name: whatever happens, the file is whole, old or new.

use super::super::{
    Files,
    pin::Pins,
    spare::{self, Name, Spares},
    text::hash,
    theirs,
};
use crate::{format::ForeignLocks, store::Error, vfs::missing};
use std::io::ErrorKind;

/// One file that shall become another; none is "no file".
pub(super) struct Replacement<'a> {
    pub(super) file: &'a str,
    pub(super) before: Option<&'a [u8]>,
    pub(super) after: Option<&'a [u8]>,
    /// A number that tells it from the others of the same mend.
    pub(super) n: usize,
}

/// Replaces a file; false if it is not as expected. The list's lock must be held.
pub(super) fn replace(files: &Files, it: &Replacement<'_>) -> Result<bool, Error> {
    let single = files.format.shape().single_file == Some(it.file);
    let locks = files.format.shape().locks;
    let respected = locks != ForeignLocks::None && files.format.is_task_file(it.file) && it.before.is_some();
    let deadline = files.clock.ticks() + files.wait_ms;
    let names: &[String] = if respected { &[it.file.to_owned()] } else { &[] };
    let _pins = Pins::take(&*files.vfs, &*files.clock, names, deadline)?;
    let _inside = (single && respected).then(|| theirs::inside(files, it.file, deadline)).transpose()?;
    if bytes_of(files, it.file)?.as_deref() != it.before {
        return Ok(false);
    }
    if it.before == it.after {
        return Ok(true);
    }
    swap(files, it)
}

/// The bytes of a file; none if there is none.
pub(super) fn bytes_of(files: &Files, file: &str) -> Result<Option<Vec<u8>>, Error> {
    missing(files.vfs.read(file, u64::MAX)).map_err(Error::io("read", file))
}

fn swap(files: &Files, it: &Replacement<'_>) -> Result<bool, Error> {
    let vfs = &*files.vfs;
    let seq = files.open_log()?.map_or(0, |it| it.mark.seq);
    let before = it.before.map(String::from_utf8_lossy);
    let name =
        Name { seq, n: 0x2000 + it.n, hash: before.map_or(0, |it| hash(it.as_bytes())), file: it.file };
    let aside = name.draft();
    spare::make(files).map_err(Error::io("make", spare::SPARE))?;
    let mut spares = Spares::of(files);
    if let Some(after) = it.after {
        spares.write(&aside, after).map_err(Error::io("write", &aside))?;
        vfs.sync(&aside).map_err(Error::io("flush", &aside))?;
    }
    let moved = match (it.before, it.after) {
        (_, None) => vfs.replace(it.file, &aside),
        (None, Some(_)) => vfs.place(&aside, it.file),
        (Some(_), Some(_)) => vfs.exchange(&aside, it.file),
    };
    match moved {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::AlreadyExists) => {
            return Ok(false);
        }
        other => other.map_err(Error::io("put in place", it.file))?,
    }
    if it.before.is_none() {
        return Ok(true);
    }
    if bytes_of(files, &aside)?.as_deref() != it.before {
        return give_back(files, it, &aside);
    }
    spares.keep(&name);
    Ok(true)
}

/// Somebody wrote in the last moment: theirs goes back. What they may have written into ours meanwhile is kept.
fn give_back(files: &Files, it: &Replacement<'_>, aside: &str) -> Result<bool, Error> {
    let moved = match it.after {
        Some(_) => files.vfs.exchange(aside, it.file),
        None => files.vfs.place(aside, it.file),
    };
    moved.map_err(Error::io("give back", it.file))?;
    if let Some(ours) = bytes_of(files, aside)?.filter(|ours| Some(ours.as_slice()) != it.after) {
        spare::quarantine(files, it.file, &ours)?;
    }
    Ok(false)
}
