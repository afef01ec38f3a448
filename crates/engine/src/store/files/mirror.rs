//! The journal's second name, outside a folder that other programs remove: kept, and brought back when the folder is
//! there again without its journal. A help against others, not a part of the promise: without it we go on.

use super::{
    Files,
    log::{JOURNAL, OWN, make_dir},
};
use crate::{
    store::Error,
    vfs::{folder::keep_aside, missing},
};

impl Files {
    /// Gives the journal its second name.
    pub(super) fn mirror_journal(&self) {
        if let Some(mirror) = &self.mirror {
            _ = self.vfs.link_outside(JOURNAL, mirror);
        }
    }

    /// Whether a journal waits outside for a folder that has none.
    pub(super) fn has_mirror_only(&self) -> bool {
        self.mirror.as_ref().is_some_and(|it| it.is_file())
            && matches!(missing(self.vfs.stat(JOURNAL)), Ok(None))
    }

    /// A journal that outlived its folder comes back with all that it knows; tasks whose files are gone count as
    /// removed by whoever removed the folder. The list's lock must be held.
    pub(super) fn bring_back(&self) -> Result<(), Error> {
        let Some(mirror) = self.mirror.as_ref().filter(|_| self.has_mirror_only()) else { return Ok(()) };
        make_dir(&*self.vfs, OWN)?;
        let ignore = ".worklist/.gitignore";
        self.vfs.write(ignore, b"*\n").map_err(Error::io("write", ignore))?;
        if self.vfs.link_inside(mirror, JOURNAL).is_err() {
            return Ok(());
        }
        let fits = |it: &super::log::Log| {
            let head = it.scan().ok().and_then(|it| it.head);
            head.is_some_and(|it| it.format == self.format.shape().name)
        };
        match self.open_log() {
            Ok(Some(mut log)) if fits(&log) => log.settled(),
            // It may well be: somebody else must say.
            Err(newer @ Error::Newer { .. }) => {
                self.vfs.remove(JOURNAL).map_err(Error::io("remove", JOURNAL))?;
                Err(newer)
            }
            _ => {
                // It is not a history of this list: it stays where it is, out of our way.
                self.vfs.remove(JOURNAL).map_err(Error::io("remove", JOURNAL))?;
                _ = keep_aside(mirror);
                Ok(())
            }
        }
    }
}
