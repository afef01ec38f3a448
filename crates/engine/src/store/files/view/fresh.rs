//! What a look knows of ids that were never used: which files there are, what the journal remembers, and the watermark. How
//! that becomes an id is the format's.

use super::View;
use crate::{
    format::{IdSource, WATERMARK},
    id::TaskId,
    store::Error,
    vfs::missing,
};

impl View<'_> {
    pub(super) fn unused_ids(&self, count: usize) -> Vec<TaskId> {
        let source = IdSource {
            names: &|| self.names(),
            highest: self.log.map_or(0, |it| it.mark.highest),
            watermark: &|| self.watermark(),
            there: &|id| self.is_file_there(id),
            taken: &|id| self.load(id).is_some_and(|it| it.entry.is_some() || it.known.is_some()),
            now: self.now,
            random: &|| self.files.clock.random(),
        };
        self.files.format.fresh_ids(&source, count)
    }

    /// Whether anything stands where a task would have its file.
    fn is_file_there(&self, id: &TaskId) -> bool {
        let name = self.files.format.file_of(id);
        let found = missing(self.files.vfs.stat(&name)).map_err(Error::io("look at", &name));
        self.ok(found).is_none_or(|it| it.is_some())
    }

    /// The watermark file's text.
    pub(in crate::store::files) fn watermark(&self) -> Option<&str> {
        let read = || {
            let bytes = self.files.vfs.read(WATERMARK, 4096).ok()?;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        };
        self.watermark.get_or_init(read).as_deref()
    }
}
