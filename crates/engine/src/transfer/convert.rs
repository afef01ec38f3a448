//! A list moved to another format in its place: the new one is made beside it, whole, and takes its place in one step.
//! Nothing of the old one is removed.

use super::suit::{Suited, suit};
use crate::{
    format::Format,
    list::{Options, TaskList},
    store::Error,
    vfs::folder::{carry, discard, put_in_place},
};
use std::path::{Path, PathBuf};

/// The list's own settings, which are the surfaces' business, go along.
const SETTINGS: &str = "worklist.toml";

/// Moves the list in a folder. Answers with what became of it, and where the old files are.
pub fn in_place(
    folder: &Path,
    list: &TaskList,
    format: &'static dyn Format,
    options: &Options,
) -> Result<(Suited, PathBuf), Error> {
    let was = list.format().map_or("old", |it| it.shape().name);
    let old = free_name(folder, &format!("was-{was}"));
    // Nobody of ours changes the list while it moves.
    let suited = list.exclusively(&mut |whole| {
        let suited = suit(whole, format);
        let draft = free_name(folder, "new");
        let options =
            Options { format: Some(format.shape().name.to_owned()), mirror: None, ..options.clone() };
        let moved = || -> Result<(), Error> {
            TaskList::create(&draft, &options)?.found(&suited.whole)?;
            carry(SETTINGS, folder, &draft).map_err(Error::io("copy", SETTINGS))?;
            let place = folder.display().to_string();
            put_in_place(&draft, folder, &old).map_err(Error::io("move", &place))
        };
        moved().inspect_err(|_| discard(&draft))?;
        Ok(suited)
    })?;
    Ok((suited, old))
}

/// A name beside a folder that nothing has.
fn free_name(folder: &Path, kind: &str) -> PathBuf {
    let name = folder.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    let numbered = |n: u32| if n == 1 { format!("{name}.{kind}") } else { format!("{name}.{kind}-{n}") };
    let free = (1..10_000).map(|n| folder.with_file_name(numbered(n))).find(|it| !it.exists());
    free.unwrap_or_else(|| folder.with_extension(kind))
}
