//! JSON as it was written: values keep the order of their keys and the spelling of their numbers.
//! Not a serializer for Rust types: the task formats say by hand which key means what.

mod made;
mod members;
mod node;
mod parse;
mod patch;
mod write;

pub use members::{Members, Value};
pub use node::{Lent, Node};
pub use parse::{MAX_DEPTH, Malformed, Member, lent, members, parse};
pub(crate) use parse::{elements, repeated_keys};
pub(crate) use patch::patch_object;
pub use write::{Style, write, write_members};

use smol_str::SmolStr;
use std::collections::HashMap;

/// One JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, spelled as it was found: `1.0`, `1e3` and integers beyond 2^53 survive.
    Number(String),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// An object.
    Object(Object),
}

/// So many members are looked through one by one.
const FEW: usize = 24;

/// A JSON object: keys in the order in which they were written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Object(Vec<(SmolStr, Json)>);

impl Json {
    /// The text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if this is one and fits.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Json::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// The number, if this is one and fits.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Json::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// The elements, if this is an array.
    pub fn as_array(&self) -> Option<&[Json]> {
        match self {
            Json::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The members, if this is an object.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Json::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The members, if this is an object, to keep.
    pub(crate) fn into_object(self) -> Option<Object> {
        match self {
            Json::Object(object) => Some(object),
            _ => None,
        }
    }

    /// An array of strings.
    pub fn strings<S: AsRef<str>>(items: impl IntoIterator<Item = S>) -> Json {
        Json::Array(items.into_iter().map(|item| Json::from(item.as_ref())).collect())
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Json::String(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Json::String(text)
    }
}

impl From<u64> for Json {
    fn from(number: u64) -> Self {
        Json::Number(number.to_string())
    }
}

impl From<i64> for Json {
    fn from(number: i64) -> Self {
        Json::Number(number.to_string())
    }
}

impl From<usize> for Json {
    fn from(number: usize) -> Self {
        Json::Number(number.to_string())
    }
}

impl From<bool> for Json {
    fn from(truth: bool) -> Self {
        Json::Bool(truth)
    }
}

impl From<Object> for Json {
    fn from(object: Object) -> Self {
        Json::Object(object)
    }
}

impl Object {
    /// An object without members.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Sets a key: in its old place if it was there, else at the end.
    pub fn set(&mut self, key: &str, value: impl Into<Json>) {
        let value = value.into();
        match self.0.iter_mut().find(|(name, _)| name == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((SmolStr::new(key), value)),
        }
    }

    /// The same, in a chain.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Json>) -> Self {
        self.set(key, value);
        self
    }

    /// Sets a key if there is something to set.
    pub fn set_some(&mut self, key: &str, value: Option<impl Into<Json>>) {
        if let Some(value) = value {
            self.set(key, value);
        }
    }

    /// Takes a key out.
    pub fn remove(&mut self, key: &str) -> Option<Json> {
        let at = self.0.iter().position(|(name, _)| name == key)?;
        Some(self.0.remove(at).1)
    }

    /// The members in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl FromIterator<(String, Json)> for Object {
    fn from_iter<I: IntoIterator<Item = (String, Json)>>(members: I) -> Self {
        Object::of(members.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }
}

impl Object {
    /// Of keys that stand twice the last value counts, in the first one's place.
    fn of(members: Vec<(SmolStr, Json)>) -> Object {
        let is_again = |(n, (key, _)): (usize, &(SmolStr, Json))| members[..n].iter().any(|it| it.0 == *key);
        // Nearly every object is small enough to be looked through, and says nothing twice; large ones get a table.
        if members.len() <= FEW && !members.iter().enumerate().any(is_again) {
            return Object(members);
        }
        let mut object: Vec<(SmolStr, Json)> = Vec::new();
        let mut places: HashMap<SmolStr, usize> = HashMap::new();
        for (key, value) in members {
            let place = match object.len() {
                0..=FEW => object.iter().position(|(name, _)| *name == key),
                _ => places.get(&key).copied(),
            };
            if let Some(place) = place {
                object[place].1 = value;
                continue;
            }
            object.push((key, value));
            let new = match object.len() {
                0..=FEW => 0..0,
                length if places.is_empty() => 0..length,
                length => length - 1..length,
            };
            places.extend(new.map(|place| (object[place].0.clone(), place)));
        }
        Object(object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of keys that stand twice the last value counts, in the first one's place, in small objects and in large ones.
    #[test]
    fn the_last_of_two_counts() {
        for count in [1, 3, FEW - 1, FEW, FEW + 1, FEW + 2, FEW * 4] {
            let once = (0..count).map(|n| (format!("k{n}"), Json::from(n)));
            let object: Object = once.clone().chain(once.map(|(key, _)| (key, Json::Null))).collect();
            assert_eq!(object.len(), count);
            let keys: Vec<String> = object.iter().map(|(key, _)| key.to_owned()).collect();
            assert_eq!(keys, (0..count).map(|n| format!("k{n}")).collect::<Vec<_>>());
            assert!(object.iter().all(|(_, value)| *value == Json::Null));
        }
    }
}
