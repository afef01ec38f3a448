//! The members of an object, told one by one: so that what a thing looks like as JSON is said once, whether it becomes a value or
//! is written down at once. Not a value: what is told is gone.

use super::{Json, Object};

/// Whoever is told the members of an object, in their order: an [`Object`], or [`super::write_members`].
pub trait Members {
    /// One more member, with a key that none had before.
    fn put(&mut self, key: &str, value: Value<'_>);
}

/// A value that belongs to somebody else.
pub enum Value<'a> {
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(u64),
    /// A string.
    Text(&'a str),
    /// An array of strings.
    Texts(&'a mut dyn Iterator<Item = &'a str>),
    /// An object.
    Object(&'a Object),
}

impl Value<'_> {
    /// The same, kept.
    pub fn into_json(self) -> Json {
        match self {
            Value::Bool(truth) => truth.into(),
            Value::Number(number) => number.into(),
            Value::Text(text) => text.into(),
            Value::Texts(texts) => Json::strings(texts),
            Value::Object(object) => object.clone().into(),
        }
    }
}

impl Members for Object {
    fn put(&mut self, key: &str, value: Value<'_>) {
        self.set(key, value.into_json());
    }
}
