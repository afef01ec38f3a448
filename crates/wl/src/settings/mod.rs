//! Settings: the user's file and the list's. A list may set defaults and rules; commands it may bring only with the
//! user's trust. What a text of settings means is `text`.
#![expect(clippy::disallowed_methods, reason = "settings are files of their own, outside every list")]

mod text;
mod trust;

pub(crate) use text::{Hook, KEYS, Origin, Run, Settings, milliseconds};
pub(crate) use trust::{Trust, trusted};

use crate::failure::Failure;
use std::{fs, path::Path};

/// The user's file in the folder of settings, and the list's in the list's folder.
const USERS: &str = "config.toml";
pub(crate) const LISTS: &str = "worklist.toml";
/// Larger files are not settings.
const MOST_BYTES: u64 = 256 * 1024;

impl Settings {
    /// The user's settings.
    pub(crate) fn of_user(folder: Option<&Path>) -> Result<Settings, Failure> {
        let mut settings = Settings::default();
        if let Some(path) = folder.map(|it| it.join(USERS))
            && let Some(text) = read(&path)?
        {
            settings.add(&text, &Origin::User(path))?;
        }
        Ok(settings)
    }

    /// Adds what the list's own file says.
    pub(crate) fn add_list(&mut self, folder: &Path, state: Option<&Path>) -> Result<(), Failure> {
        let path = folder.join(LISTS);
        if fs::symlink_metadata(&path).is_ok_and(|it| it.is_symlink()) {
            // A link to what was trusted elsewhere would borrow that trust.
            let reason = "is a link: a list's settings are a file of its own";
            return Err(Failure::invalid(&path.display().to_string(), reason, Some("move it away")));
        }
        let Some(text) = read(&path)? else { return Ok(()) };
        let before = self.hooks.len();
        self.add(&text, &Origin::List(path.clone()))?;
        let brought = self.hooks.len() - before;
        if brought > 0 && !state.is_some_and(|it| trusted(it, &path, &text)) {
            self.hooks.truncate(before);
            let said =
                format!("{}: its hooks ({brought}) are not run; `wl trust` shows them", path.display());
            self.warnings.push(said);
        }
        Ok(())
    }

    fn add(&mut self, text: &str, origin: &Origin) -> Result<(), Failure> {
        self.take(text, origin).map_err(|mistake| {
            let what = format!("{origin}, line {}", mistake.line);
            Failure::invalid(&what, &mistake.reason, Some("mend the file; nothing was done"))
        })
    }
}

/// The text of a file of settings, if there is one.
fn read(path: &Path) -> Result<Option<String>, Failure> {
    let Ok(about) = fs::metadata(path) else { return Ok(None) };
    if !about.is_file() || about.len() > MOST_BYTES {
        let reason = "is not a file of settings";
        return Err(Failure::invalid(&path.display().to_string(), reason, Some("move it away")));
    }
    let failed = |error: std::io::Error| Failure::other(&format!("read {}", path.display()), &error);
    fs::read_to_string(path).map(Some).map_err(failed)
}
