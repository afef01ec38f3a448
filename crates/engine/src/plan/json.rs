//! Reading a plan in JSON, with the place of every value that is at fault. Not strict about spelling: the words that
//! other programs use for the same things are taken too.

use super::{Item, Mistake, Reference, Sheet, Standing};
use crate::{
    json::{Json, Malformed, elements, members, parse},
    nearest::nearest,
    task::{Priority, Status},
};
use std::{collections::HashMap, ops::Range};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Name,
    Subject,
    Description,
    ActiveForm,
    After,
    Blocks,
    Priority,
    Tags,
    Metadata,
    Parent,
    Owner,
    Status,
}

/// What a task can say: our word first, then the others, all in small letters without `_`.
const KEYS: &[(Key, &str, &[&str])] = &[
    (Key::Name, "name", &["name", "id"]),
    (Key::Subject, "subject", &["subject", "title", "content"]),
    (Key::Description, "description", &["description"]),
    (Key::ActiveForm, "activeForm", &["activeform"]),
    (Key::After, "after", &["after", "blockedby", "dependson", "dependencies"]),
    (Key::Blocks, "blocks", &["blocks", "before"]),
    (Key::Priority, "priority", &["priority"]),
    (Key::Tags, "tags", &["tags", "labels"]),
    (Key::Metadata, "metadata", &["metadata"]),
    (Key::Parent, "parent", &["parent", "parentid"]),
    (Key::Owner, "owner", &["owner", "assignee"]),
    (Key::Status, "status", &["status"]),
];

pub(super) fn read(text: &str) -> Sheet {
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let mut reader = Reader { text, starts: starts.collect(), last: (0, 0), sheet: Sheet::default() };
    if let Err(fault) = reader.root() {
        reader.sheet.mistakes.push(Mistake::at(fault.line, fault.reason).column(fault.column));
    }
    reader.sheet
}

struct Reader<'a> {
    text: &'a str,
    /// Where each line begins.
    starts: Vec<usize>,
    /// The place asked for last, and how many characters of its line stand before it.
    last: (usize, usize),
    sheet: Sheet,
}

type Span = Range<usize>;

impl Reader<'_> {
    fn line(&self, at: usize) -> usize {
        self.starts.partition_point(|it| *it <= at)
    }

    /// Line and column. Counted on from the last place if it can be: all of a long plan may be on one line.
    fn place(&mut self, at: usize) -> (usize, usize) {
        let line = self.line(at);
        let start = self.starts[line - 1];
        let (from, known) = if (start..=at).contains(&self.last.0) { self.last } else { (start, 0) };
        self.last = (at, known + self.text[from..at].chars().count());
        (line, self.last.1 + 1)
    }

    fn mistake(&mut self, at: usize, reason: impl Into<String>, hint: Option<&str>) {
        let (line, column) = self.place(at);
        let hint = hint.map(str::to_owned);
        self.sheet.mistakes.push(Mistake { hint, ..Mistake::at(line, reason).column(column) });
    }

    /// The members of an object: key, where it stands, and where its value stands.
    fn members(&self, span: &Span) -> Result<Vec<(String, usize, Span)>, Malformed> {
        let found = members(&self.text[span.clone()])?.into_iter();
        let shifted = |it: Span| it.start + span.start..it.end + span.start;
        Ok(found.map(|it| (it.key, span.start + it.key_span.start, shifted(it.value_span))).collect())
    }

    fn elements(&self, span: &Span) -> Result<Vec<Span>, Malformed> {
        let found = elements(&self.text[span.clone()])?.into_iter();
        Ok(found.map(|it| it.start + span.start..it.end + span.start).collect())
    }

    fn is_array(&self, span: &Span) -> bool {
        self.text[span.clone()].starts_with('[')
    }

    fn value(&self, span: &Span) -> Result<Json, Malformed> {
        parse(&self.text[span.clone()])
    }

    /// Whichever it is, all of the text is gone through before anything in it is looked at.
    fn root(&mut self) -> Result<(), Malformed> {
        let whole = 0..self.text.len();
        if self.text.trim_ascii_start().starts_with('[') {
            return self.each_task(&whole);
        }
        let mut has_tasks = false;
        for (key, at, span) in self.members(&whole)? {
            match key.as_str() {
                "tasks" => {
                    has_tasks = true;
                    self.tasks(&span)?;
                }
                "key" => match self.value(&span)? {
                    Json::Null => {}
                    value => self.sheet.key = self.text_of(&value, &span, "key"),
                },
                _ => self.unknown(&key, at, &["key", "tasks"], "a plan"),
            }
        }
        if !has_tasks {
            let at = self.text.find('{').unwrap_or(0);
            self.mistake(at, "the plan has no `tasks`", Some("{\"tasks\": [{\"subject\": \"…\"}]}"));
        }
        Ok(())
    }

    fn unknown(&mut self, key: &str, at: usize, known: &[&str], of: &str) {
        let hint = match nearest(key, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known are {}", known.join(", ")),
        };
        self.mistake(at, format!("{of} has no `{key}`"), Some(&hint));
    }

    fn tasks(&mut self, span: &Span) -> Result<(), Malformed> {
        if !self.is_array(span) {
            self.mistake(span.start, "`tasks` is not an array", None);
            return Ok(());
        }
        self.each_task(span)
    }

    fn each_task(&mut self, span: &Span) -> Result<(), Malformed> {
        for span in self.elements(span)? {
            if self.text[span.clone()].starts_with('{') {
                self.task(&span)?;
            } else {
                self.mistake(span.start, "a task is not an object", Some("{\"subject\": \"…\"}"));
            }
        }
        Ok(())
    }

    fn task(&mut self, span: &Span) -> Result<(), Malformed> {
        let mut item = Item { line: self.line(span.start), ..Item::default() };
        let mut given: HashMap<Key, String> = HashMap::new();
        for (spelled, at, span) in self.members(span)? {
            let plain = spelled.replace('_', "").to_lowercase();
            let Some((key, ..)) = KEYS.iter().find(|(_, _, words)| words.contains(&plain.as_str())) else {
                self.unknown(&spelled, at, &KEYS.iter().map(|it| it.1).collect::<Vec<_>>(), "a task");
                continue;
            };
            if let Some(first) = given.get(key) {
                self.mistake(at, format!("`{spelled}` says what `{first}` says already"), None);
                continue;
            }
            let value = self.value(&span)?;
            if value != Json::Null {
                self.set(&mut item, *key, &value, &span, &spelled)?;
                given.insert(*key, spelled);
            }
        }
        if !given.contains_key(&Key::Subject) {
            self.mistake(span.start, "the task has no `subject`", None);
        }
        self.sheet.items.push(item);
        Ok(())
    }

    fn set(
        &mut self,
        item: &mut Item,
        key: Key,
        value: &Json,
        span: &Span,
        spelled: &str,
    ) -> Result<(), Malformed> {
        match key {
            Key::Name => item.name = self.name_of(value, span, spelled),
            Key::Subject => item.task.subject = self.text_of(value, span, spelled).unwrap_or_default(),
            Key::Description => match value.as_str() {
                Some(text) => text.clone_into(&mut item.task.description),
                None => self.mistake(span.start, format!("`{spelled}` is not a text"), None),
            },
            Key::ActiveForm => item.task.active_form = self.text_of(value, span, spelled),
            Key::Owner => item.task.owner = self.text_of(value, span, spelled),
            Key::After => item.after = self.references(span, spelled)?,
            Key::Blocks => item.before = self.references(span, spelled)?,
            Key::Parent => item.parent = self.reference(value, span, spelled),
            Key::Tags => item.task.tags = self.tags(span, spelled)?,
            Key::Priority => {
                let named = value.as_str().and_then(|it| Priority::named(&it.to_lowercase()));
                if named.is_none() {
                    self.mistake(span.start, "the priority is not known", Some("it is low, medium or high"));
                }
                item.task.priority = named;
            }
            Key::Metadata => self.metadata(item, value, span),
            Key::Status => self.status(item, value, span),
        }
        Ok(())
    }

    fn metadata(&mut self, item: &mut Item, value: &Json, span: &Span) {
        match value.as_object() {
            None => self.mistake(span.start, "`metadata` is not an object", None),
            Some(object) if object.get("worklist").is_some() => {
                let hint = "`worklist` is where our own fields go";
                self.mistake(span.start, "`worklist` cannot be a key of yours in `metadata`", Some(hint));
            }
            Some(object) => item.task.metadata = object.clone(),
        }
    }

    fn status(&mut self, item: &mut Item, value: &Json, span: &Span) {
        match value.as_str().and_then(Status::named) {
            Some(Status::Pending) => {}
            Some(Status::InProgress) => item.standing = Standing::Begun,
            Some(Status::Completed) => item.standing = Standing::Done,
            None => {
                let hint = "it is pending, in_progress or completed";
                self.mistake(span.start, "the status is not known", Some(hint));
            }
        }
    }

    /// A text that says something.
    fn text_of(&mut self, value: &Json, span: &Span, spelled: &str) -> Option<String> {
        match value.as_str() {
            None => self.mistake(span.start, format!("`{spelled}` is not a text"), None),
            Some(text) if text.trim().is_empty() => {
                self.mistake(span.start, format!("`{spelled}` is empty"), None);
            }
            Some(text) => return Some(text.trim().to_owned()),
        }
        None
    }

    /// A name or an id, which may be a number.
    fn name_of(&mut self, value: &Json, span: &Span, spelled: &str) -> Option<String> {
        let text = match value {
            Json::Number(number) => Some(number.clone()),
            _ => self.text_of(value, span, spelled),
        }?;
        let bare = text.strip_prefix('#').unwrap_or(&text);
        if bare.is_empty() {
            self.mistake(span.start, format!("`{spelled}` is empty"), None);
        }
        (!bare.is_empty()).then(|| bare.to_owned())
    }

    fn reference(&mut self, value: &Json, span: &Span, spelled: &str) -> Option<Reference> {
        let text = match value {
            Json::Number(number) => Some(number.clone()),
            _ => self.text_of(value, span, spelled),
        }?;
        let (line, column) = self.place(span.start);
        Some(Reference { text, line, column: Some(column) })
    }

    fn references(&mut self, span: &Span, spelled: &str) -> Result<Vec<Reference>, Malformed> {
        let mut found = Vec::new();
        for span in self.one_or_many(span)? {
            let value = self.value(&span)?;
            found.extend(self.reference(&value, &span, spelled));
        }
        Ok(found)
    }

    fn tags(&mut self, span: &Span, spelled: &str) -> Result<Vec<String>, Malformed> {
        let mut found = Vec::new();
        for span in self.one_or_many(span)? {
            let value = self.value(&span)?;
            found.extend(self.text_of(&value, &span, spelled));
        }
        Ok(found)
    }

    /// The elements of an array; a value that is none stands for itself.
    fn one_or_many(&self, span: &Span) -> Result<Vec<Span>, Malformed> {
        if self.is_array(span) { self.elements(span) } else { Ok(vec![span.clone()]) }
    }
}
