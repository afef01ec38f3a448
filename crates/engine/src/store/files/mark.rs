//! The number that other programs count on from when they make tasks: the watermark. They write it in place, and without any
//! lock when they remove a task. So it is only ever raised, in place, and looked at again. Not which ids we give: the view
//! finds those.

use super::{
    Files,
    settle::{TRIES, read, swap},
    spare::{Name, Spares},
    text::hash,
    view::View,
};
use crate::{
    format::{WATERMARK, leading_number},
    id::TaskId,
    rules::Change,
    store::Error,
};

/// What a change means for the watermark.
#[derive(Default)]
pub(super) struct Mark {
    /// What it must say at least before any file goes.
    least: Option<String>,
    /// The lowest number that is given anew: if it says as much by now, somebody else gave it, and took it back.
    fresh: Option<u64>,
}

impl Mark {
    pub(super) fn of(view: &View<'_>, changes: &[Change]) -> Mark {
        let made: Vec<&TaskId> = changes.iter().filter(|it| it.before.is_none()).map(|it| &it.id).collect();
        let removed: Vec<&TaskId> = changes.iter().filter(|it| it.after.is_none()).map(|it| &it.id).collect();
        if made.is_empty() && removed.is_empty() {
            return Mark::default();
        }
        let old = view.watermark();
        let least = view.files.format.watermark(old, &made, &removed);
        // What comes back has a number that was given long ago.
        let is_new = |it: &u64| *it > number(old);
        Mark { least, fresh: made.iter().filter_map(|it| it.number()).filter(is_new).min() }
    }

    /// Whether others have given what we are about to give.
    pub(super) fn is_overtaken(&self, files: &Files) -> Result<bool, Error> {
        let Some(fresh) = self.fresh else { return Ok(false) };
        Ok(number(read(files, WATERMARK)?.as_deref()) >= fresh)
    }

    /// Raises it, if that is due. To be called again once everything is in place: whoever had read it before wrote it by
    /// then.
    pub(super) fn raise(&self, spares: &mut Spares<'_>, seq: u64, n: usize) -> Result<(), Error> {
        self.least.as_ref().map_or(Ok(()), |least| raise(spares, least, seq, n))
    }
}

/// Raises it to so much, whatever others write into it meanwhile.
pub(super) fn raise(spares: &mut Spares<'_>, least: &str, seq: u64, n: usize) -> Result<(), Error> {
    let vfs = &*spares.files.vfs;
    for _ in 0..TRIES {
        let current = read(spares.files, WATERMARK)?;
        let text = current.as_deref();
        // A loss of power can leave nothing, or zeros.
        let is_whole = text.is_some_and(|it| !it.contains('\0'));
        if is_whole && text.and_then(leading_number) >= leading_number(least) {
            return Ok(());
        }
        // What is as long at most is wholly written over by one call; what has other names is not ours to write into.
        let fits =
            text.is_some_and(|it| it.len() <= least.len()) && vfs.stat(WATERMARK).is_ok_and(|it| !it.shared);
        // One that cannot be written into, or is gone by now, is exchanged like any other file.
        if !fits || vfs.write_at(WATERMARK, 0, least.as_bytes()).is_err() {
            let spare = Name { seq, n, hash: text.map_or(0, hash), file: WATERMARK };
            swap(spares, WATERMARK, text, Some(least), &spare)?;
        }
    }
    Err(Error::Contended { file: WATERMARK.to_owned() })
}

fn number(text: Option<&str>) -> u64 {
    text.and_then(leading_number).unwrap_or(0)
}
