//! What a text of settings says: values and hooks, or what is wrong with it and in which line. Not where it lies, and
//! nothing else of this program: the fuzzer reads texts by this very module.

mod hook;
mod keys;

pub(crate) use hook::{Hook, Run};
pub(crate) use keys::{KEYS, Key, milliseconds};

use std::{fmt, path::PathBuf};
use toml_edit::{Document, Item, Table};
use worklist::nearest::nearest;

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

/// Why a text cannot be taken.
#[derive(Debug)]
pub(super) struct Mistake {
    /// Counted from one.
    pub(super) line: usize,
    pub(super) reason: String,
}

impl Settings {
    /// Adds what a text says. One that is wrong in one thing is not to be used at all.
    pub(super) fn take(&mut self, text: &str, origin: &Origin) -> Result<(), Mistake> {
        let line_of = |at: usize| text.get(..at).map_or(1, |it| it.matches('\n').count() + 1);
        let document = Document::parse(text).map_err(|error| {
            let line = error.span().map_or(1, |it| line_of(it.start));
            Mistake {
                line,
                reason: format!("cannot be read: {}", error.message().trim().replace('\n', ", ")),
            }
        })?;
        for (name, item) in entries(document.as_table()) {
            let line = item.span().map_or(1, |it| line_of(it.start));
            self.entry(&name, item, line, origin).map_err(|reason| Mistake { line, reason })?;
        }
        Ok(())
    }

    fn entry(&mut self, name: &str, item: &Item, line: usize, origin: &Origin) -> Result<(), String> {
        if name == "hooks" {
            self.hooks.extend(hook::hooks(item, origin)?);
            return Ok(());
        }
        match (KEYS.iter().find(|it| it.name == name), plain(item)) {
            (Some(key), Some(value)) => return self.set(key, value, origin),
            (Some(_), None) => return Err(format!("`{name}` must be a text")),
            (None, _) => self.warnings.push(format!("{origin}, line {line}: {}", unknown(name))),
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
        self.text("lease").and_then(|it| milliseconds(&it).ok())
    }

    /// Whether blocked tasks may be started and completed.
    pub(crate) fn is_lenient(&self) -> bool {
        self.text("rules").as_deref() == Some("lenient")
    }
}

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

fn unknown(name: &str) -> String {
    let near = nearest(name, KEYS.iter().map(|it| it.name).chain(["hooks"]));
    let near = near.map(|it| format!("; did you mean `{it}`?")).unwrap_or_default();
    format!("`{name}` is not a setting{near}")
}
