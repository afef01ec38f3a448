//! Reading one file that others may be writing at this very moment. Not deciding what to do about a broken one.

use super::Files;
use crate::{
    format::{Format, MAX_TASK_BYTES},
    id::TaskId,
    store::Error,
    task::Task,
    vfs::missing,
};
use std::{collections::HashMap, io::ErrorKind};

/// A file of a whole list may be this large.
const MAX_LIST_BYTES: u64 = 256 * 1024 * 1024;
/// A file that was touched within this time may be half written: it is read again, for a while.
const FRESH_MS: i64 = 2_000;

/// How it is said that an id stands twice in one file.
pub(super) const TWICE: &str = "there are two tasks ";

/// What a file says.
#[derive(Debug, Default)]
pub(super) struct Text {
    /// Its text; none if there is no file, or none that can be read.
    pub(super) whole: Option<String>,
    pub(super) found: Vec<Own>,
    places: HashMap<TaskId, usize>,
    /// Whether a file that holds a whole list holds nothing.
    pub(super) blank: bool,
    /// Why the file as a whole cannot be read.
    pub(super) broken: Option<String>,
    /// What is wrong with single tasks in it, and which they are as far as that can be told.
    pub(super) bad: Vec<(Option<TaskId>, String)>,
}

/// A task as its file has it.
#[derive(Debug)]
pub(super) struct Own {
    pub(super) id: TaskId,
    pub(super) task: Task,
    pub(super) hash: u128,
}

impl Text {
    /// Whether a task that is not found in it may be there all the same.
    pub(super) fn is_faulty(&self) -> bool {
        self.broken.is_some() || self.blank || !self.bad.is_empty()
    }

    /// Why a task that is not found in it may be there all the same.
    pub(super) fn fault(&self, id: &TaskId) -> Option<&str> {
        let bad = self.bad.iter().find(|(bad, _)| bad.as_ref().is_none_or(|it| it == id));
        let blank = self.blank.then_some("the file is empty");
        self.broken.as_deref().or(blank).or(bad.map(|(_, reason)| reason.as_str()))
    }

    /// The task of an id in it.
    pub(super) fn own(&self, id: &TaskId) -> Option<&Own> {
        self.places.get(id).map(|place| &self.found[*place])
    }
}

/// The hash by which bytes are known again.
pub(super) fn hash(bytes: impl AsRef<[u8]>) -> u128 {
    xxhash_rust::xxh3::xxh3_128(bytes.as_ref())
}

/// Reads a file, again and again for some milliseconds if it is broken and fresh.
pub(super) fn read_text(files: &Files, name: &str) -> Result<Text, Error> {
    Patience::default().read_text(files, name)
}

/// How long is waited for writers that are not done. Time that was given to one file was given to those after it, too:
/// after a loss of power many are broken and fresh, and nobody is writing them.
pub(super) struct Patience {
    pause: u64,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { pause: 1 }
    }
}

impl Patience {
    pub(super) fn read_text(&mut self, files: &Files, name: &str) -> Result<Text, Error> {
        loop {
            let text = read_once(files, name)?;
            let fine = text.broken.is_none() && !text.blank;
            if fine || self.pause > 32 || !is_fresh(files, name) {
                return Ok(text);
            }
            files.clock.sleep(self.pause);
            self.pause *= 2;
        }
    }
}

fn read_once(files: &Files, name: &str) -> Result<Text, Error> {
    let bytes = match missing(files.vfs.read(name, limit(files.format))) {
        Ok(None) => return Ok(Text::default()),
        Ok(Some(bytes)) => bytes,
        Err(error) if matches!(error.kind(), ErrorKind::FileTooLarge | ErrorKind::InvalidInput) => {
            return Ok(Text { broken: Some(error.to_string()), ..Text::default() });
        }
        Err(error) => return Err(Error::io("read", name)(error)),
    };
    match String::from_utf8(bytes) {
        // Some program is between emptying and writing it; or power was lost. Whether the list is new, others know.
        Ok(text) if is_blank(files.format, &text) => {
            Ok(Text { whole: Some(text), blank: true, ..Text::default() })
        }
        Ok(text) => Ok(understand(files.format, name, text)),
        Err(_) => Ok(Text { broken: Some("not UTF-8".to_owned()), ..Text::default() }),
    }
}

/// Larger files are not read.
pub(super) fn limit(format: &dyn Format) -> u64 {
    if format.shape().single_file.is_some() { MAX_LIST_BYTES } else { MAX_TASK_BYTES }
}

fn is_blank(format: &dyn Format, text: &str) -> bool {
    format.shape().single_file.is_some() && text.trim().is_empty()
}

/// What a text says in a format.
pub(super) fn understand(format: &dyn Format, name: &str, text: String) -> Text {
    if is_blank(format, &text) {
        return Text { whole: Some(text), blank: true, ..Text::default() };
    }
    let decoded = match format.decode(name, &text) {
        Ok(decoded) => decoded,
        Err(fault) => return Text { whole: Some(text), broken: Some(fault.to_string()), ..Text::default() },
    };
    let mut result = Text::default();
    for it in decoded {
        match it.task {
            Ok(task) if result.places.contains_key(&task.id) => {
                let reason = format!("{TWICE}{}", task.id);
                result.bad.push((it.id, reason));
            }
            Ok(task) => {
                result.places.insert(task.id.clone(), result.found.len());
                result.found.push(Own { id: task.id.clone(), task, hash: hash(&text[it.span]) });
            }
            Err(fault) => result.bad.push((it.id, fault.to_string())),
        }
    }
    result.whole = Some(text);
    result
}

fn is_fresh(files: &Files, name: &str) -> bool {
    files.vfs.stat(name).is_ok_and(|it| (0..FRESH_MS).contains(&it.modified_ago(files.clock.now())))
}
