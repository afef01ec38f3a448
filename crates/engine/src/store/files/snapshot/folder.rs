//! What the folder of a list looks like from outside: by that shows whether names came or went since. Not what is in it.

use super::codec::{Reader, Writer};
use crate::store::files::Files;

/// As it was at some moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store::files) struct Folder {
    inode: u64,
    modified: i64,
    changed: i64,
}

impl Folder {
    /// As it is now. None if it was changed so lately that the next change could leave the same times.
    pub(in crate::store::files) fn of(files: &Files) -> Option<Folder> {
        let (grain, now) = (files.vfs.grain_ms()?, files.clock.now());
        let stat = files.vfs.stat("").ok()?;
        stat.is_older_than(now.0 - grain).then_some(Folder {
            inode: stat.inode,
            modified: stat.modified,
            changed: stat.changed,
        })
    }

    pub(super) fn write(folder: Option<Folder>, writer: &mut Writer<'_>) {
        let nothing = Folder { inode: 0, modified: 0, changed: 0 };
        let Folder { inode, modified, changed } = folder.unwrap_or(nothing);
        for number in [inode, modified.cast_unsigned(), changed.cast_unsigned()] {
            writer.number(number);
        }
    }

    /// What [`Folder::write`] wrote; `None` inside where nothing was known.
    #[expect(clippy::option_option, reason = "unreadable, and not known, are two things")]
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Option<Folder>> {
        let (inode, modified, changed) = (reader.number()?, reader.number()?, reader.number()?);
        let (modified, changed) = (modified.cast_signed(), changed.cast_signed());
        Some((inode != 0).then_some(Folder { inode, modified, changed }))
    }
}
