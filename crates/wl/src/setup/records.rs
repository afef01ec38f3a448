//! What set-up made that was not there before: files, folders, objects around an entry. Kept beside what is trusted, so
//! that taking an entry out can leave everything as it was. Not needed to take it out: on another machine whatever is
//! empty then goes.
#![expect(clippy::disallowed_methods, reason = "a small file of this program's own")]

use crate::own_files;
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use worklist::json::{Json, Object, Style, parse, write};

const FILE: &str = "setup.jsonl";

/// What is ours around an entry, besides the entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Made {
    /// So many folders that the file is in.
    pub(super) folders: usize,
    pub(super) file: bool,
    /// So many objects around the entry.
    pub(super) objects: usize,
    /// The keys that were put in, where several can be.
    pub(super) keys: Vec<String>,
}

impl Made {
    /// Where nothing is known: whatever is empty.
    pub(super) const UNKNOWN: Made =
        Made { folders: usize::MAX, file: true, objects: usize::MAX, keys: Vec::new() };

    /// Whether a key was put in; all of them, where nothing is known.
    pub(super) fn has_key(&self, key: &str) -> bool {
        self.keys.is_empty() || self.keys.iter().any(|it| it == key)
    }
}

/// What was made, by file.
pub(super) struct Records {
    path: Option<PathBuf>,
    entries: Vec<(String, Made)>,
}

impl Records {
    /// What cannot be read counts as nothing.
    pub(super) fn load(state: Option<&Path>) -> Records {
        let path = state.map(|it| it.join(FILE));
        let text = path.as_ref().and_then(|it| fs::read_to_string(it).ok()).unwrap_or_default();
        Records { path, entries: text.lines().filter_map(entry).collect() }
    }

    /// What is known of a file.
    pub(super) fn find(&self, file: &Path) -> Option<&Made> {
        let name = file.display().to_string();
        self.entries.iter().find(|(it, _)| *it == name).map(|(_, made)| made)
    }

    /// Notes what was made for a file; what was put in before stays noted.
    pub(super) fn add(&mut self, file: &Path, made: &Made) {
        let mut made = made.clone();
        if let Some(was) = self.find(file).filter(|_| !made.file) {
            let keys = was.keys.iter().chain(&made.keys).cloned().collect();
            made = Made { keys, ..was.clone() };
        }
        self.forget(file);
        self.entries.push((file.display().to_string(), made));
    }

    pub(super) fn forget(&mut self, file: &Path) {
        let name = file.display().to_string();
        self.entries.retain(|(it, _)| *it != name);
    }

    /// Writes it down, whole or not at all.
    pub(super) fn save(&self) -> io::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        if self.entries.is_empty() {
            _ = fs::remove_file(path);
            return Ok(());
        }
        path.parent().map_or(Ok(()), own_files::make_folder)?;
        let draft = path.with_extension("new");
        own_files::write(&draft, &self.entries.iter().map(line).collect::<String>())?;
        fs::rename(&draft, path)
    }
}

fn entry(line: &str) -> Option<(String, Made)> {
    let value = parse(line).ok()?;
    let object = value.as_object()?;
    let count = |key| object.get(key)?.as_u64().and_then(|it| usize::try_from(it).ok());
    let file = matches!(object.get("created")?, Json::Bool(true));
    let keys =
        object.get("keys")?.as_array()?.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect();
    let made = Made { folders: count("folders")?, file, objects: count("objects")?, keys };
    Some((object.get("file")?.as_str()?.to_owned(), made))
}

fn line((file, made): &(String, Made)) -> String {
    let object = Object::new().with("file", file.as_str()).with("created", made.file);
    let object = object
        .with("folders", made.folders)
        .with("objects", made.objects)
        .with("keys", Json::strings(&made.keys));
    write(&Json::Object(object), Style::COMPACT, "") + "\n"
}
