//! Looking at a value, whoever keeps its texts: so that what is read out of JSON is said once, for what is kept and for what is read
//! and forgotten. Not a value that can be changed.

use super::{Json, Object};
use std::borrow::Cow;

/// A value to be looked at.
pub trait Node: Sized {
    /// The text, if this is a string.
    fn text(&self) -> Option<&str>;

    /// The number as it is spelled, if this is one.
    fn digits(&self) -> Option<&str>;

    /// The elements, if this is an array.
    fn items(&self) -> Option<&[Self]>;

    /// The value of a key, if this is an object that has it. Of keys given twice, the last one counts.
    fn get(&self, key: &str) -> Option<&Self>;

    /// Whether this is a value, and not `null`.
    fn is_some(&self) -> bool;

    /// Whether this is `true`.
    fn is_true(&self) -> bool;

    /// The same, to keep.
    fn to_json(&self) -> Json;

    /// The number, if this is one and fits.
    fn natural(&self) -> Option<u64> {
        self.digits()?.parse().ok()
    }

    /// The number, if this is one and fits.
    fn integer(&self) -> Option<i64> {
        self.digits()?.parse().ok()
    }

    /// What is made of the texts in this array, if it is one: no more room than that takes.
    fn each<T>(&self, make: impl Fn(&str) -> T) -> Vec<T> {
        let items = self.items().unwrap_or_default();
        let mut made = Vec::with_capacity(items.len());
        made.extend(items.iter().filter_map(Self::text).map(make));
        made
    }

    /// The same as an object to keep, if this is one.
    fn to_object(&self) -> Option<Object> {
        self.to_json().into_object()
    }
}

impl Node for Json {
    fn text(&self) -> Option<&str> {
        self.as_str()
    }

    fn digits(&self) -> Option<&str> {
        match self {
            Json::Number(digits) => Some(digits),
            _ => None,
        }
    }

    fn items(&self) -> Option<&[Json]> {
        self.as_array()
    }

    fn get(&self, key: &str) -> Option<&Json> {
        self.as_object()?.get(key)
    }

    fn is_some(&self) -> bool {
        *self != Json::Null
    }

    fn is_true(&self) -> bool {
        *self == Json::Bool(true)
    }

    fn to_json(&self) -> Json {
        self.clone()
    }

    fn to_object(&self) -> Option<Object> {
        self.as_object().cloned()
    }
}

/// A value whose texts stay in the text that it was read from, but for those in which something is escaped: for whoever reads
/// thousands and keeps a few words of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lent<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as it is spelled.
    Number(&'a str),
    /// A string.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Lent<'a>>),
    /// The members of an object, also those whose key comes again.
    Object(Vec<(Cow<'a, str>, Lent<'a>)>),
}

impl Node for Lent<'_> {
    fn text(&self) -> Option<&str> {
        match self {
            Lent::String(text) => Some(text),
            _ => None,
        }
    }

    fn digits(&self) -> Option<&str> {
        match self {
            Lent::Number(digits) => Some(digits),
            _ => None,
        }
    }

    fn items(&self) -> Option<&[Self]> {
        match self {
            Lent::Array(items) => Some(items),
            _ => None,
        }
    }

    fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Lent::Object(members) => members.iter().rev().find(|(name, _)| name == key).map(|(_, it)| it),
            _ => None,
        }
    }

    fn is_some(&self) -> bool {
        *self != Lent::Null
    }

    fn is_true(&self) -> bool {
        *self == Lent::Bool(true)
    }

    fn to_json(&self) -> Json {
        match self {
            Lent::Null => Json::Null,
            Lent::Bool(truth) => Json::Bool(*truth),
            Lent::Number(digits) => Json::Number((*digits).to_owned()),
            Lent::String(text) => Json::String(text.as_ref().to_owned()),
            Lent::Array(items) => Json::Array(items.iter().map(Self::to_json).collect()),
            Lent::Object(members) => {
                let members = members.iter().map(|(key, it)| (key.as_ref().into(), it.to_json()));
                Json::Object(Object::of(members.collect()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{lent, parse};

    /// Both ways of reading a text see the same in it.
    #[test]
    fn what_is_lent_is_what_is_kept() {
        for text in [
            "null",
            "[true, false, null, -1.50e3, \"a\\n\\u00e9\", []]",
            r#"{"a": {"b": "c"}, "d": [1, "x", {"y": 18446744073709551615}], "a": "again"}"#,
        ] {
            let (kept, lent) = (parse(text).unwrap(), lent(text).unwrap());
            assert_eq!(lent.to_json(), kept);
            for key in ["a", "d", "z"] {
                assert_eq!(lent.get(key).map(Node::to_json), kept.get(key).cloned());
                let (ours, theirs) = (lent.get(key), kept.get(key));
                assert_eq!(ours.map(|it| it.each(str::to_owned)), theirs.map(|it| it.each(str::to_owned)));
                assert_eq!(lent.get(key).and_then(Node::text), kept.get(key).and_then(Node::text));
            }
        }
        let numbers = lent("[18446744073709551615, -9223372036854775808, 1.5, null]").unwrap();
        let [large, small, other, nothing] = numbers.items().unwrap() else { panic!() };
        assert_eq!((large.natural(), large.integer()), (Some(u64::MAX), None));
        assert_eq!((small.natural(), small.integer()), (None, Some(i64::MIN)));
        assert_eq!((other.natural(), nothing.natural(), nothing.is_some()), (None, None, false));
    }

    #[test]
    fn what_is_broken_is_broken_either_way() {
        for text in ["", "{", "[1,]", "{\"a\" 1}", "\"\\ud80\"", "nul", "{} x", "01", "\"a\nb\""] {
            assert_eq!(lent(text).unwrap_err(), parse(text).unwrap_err());
        }
    }
}
