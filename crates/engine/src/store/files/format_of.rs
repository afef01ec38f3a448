//! Which format a folder is in. Not what that means: formats know.

use super::{line, log, record};
use crate::{
    format::{self, Detected, Format, Unclear, detect},
    store::Error,
    vfs::{Vfs, missing},
};
use std::path::Path;

/// The format that a folder is in: written down by us, or clear from its files.
pub(super) fn format_of(vfs: &dyn Vfs, path: &Path) -> Result<Option<&'static dyn Format>, Error> {
    let read =
        |length| missing(vfs.read_at(log::JOURNAL, 0, length)).map_err(Error::io("read", log::JOURNAL));
    let mut head = read(4096)?;
    if let Some(length) = head.as_deref().and_then(line::expected).filter(|it| *it > 4096) {
        head = read(length)?;
    }
    head.as_deref().map_or(Ok(()), log::known)?;
    let head = head.as_deref().and_then(line::take).and_then(|it| record::Record::read(it.text));
    if let Some(record::Record::Head(head)) = head {
        let unknown = || Error::Format {
            path: path.to_owned(),
            why: Unclear::Unknown { file: format!("{} (format {})", log::JOURNAL, head.format) },
        };
        return format::named(&head.format).map(Some).ok_or_else(unknown);
    }
    let names = vfs.names("").map_err(Error::io("list", "the folder"))?;
    let read = |name: &str| String::from_utf8(vfs.read(name, format::MAX_TASK_BYTES).ok()?).ok();
    match detect(&names, &read) {
        Detected::Nothing => Ok(None),
        Detected::Format(format) => Ok(Some(format)),
        Detected::Unclear(why) => Err(Error::Format { path: path.to_owned(), why }),
    }
}
