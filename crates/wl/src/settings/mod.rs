//! Settings: the user's file and the list's, which value counts and where it came from. A list may set defaults and
//! rules; commands it may bring only with the user's trust.
#![expect(clippy::disallowed_methods, reason = "settings are files of their own, outside every list")]

mod hook;
mod keys;
mod trust;

pub(crate) use hook::{Hook, Run};
pub(crate) use keys::{KEYS, Key};
pub(crate) use trust::{Trust, trusted};

use crate::failure::Failure;
use std::{
    fmt, fs,
    path::{Path, PathBuf},
};
use toml_edit::{Document, Item, Table};

/// The user's file in the folder of settings, and the list's in the list's folder.
const USERS: &str = "config.toml";
pub(crate) const LISTS: &str = "worklist.toml";
/// Larger files are not settings.
const MOST_BYTES: u64 = 256 * 1024;

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    Default,
    User(PathBuf),
    List(PathBuf),
    Variable(&'static str),
    Flag(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::User(path) | Origin::List(path) => write!(f, "{}", path.display()),
            Origin::Variable(name) => write!(f, "${name}"),
            Origin::Flag(name) => f.write_str(name),
        }
    }
}

/// What the files of settings say.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {
    /// Key, value, where from; the last one counts.
    values: Vec<(&'static str, String, Origin)>,
    pub(crate) hooks: Vec<Hook>,
    /// What is to be said about the files.
    pub(crate) warnings: Vec<String>,
}

impl Settings {
    /// The user's settings.
    pub(crate) fn of_user(folder: Option<&Path>) -> Result<Settings, Failure> {
        let mut settings = Settings::default();
        if let Some(path) = folder.map(|it| it.join(USERS))
            && let Some(text) = read(&path)?
        {
            settings.take(&path, &text, &Origin::User(path.clone()))?;
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
        self.take(&path, &text, &Origin::List(path.clone()))?;
        let brought = self.hooks.len() - before;
        if brought > 0 && !state.is_some_and(|it| trusted(it, &path, &text)) {
            self.hooks.truncate(before);
            let said =
                format!("{}: its hooks ({brought}) are not run; `wl trust` shows them", path.display());
            self.warnings.push(said);
        }
        Ok(())
    }

    fn take(&mut self, path: &Path, text: &str, origin: &Origin) -> Result<(), Failure> {
        let broken = |reason: String, line: usize| {
            let what = format!("{}, line {line}", path.display());
            Failure::invalid(&what, &reason, Some("mend the file; nothing was done"))
        };
        let line_of = |at: usize| text.get(..at).map_or(1, |it| it.matches('\n').count() + 1);
        let document = Document::parse(text).map_err(|error| {
            let line = error.span().map_or(1, |it| line_of(it.start));
            broken(format!("cannot be read: {}", error.message().trim().replace('\n', ", ")), line)
        })?;
        for (name, item) in entries(document.as_table()) {
            let line = item.span().map_or(1, |it| line_of(it.start));
            if name == "hooks" {
                let hooks = hook::hooks(item, origin).map_err(|reason| broken(reason, line))?;
                self.hooks.extend(hooks);
                continue;
            }
            let value = plain(item);
            let key = KEYS.iter().find(|it| it.name == name);
            match (key, value) {
                (Some(key), Some(value)) => {
                    self.set(key, value, origin).map_err(|reason| broken(reason, line))?;
                }
                (Some(_), None) => return Err(broken(format!("`{name}` must be a text"), line)),
                (None, _) => self.warnings.push(unknown(path, line, &name)),
            }
        }
        Ok(())
    }

    fn set(&mut self, key: &'static Key, value: String, origin: &Origin) -> Result<(), String> {
        if matches!(origin, Origin::List(_)) && !key.for_lists {
            return Err(format!("`{}` is the user's to set, not a list's", key.name));
        }
        (key.check)(&value).map_err(|reason| format!("`{}` {reason}", key.name))?;
        self.values.push((key.name, value, origin.clone()));
        Ok(())
    }

    /// The value of a key and where it came from, if a file says it.
    pub(crate) fn found(&self, key: &str) -> Option<(String, Origin)> {
        let found = self.values.iter().rev().find(|(name, ..)| *name == key);
        found.map(|(_, value, origin)| (value.clone(), origin.clone()))
    }

    /// The value of a key, if a file says it.
    pub(crate) fn text(&self, key: &str) -> Option<String> {
        self.found(key).map(|(value, _)| value)
    }

    /// Whether a switch is on.
    pub(crate) fn is_on(&self, key: &str) -> bool {
        self.text(key).as_deref() == Some("true")
    }

    /// The default length of a lease, in milliseconds.
    pub(crate) fn lease(&self) -> Option<i64> {
        self.text("lease").and_then(|it| keys::milliseconds(&it).ok())
    }

    /// Whether blocked tasks may be started and completed.
    pub(crate) fn is_lenient(&self) -> bool {
        self.text("rules").as_deref() == Some("lenient")
    }
}

pub(crate) use keys::milliseconds;

/// The settings in a file by their whole names: those of a group are `group.name`.
fn entries(table: &Table) -> Vec<(String, &Item)> {
    let is_group = |name: &str| KEYS.iter().any(|it| it.name.split_once('.').is_some_and(|it| it.0 == name));
    let mut entries = Vec::new();
    for (name, item) in table {
        match item.as_table_like().filter(|_| is_group(name)) {
            Some(group) => {
                entries.extend(group.iter().map(|(inner, item)| (format!("{name}.{inner}"), item)));
            }
            None => entries.push((name.to_owned(), item)),
        }
    }
    entries
}

/// A text, or a number or switch as it is written.
fn plain(item: &Item) -> Option<String> {
    let value = item.as_value()?;
    let other =
        || value.as_integer().map(|it| it.to_string()).or_else(|| value.as_bool().map(|it| it.to_string()));
    value.as_str().map(str::to_owned).or_else(other)
}

fn unknown(path: &Path, line: usize, name: &str) -> String {
    let near = crate::failure::nearest(name, KEYS.iter().map(|it| it.name).chain(["hooks"]));
    let near = near.map(|it| format!("; did you mean `{it}`?")).unwrap_or_default();
    format!("{}, line {line}: `{name}` is not a setting{near}", path.display())
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
