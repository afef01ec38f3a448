//! The arguments of a call as models really send them: ids as numbers or texts, either style of key, lists that arrive
//! as text. What cannot be meant is said by name. Not what becomes of them.

use super::{Fault, Tool, python};
use crate::{
    id::TaskId,
    json::{Json, Object, parse},
    nearest::nearest,
    task::{Priority, Status},
};
use std::cell::RefCell;

/// What a call was given. Every argument is asked for by its names; what nobody asked for is unknown.
pub struct Arguments<'a> {
    tool: &'static Tool,
    /// The name by which the tool was called.
    pub called: &'a str,
    object: &'a Object,
    asked: RefCell<Vec<&'static str>>,
}

impl<'a> Arguments<'a> {
    pub(super) fn new(tool: &'static Tool, called: &'a str, object: &'a Object) -> Arguments<'a> {
        Arguments { tool, called, object, asked: RefCell::default() }
    }

    /// The value under the first of some names that is there and not null.
    pub(super) fn value(&self, names: &[&'static str]) -> Option<&'a Json> {
        self.asked.borrow_mut().extend(names);
        names.iter().find_map(|it| self.object.get(it)).filter(|it| **it != Json::Null)
    }

    /// Whether a name was given, also with null.
    pub(super) fn has(&self, names: &[&'static str]) -> bool {
        self.asked.borrow_mut().extend(names);
        names.iter().any(|it| self.object.get(it).is_some())
    }

    /// A text. Numbers and switches are taken as they are written.
    pub(super) fn text(&self, names: &[&'static str]) -> Result<Option<String>, Fault> {
        match self.value(names) {
            None => Ok(None),
            Some(Json::String(text) | Json::Number(text)) => Ok(Some(text.clone())),
            Some(Json::Bool(it)) => Ok(Some(it.to_string())),
            Some(_) => Err(self.wrong(names[0], "must be a text")),
        }
    }

    /// A text that must be there.
    pub(super) fn required(&self, names: &[&'static str]) -> Result<String, Fault> {
        self.text(names)?.ok_or_else(|| self.wrong(names[0], "is missing"))
    }

    /// An id: `1`, `"1"` or `"#1"`.
    pub(super) fn id(&self, names: &[&'static str]) -> Result<Option<TaskId>, Fault> {
        self.text(names)?.map(|it| self.one_id(names[0], &it)).transpose()
    }

    /// An id that must be there.
    pub(super) fn required_id(&self, names: &[&'static str]) -> Result<TaskId, Fault> {
        self.id(names)?.ok_or_else(|| self.wrong(names[0], "is missing"))
    }

    fn one_id(&self, name: &str, text: &str) -> Result<TaskId, Fault> {
        TaskId::typed(text.trim())
            .ok_or_else(|| self.wrong(name, &format!("holds `{text}`, which is not a task's id")))
    }

    /// Everything that was given.
    pub(super) fn given(&self) -> impl Iterator<Item = (&'a str, &'a Json)> {
        self.object.iter()
    }

    /// A list: as one, as JSON or a Python literal in a text, or a single value.
    pub(super) fn list(&self, names: &[&'static str]) -> Option<Vec<Json>> {
        match self.value(names)? {
            Json::Array(items) => Some(items.clone()),
            Json::String(text) if text.trim().is_empty() => Some(Vec::new()),
            Json::String(text) => match written(text) {
                Some(Json::Array(items)) => Some(items),
                _ => Some(text.split(',').map(|it| Json::from(it.trim())).collect()),
            },
            other => Some(vec![other.clone()]),
        }
    }

    /// A list of texts.
    pub(super) fn texts(&self, names: &[&'static str]) -> Result<Vec<String>, Fault> {
        let text = |it: &Json| match it {
            Json::String(text) | Json::Number(text) => Ok(text.clone()),
            _ => Err(self.wrong(names[0], "must be a list of texts")),
        };
        self.list(names).unwrap_or_default().iter().map(text).collect()
    }

    /// A list of ids.
    pub(super) fn ids(&self, names: &[&'static str]) -> Result<Vec<TaskId>, Fault> {
        self.texts(names)?.iter().map(|it| self.one_id(names[0], it)).collect()
    }

    /// A number that is not negative.
    pub(super) fn number(&self, names: &[&'static str]) -> Result<Option<u64>, Fault> {
        let Some(text) = self.text(names)? else { return Ok(None) };
        let number = text.trim().parse().map_err(|_| self.wrong(names[0], "must be a whole number"))?;
        Ok(Some(number))
    }

    /// An object, or one as JSON or a Python literal in a text.
    pub(super) fn object(&self, names: &[&'static str]) -> Result<Option<Object>, Fault> {
        match self.value(names) {
            None => Ok(None),
            Some(Json::Object(object)) => Ok(Some(object.clone())),
            Some(Json::String(text)) => match written(text) {
                Some(Json::Object(object)) => Ok(Some(object)),
                _ => Err(self.wrong(names[0], "must be an object")),
            },
            Some(_) => Err(self.wrong(names[0], "must be an object")),
        }
    }

    /// The keys of an object to be set, or taken out where they are null.
    pub(super) fn keys(&self, names: &[&'static str]) -> Result<Vec<(String, Option<Json>)>, Fault> {
        let object = self.object(names)?.unwrap_or_default();
        let kept = |value: &Json| Some(value.clone()).filter(|it| *it != Json::Null);
        Ok(object.iter().map(|(key, value)| (key.to_owned(), kept(value))).collect())
    }

    /// A status by its word.
    pub(super) fn status(&self, names: &[&'static str]) -> Result<Option<Status>, Fault> {
        let known = "must be pending, in_progress or completed";
        self.text(names)?.map(|it| Status::named(&it).ok_or_else(|| self.wrong(names[0], known))).transpose()
    }

    /// A priority by its word.
    pub(super) fn priority(&self, names: &[&'static str]) -> Result<Option<Priority>, Fault> {
        let known = "must be low, medium or high";
        self.text(names)?
            .map(|it| Priority::named(&it).ok_or_else(|| self.wrong(names[0], known)))
            .transpose()
    }

    /// Refuses what nobody asked for, by name.
    pub(super) fn nothing_else(&self) -> Result<(), Fault> {
        let asked = self.asked.borrow();
        let Some((key, _)) = self.object.iter().find(|(key, _)| !asked.contains(key)) else { return Ok(()) };
        let near = nearest(key, asked.iter().copied()).map(|it| format!("; did you mean `{it}`?"));
        Err(self.wrong(key, &format!("is not known{}", near.unwrap_or_default())))
    }

    /// What is wrong with an argument.
    pub(super) fn wrong(&self, name: &str, reason: &str) -> Fault {
        Fault::Arguments(format!("{}: `{name}` {reason}", self.tool.name))
    }
}

/// A value that was sent as a text.
fn written(text: &str) -> Option<Json> {
    parse(text).ok().or_else(|| python::literal(text))
}
