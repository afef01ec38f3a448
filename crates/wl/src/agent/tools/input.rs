//! The arguments of our own tools, read with a sentence for the model where they are wrong. Not those for tasks: they
//! have readers of their own.

use worklist::json::{Json, Object};

/// Arguments as they came.
pub(super) struct Input<'a>(pub(super) &'a Object);

impl<'a> Input<'a> {
    /// A text that must be there.
    pub(super) fn text(&self, key: &str) -> Result<&'a str, String> {
        match self.0.get(key) {
            Some(Json::String(text)) => Ok(text),
            Some(_) => Err(format!("`{key}` must be a text.")),
            None => Err(format!("`{key}` is missing.")),
        }
    }

    /// A number that may be there; also one that came as text.
    pub(super) fn number(&self, key: &str) -> Result<Option<u64>, String> {
        let wrong = || format!("`{key}` must be a whole number.");
        match self.0.get(key) {
            None | Some(Json::Null) => Ok(None),
            Some(Json::String(text)) => text.trim().parse().map(Some).map_err(|_| wrong()),
            Some(other) => other.as_u64().map(Some).ok_or_else(wrong),
        }
    }
}
