//! What becomes of a text that is read: a value that keeps its texts, or one to which they are lent. Not the reading.

use super::{Json, Lent, Object};
use smol_str::SmolStr;
use std::borrow::Cow;

/// What becomes of a value that is read.
pub(super) trait Made<'a>: Sized {
    /// What keeps a key.
    type Key: From<Cow<'a, str>>;
    const NULL: Self;
    fn truth(truth: bool) -> Self;
    fn number(digits: &'a str) -> Self;
    fn string(text: Cow<'a, str>) -> Self;
    fn array(items: Vec<Self>) -> Self;
    fn object(members: Vec<(Self::Key, Self)>) -> Self;
}

impl<'a> Made<'a> for Json {
    type Key = SmolStr;
    const NULL: Self = Json::Null;

    fn truth(truth: bool) -> Self {
        Json::Bool(truth)
    }

    fn number(digits: &'a str) -> Self {
        Json::Number(digits.to_owned())
    }

    fn string(text: Cow<'a, str>) -> Self {
        Json::String(text.into_owned())
    }

    fn array(items: Vec<Self>) -> Self {
        Json::Array(items)
    }

    fn object(members: Vec<(SmolStr, Self)>) -> Self {
        Json::Object(Object::of(members))
    }
}

impl<'a> Made<'a> for Lent<'a> {
    type Key = Cow<'a, str>;
    const NULL: Self = Lent::Null;

    fn truth(truth: bool) -> Self {
        Lent::Bool(truth)
    }

    fn number(digits: &'a str) -> Self {
        Lent::Number(digits)
    }

    fn string(text: Cow<'a, str>) -> Self {
        Lent::String(text)
    }

    fn array(items: Vec<Self>) -> Self {
        Lent::Array(items)
    }

    fn object(members: Vec<(Cow<'a, str>, Self)>) -> Self {
        Lent::Object(members)
    }
}

/// A value that is only passed on the way to the next: nothing is kept of it.
pub(super) struct Passed;

/// The key of such a one.
pub(super) struct PassedKey;

impl From<Cow<'_, str>> for PassedKey {
    fn from(_key: Cow<'_, str>) -> Self {
        PassedKey
    }
}

impl<'a> Made<'a> for Passed {
    type Key = PassedKey;
    const NULL: Self = Passed;

    fn truth(_truth: bool) -> Self {
        Passed
    }

    fn number(_digits: &'a str) -> Self {
        Passed
    }

    fn string(_text: Cow<'a, str>) -> Self {
        Passed
    }

    fn array(_items: Vec<Self>) -> Self {
        Passed
    }

    fn object(_members: Vec<(PassedKey, Self)>) -> Self {
        Passed
    }
}
