//! What the user trusted: the very text of a list's file at a very place. Any change of either ends it.
#![expect(clippy::disallowed_methods, reason = "trust is kept in a file of its own, outside every list")]

use crate::{failure::Failure, own_files};
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use worklist::json::{Json, Object, Style, parse, write};

const FILE: &str = "trusted.jsonl";

/// The file of trusted texts.
pub(crate) struct Trust {
    path: PathBuf,
    /// Place and text.
    entries: Vec<(String, String)>,
}

/// Whether a file with this text was trusted at this place.
pub(crate) fn trusted(state: &Path, file: &Path, text: &str) -> bool {
    let place = name(file);
    Trust::load(state).entries.iter().any(|(path, kept)| *path == place && kept == text)
}

fn name(file: &Path) -> String {
    fs::canonicalize(file).unwrap_or_else(|_| file.to_owned()).display().to_string()
}

impl Trust {
    /// What was trusted so far. What cannot be read counts as nothing.
    pub(crate) fn load(state: &Path) -> Trust {
        let path = state.join(FILE);
        let text = fs::read_to_string(&path).unwrap_or_default();
        let entry = |line: &str| {
            let value = parse(line).ok()?;
            let text = |key: &str| value.as_object()?.get(key)?.as_str().map(str::to_owned);
            Some((text("file")?, text("text")?))
        };
        Trust { path, entries: text.lines().filter_map(entry).collect() }
    }

    /// Trusts a file as it stands.
    pub(crate) fn add(&mut self, file: &Path, text: &str) -> Result<(), Failure> {
        self.remove(file);
        self.entries.push((name(file), text.to_owned()));
        self.save()
    }

    /// Ends trust in a file; whether there was any.
    pub(crate) fn remove(&mut self, file: &Path) -> bool {
        let (place, count) = (name(file), self.entries.len());
        self.entries.retain(|(path, _)| *path != place);
        self.entries.len() < count
    }

    /// Writes it down, whole or not at all.
    pub(crate) fn save(&self) -> Result<(), Failure> {
        let failed = |error: io::Error| Failure::other(&format!("write {}", self.path.display()), &error);
        let line = |(file, text): &(String, String)| {
            let object = Object::new().with("file", file.as_str()).with("text", text.as_str());
            write(&Json::Object(object), Style::COMPACT, "") + "\n"
        };
        if let Some(folder) = self.path.parent() {
            own_files::make_folder(folder).map_err(failed)?;
        }
        let draft = self.path.with_extension("new");
        own_files::write(&draft, &self.entries.iter().map(line).collect::<String>()).map_err(failed)?;
        fs::rename(&draft, &self.path).map_err(failed)
    }
}
