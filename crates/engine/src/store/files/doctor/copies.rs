//! What a mend replaced, kept so that it can be put back: one directory for each mend, with a note that says what is
//! what. Not a part of history: only bytes are kept here.

use super::super::{
    Files,
    log::{OWN, make_dir},
    record::Touch,
    text::{hash, understand},
};
use crate::{
    id::TaskId,
    json::{Json, Object, Style, parse, write},
    store::Error,
    time::Time,
    vfs::missing,
};
use std::collections::HashMap;

pub(super) const MENDED: &str = ".worklist/mended";
/// Longest note that is believed.
const MAX_NOTE: u64 = 64 * 1024 * 1024;

/// One mend: which files it replaced, and which event it made.
#[derive(Debug)]
pub(super) struct Note {
    pub(super) number: u64,
    pub(super) at: Time,
    pub(super) agent: String,
    pub(super) what: Vec<String>,
    pub(super) event: Option<u64>,
    /// The last event before somebody began to take the mend back.
    pub(super) undoing: Option<u64>,
    pub(super) files: Vec<Kept>,
}

/// One file that a mend replaced.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) file: String,
    /// Whether there was such a file before, and so is a copy of it.
    pub(super) was: bool,
    /// What the mend left in its place; none if it left no file, or never came to it.
    pub(super) left: Option<u128>,
    /// Whether it was still as left when somebody began to take the mend back.
    pub(super) returns: bool,
}

impl Note {
    fn directory(&self) -> String {
        format!("{MENDED}/{}", self.number)
    }

    fn copy_path(&self, n: usize) -> String {
        format!("{}/{n}", self.directory())
    }

    /// Keeps the copies and the note, before anything is replaced: all of it survives a loss of power.
    pub(super) fn keep(&self, files: &Files, copies: &[Option<Vec<u8>>]) -> Result<(), Error> {
        let directory = self.directory();
        for path in [OWN, MENDED, &directory] {
            make_dir(&*files.vfs, path)?;
        }
        for (n, bytes) in copies.iter().enumerate() {
            if let Some(bytes) = bytes {
                let path = self.copy_path(n);
                files.vfs.write(&path, bytes).map_err(Error::io("write", &path))?;
                files.vfs.sync(&path).map_err(Error::io("flush", &path))?;
            }
        }
        self.write(files)?;
        for path in [MENDED, OWN] {
            files.vfs.sync(path).map_err(Error::io("flush", path))?;
        }
        Ok(())
    }

    /// Writes the note, in one step, and waits until it would survive.
    pub(super) fn write(&self, files: &Files) -> Result<(), Error> {
        let (path, draft) = (format!("{}/note", self.directory()), format!("{}/note.new", self.directory()));
        let text = write(&Json::Object(self.to_json()), Style::COMPACT, "");
        files.vfs.write(&draft, text.as_bytes()).map_err(Error::io("write", &draft))?;
        files.vfs.sync(&draft).map_err(Error::io("flush", &draft))?;
        files.vfs.replace(&draft, &path).map_err(Error::io("put in place", &path))?;
        files.vfs.sync(&self.directory()).map_err(Error::io("flush", &path))
    }

    /// The bytes that a file had; none if there was no such file.
    pub(super) fn copy(&self, files: &Files, n: usize) -> Result<Option<Vec<u8>>, Error> {
        if !self.files.get(n).is_some_and(|it| it.was) {
            return Ok(None);
        }
        let path = self.copy_path(n);
        files.vfs.read(&path, u64::MAX).map(Some).map_err(Error::io("read", &path))
    }

    /// Removes the copies and the note; the note goes first, so that half a mend is never put back.
    pub(super) fn discard(&self, files: &Files) -> Result<(), Error> {
        let directory = self.directory();
        let copies = (0..self.files.len()).map(|it| self.copy_path(it));
        let names = [format!("{directory}/note"), format!("{directory}/note.new")].into_iter().chain(copies);
        for path in names {
            missing(files.vfs.remove(&path)).map_err(Error::io("remove", &path))?;
        }
        missing(files.vfs.remove_dir(&directory)).map_err(Error::io("remove", &directory))?;
        Ok(())
    }

    fn to_json(&self) -> Object {
        let file = |it: &Kept| {
            let mut object = Object::new().with("file", it.file.as_str()).with("was", it.was);
            object.set_some("left", it.left.map(|it| format!("{it:032x}")));
            object.set_some("returns", it.returns.then_some(true));
            Json::Object(object)
        };
        let mut object = Object::new()
            .with("at", self.at.to_string())
            .with("agent", self.agent.as_str())
            .with("what", Json::strings(&self.what))
            .with("files", Json::Array(self.files.iter().map(file).collect()));
        object.set_some("event", self.event);
        object.set_some("undoing", self.undoing);
        object
    }
}

/// The numbers of the mends that have a note, lowest first.
pub(super) fn numbers(files: &Files) -> Vec<u64> {
    let mut numbers = all(files);
    numbers.retain(|it| files.vfs.stat(&format!("{MENDED}/{it}/note")).is_ok());
    numbers
}

/// A number that no mend has had, as far as can be told.
pub(super) fn fresh_number(files: &Files) -> u64 {
    all(files).last().map_or(1, |it| it + 1)
}

fn all(files: &Files) -> Vec<u64> {
    let names = files.vfs.names(MENDED).unwrap_or_default();
    let mut numbers: Vec<u64> = names.iter().filter_map(|it| it.parse().ok()).collect();
    numbers.sort_unstable();
    numbers
}

/// The note of a mend; none if there is none that can be understood.
pub(super) fn read(files: &Files, number: u64) -> Result<Option<Note>, Error> {
    let path = format!("{MENDED}/{number}/note");
    let bytes = missing(files.vfs.read(&path, MAX_NOTE)).map_err(Error::io("read", &path))?;
    let text = bytes.and_then(|it| String::from_utf8(it).ok());
    Ok(text.and_then(|it| from_json(number, parse(&it).ok()?.as_object()?)))
}

fn from_json(number: u64, object: &Object) -> Option<Note> {
    let text = |key: &str| object.get(key).and_then(Json::as_str);
    let what = object.get("what")?.as_array()?.iter().filter_map(Json::as_str).map(str::to_owned).collect();
    let file = |it: &Json| {
        let object = it.as_object()?;
        let left = object.get("left").and_then(Json::as_str);
        Some(Kept {
            file: object.get("file")?.as_str()?.to_owned(),
            was: *object.get("was")? == Json::Bool(true),
            left: left.and_then(|it| u128::from_str_radix(it, 16).ok()),
            returns: object.get("returns").is_some(),
        })
    };
    Some(Note {
        number,
        at: Time::parse(text("at")?)?,
        agent: text("agent")?.to_owned(),
        what,
        event: object.get("event").and_then(Json::as_u64),
        undoing: object.get("undoing").and_then(Json::as_u64),
        files: object.get("files")?.as_array()?.iter().map(file).collect::<Option<_>>()?,
    })
}

/// The hash by which a file is known again; none if there is no file.
pub(super) fn print(bytes: Option<&[u8]>) -> Option<u128> {
    bytes.map(hash)
}

/// Whether a file is, task by task, what the journal says that it was last written to.
pub(super) fn is_as_written(
    files: &Files,
    known: &HashMap<TaskId, Touch>,
    file: &str,
    bytes: Option<&[u8]>,
) -> bool {
    let text = bytes.and_then(|it| String::from_utf8(it.to_vec()).ok()).unwrap_or_default();
    let text = understand(files.format, file, text);
    text.found.iter().all(|own| known.get(&own.id).is_some_and(|it| it.hash == Some(own.hash)))
}
