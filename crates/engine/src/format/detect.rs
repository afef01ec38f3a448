//! Which format a folder is in, by its names and by what the files say. Not a guess: what is unclear is said so.

use super::{Format, claude::stem, named, s07::numbered};
use crate::json::{Json, parse};

/// What a folder looks like.
#[derive(Debug)]
pub enum Detected {
    /// There are no task files.
    Nothing,
    /// It is in this format.
    Format(&'static dyn Format),
    /// It cannot be said, or must not be written to.
    Unclear(Unclear),
}

/// Why the format of a folder is not clear.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unclear {
    /// Two formats lie in one folder.
    #[error("{one_file} is in format {one}, {other_file} in format {other}")]
    Two {
        /// A format.
        one: &'static str,
        /// A file in it.
        one_file: String,
        /// Another format.
        other: &'static str,
        /// A file in that one.
        other_file: String,
    },
    /// There are files, but none of a format we know.
    #[error("{file} is of no known task format")]
    Unknown {
        /// One of them.
        file: String,
    },
}

/// How many files are opened at most.
const LOOKED_AT: usize = 64;

/// Looks at the names in a folder, and through `read` into some of the files.
pub fn detect(names: &[String], read: &dyn Fn(&str) -> Option<String>) -> Detected {
    let files: Vec<&String> = names.iter().filter(|it| stem(it).is_some()).collect();
    let single = |it: &&&String| named("tasks-json").is_some_and(|format| format.is_task_file(it));
    let mut seen: Option<(&'static str, String)> =
        files.iter().find(single).map(|it| ("tasks-json", (**it).clone()));
    let mut unknown = None;
    for file in files.iter().filter(|it| !single(it)).take(LOOKED_AT) {
        let Some(text) = read(file) else { continue };
        match (format_of(file, &text), &seen) {
            (None, _) => unknown = unknown.or(Some((*file).clone())),
            (Some(format), None) => seen = Some((format, (*file).clone())),
            (Some(format), Some((one, _))) if format == *one => {}
            (Some(other), Some((one, one_file))) => {
                let (one, one_file, other_file) = (*one, one_file.clone(), (*file).clone());
                return Detected::Unclear(Unclear::Two { one, one_file, other, other_file });
            }
        }
    }
    match (seen.and_then(|(name, _)| named(name)), unknown) {
        (Some(format), _) => Detected::Format(format),
        (None, Some(file)) => Detected::Unclear(Unclear::Unknown { file }),
        (None, None) => Detected::Nothing,
    }
}

/// The format of one file; none if it says nothing about it.
fn format_of(name: &str, text: &str) -> Option<&'static str> {
    let value = parse(text).ok()?;
    let object = value.as_object()?;
    let has = |key: &str| object.get(key).is_some();
    let lesson = name.starts_with("task_");
    match object.get("id") {
        Some(Json::Number(_)) if numbered(name).is_some() => {
            Some(if text.contains("\" : ") { "java" } else { "s07" })
        }
        Some(Json::String(_)) if lesson && has("blockedBy") && !has("blocks") => Some("s12"),
        _ if lesson => None,
        _ if has("blocked_by") => Some("v6"),
        _ if has("subject") && has("status") => Some("claude"),
        _ => None,
    }
}
