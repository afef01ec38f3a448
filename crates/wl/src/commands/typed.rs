//! Values as they are typed: ids, lengths of time, priorities, pairs, texts from standard input. Checked here, once.

use crate::{failure::Failure, settings::milliseconds};
use clap::builder::PossibleValuesParser;
use std::{io::Read, path::Path};
use worklist::{
    Priority, Status, TaskId,
    format::FORMATS,
    json::{Json, parse},
};

/// Longer files are no text for a model.
const MOST_BYTES: u64 = 1024 * 1024;

/// An id as it was typed.
pub(super) fn id(text: &str) -> Result<TaskId, String> {
    let why = "ids are up to 64 letters, digits, `_` and `-`";
    TaskId::typed(text).ok_or_else(|| match text.split_once([',', ' ']) {
        Some(_) => format!("name one task at a time, the flag again for each; {why}"),
        None => why.to_owned(),
    })
}

/// A length of time in milliseconds.
pub(super) fn duration(text: &str) -> Result<i64, String> {
    milliseconds(text)
}

/// low, medium or high.
pub(super) fn priorities() -> PossibleValuesParser {
    PossibleValuesParser::new(Priority::ALL.map(Priority::name))
}

/// pending, `in_progress` or completed.
pub(super) fn statuses() -> PossibleValuesParser {
    PossibleValuesParser::new(Status::ALL.map(Status::name))
}

/// The names of the formats.
pub(crate) fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(FORMATS.map(|it| it.shape().name))
}

/// `key=value`: the value is JSON if it can be read as such, else text.
pub(super) fn pair(text: &str) -> Result<(String, Json), String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE")?;
    own_key(key)?;
    Ok((key.to_owned(), parse(value).unwrap_or_else(|_| Json::from(value))))
}

/// A key of `metadata` that is the caller's.
pub(super) fn own_key(key: &str) -> Result<String, String> {
    match key {
        "" => Err("the key may not be empty".to_owned()),
        "worklist" => Err("`worklist` is where our own fields go".to_owned()),
        key => Ok(key.to_owned()),
    }
}

/// A text, or all of standard input for `-`.
pub(super) fn text(value: &str, what: &str) -> Result<String, Failure> {
    if value != "-" {
        return Ok(value.to_owned());
    }
    Ok(input(what)?.trim_end_matches('\n').to_owned())
}

/// A file of the user's choice that is a text for a model. What is longer is none.
pub(super) fn text_of(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let file = std::fs::OpenOptions::new().read(true).open(path);
    let read = file.and_then(|it| it.take(MOST_BYTES).read_to_string(&mut text));
    read.map_err(|error| Failure::other(&format!("read {}", path.display()), &error))?;
    Ok(text)
}

/// All of standard input.
pub(super) fn input(what: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|error| Failure::other(&format!("read {what} from standard input"), &error))?;
    let not_text = |_| Failure::invalid("standard input", "is not UTF-8", None);
    String::from_utf8(bytes).map_err(not_text)
}
