//! One entry in a file of settings in JSON: put in, brought up to date, taken out. Everything else in the text keeps its
//! bytes, whatever its layout.

use super::{
    Fault, State,
    jsonc::{Found, Jsonc},
};
use std::ops::Range;
use worklist::json::{Json, Member, Object, Style, write};

/// A value under keys, the outermost first.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) keys: Vec<String>,
    pub(crate) value: Json,
}

impl Entry {
    pub(super) fn new(keys: &[&str], value: impl Into<Json>) -> Entry {
        Entry { keys: keys.iter().map(|it| (*it).to_owned()).collect(), value: value.into() }
    }

    /// The innermost key.
    pub(super) fn key(&self) -> &str {
        self.keys.last().map_or("", String::as_str)
    }

    /// How the entry stands. Keys that somebody added to it are theirs and count as nothing.
    pub(super) fn state(&self, text: &str) -> Result<State, Fault> {
        let read = Jsonc::read(text)?;
        let way = way(&read, &self.keys)?;
        let Some(member) = way.member() else { return Ok(State::Missing) };
        let is = read.value(&member.value_span)?;
        let same = match (&is, &self.value) {
            (Json::Object(is), Json::Object(wanted)) => {
                wanted.iter().all(|(key, it)| is.get(key) == Some(it))
            }
            (is, wanted) => is == wanted,
        };
        Ok(if same { State::Current } else { State::Stale })
    }

    /// The value that is there now.
    pub(super) fn found(&self, text: &str) -> Result<Option<Json>, Fault> {
        let read = Jsonc::read(text)?;
        let way = way(&read, &self.keys)?;
        Ok(way.member().map(|it| read.value(&it.value_span)).transpose()?)
    }

    /// The text with the entry, and how many of the objects around it are new.
    pub(super) fn put(&self, text: &str) -> Result<(String, usize), Fault> {
        let read = Jsonc::read(text)?;
        let way = way(&read, &self.keys)?;
        if let Some(member) = way.member() {
            let is = read.value(&member.value_span)?;
            return Ok((self.renewed(text, &is, &member.value_span)?, 0));
        }
        let missing = &self.keys[way.objects.len() - 1..];
        let nested = missing[1..].iter().rev();
        let value = nested.fold(self.value.clone(), |inner, key| Object::new().with(key, inner).into());
        let text = Layout::of(&read, way.innermost())?.inserted(&missing[0], &value);
        Ok((text, missing.len() - 1))
    }

    /// The text with an older entry brought up to date, key by key.
    fn renewed(&self, text: &str, is: &Json, span: &Range<usize>) -> Result<String, Fault> {
        if *is == self.value {
            return Ok(text.to_owned());
        }
        let (Json::Object(is), Json::Object(wanted)) = (is, &self.value) else {
            let value = write(&self.value, Style::COMPACT, "");
            return Ok(format!("{}{value}{}", &text[..span.start], &text[span.end..]));
        };
        let mut text = text.to_owned();
        for (key, value) in wanted.iter().filter(|(key, it)| is.get(key) != Some(it)) {
            let keys = self.keys.iter().cloned().chain([key.to_owned()]).collect();
            text = Entry { keys, value: value.clone() }.put_whole(&text)?;
        }
        Ok(text)
    }

    /// One value put in or replaced, whatever it is.
    fn put_whole(&self, text: &str) -> Result<String, Fault> {
        let read = Jsonc::read(text)?;
        let way = way(&read, &self.keys)?;
        let Some(member) = way.member() else { return Ok(self.put(text)?.0) };
        let value = write(&self.value, Style { gap: " ", colon: ": ", ..Style::COMPACT }, "");
        Ok(format!("{}{value}{}", &text[..member.value_span.start], &text[member.value_span.end..]))
    }

    /// The text without the entry, and without as many of the objects around it, if they are empty then.
    pub(super) fn take(&self, text: &str, around: usize) -> Result<String, Fault> {
        let mut text = text.to_owned();
        let mut keys = self.keys.as_slice();
        for _ in 0..=around.min(self.keys.len() - 1) {
            let read = Jsonc::read(&text)?;
            let way = way(&read, keys)?;
            let Some(at) = way.at else { break };
            let is_outer = keys.len() < self.keys.len();
            let span = way.innermost().members[at].value_span.clone();
            if is_outer && !text[span.start + 1..span.end - 1].trim().is_empty() {
                break;
            }
            text = Layout::of(&read, way.innermost())?.without(at);
            keys = &keys[..keys.len() - 1];
        }
        Ok(text)
    }
}

/// Whether nothing is left in a text of settings, not even a comment.
pub(super) fn is_empty(text: &str) -> bool {
    let inner = text.trim().strip_prefix('{').and_then(|it| it.strip_suffix('}'));
    inner.is_some_and(|it| it.trim().is_empty())
}

/// The objects along keys, as far as there are any; the place of the last key in the innermost, if it is there.
struct Way {
    objects: Vec<Found>,
    at: Option<usize>,
}

impl Way {
    fn innermost(&self) -> &Found {
        &self.objects[self.objects.len() - 1]
    }

    fn member(&self) -> Option<&Member> {
        self.at.map(|at| &self.innermost().members[at])
    }
}

fn way(read: &Jsonc, keys: &[String]) -> Result<Way, Fault> {
    let mut objects = vec![read.root()?];
    for (depth, key) in keys.iter().enumerate() {
        let members = &objects[depth].members;
        let Some(at) = members.iter().rposition(|it| it.key == *key) else {
            return Ok(Way { objects, at: None });
        };
        if depth + 1 == keys.len() {
            return Ok(Way { objects, at: Some(at) });
        }
        let span = members[at].value_span.clone();
        let object = read.object(span).map_err(|_| Fault::new(&format!("`{key}` is not an object")))?;
        objects.push(object);
    }
    Ok(Way { objects, at: None })
}

/// How the text around an object is laid out.
struct Layout<'a> {
    read: &'a Jsonc<'a>,
    object: &'a Found,
    /// What one level is indented by.
    unit: &'a str,
    /// What stands before the line that the object begins in.
    margin: &'a str,
    /// What stands before each member; none if all is on one line.
    indent: Option<String>,
    end_of_line: &'static str,
}

impl<'a> Layout<'a> {
    fn of(read: &'a Jsonc<'a>, object: &'a Found) -> Result<Layout<'a>, Fault> {
        let text = read.text;
        let root = read.root()?;
        let unit = root.members.first().and_then(|it| indent_of(text, it)).filter(|it| !it.is_empty());
        let unit = unit.unwrap_or("  ");
        let line = &text[text[..object.span.start].rfind('\n').map_or(0, |it| it + 1)..];
        let margin = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
        let indent = match (object.members.first(), root.members.first()) {
            (Some(first), _) => indent_of(text, first).map(str::to_owned),
            // An empty object opens up, unless everything is on one line.
            (None, Some(first)) if indent_of(text, first).is_none() => None,
            (None, _) => Some(format!("{margin}{unit}")),
        };
        let end_of_line = if text.contains("\r\n") { "\r\n" } else { "\n" };
        Ok(Layout { read, object, unit, margin, indent, end_of_line })
    }

    /// A member in the manner of the object, with what stands before it.
    fn member(&self, key: &str, value: &Json) -> String {
        let key = write(&Json::from(key), Style::COMPACT, "");
        let Some(indent) = &self.indent else {
            let is_loose = self
                .object
                .members
                .first()
                .is_none_or(|it| self.read.text[it.key_span.end..it.value_span.start].ends_with(' '));
            let (colon, gap) = if is_loose { (": ", " ") } else { (":", "") };
            let value = write(value, Style { colon, gap, ..Style::COMPACT }, "");
            let lead = if self.object.members.is_empty() { "" } else { gap };
            return format!("{lead}{key}{colon}{value}");
        };
        let value = write(value, Style::JAVASCRIPT, "");
        let mut lines = value.lines();
        let mut text = format!("{}{indent}{key}: {}", self.end_of_line, lines.next().unwrap_or_default());
        for line in lines {
            let inner = line.trim_start();
            let depth = (line.len() - inner.len()) / 2;
            text += &format!("{}{indent}{}{inner}", self.end_of_line, self.unit.repeat(depth));
        }
        text
    }

    fn inserted(&self, key: &str, value: &Json) -> String {
        let text = self.read.text;
        let member = self.member(key, value);
        let Some(last) = self.object.members.last() else {
            let (start, rest) = text.split_at(self.object.span.start + 1);
            let close = if self.indent.is_some() { self.closing() } else { String::new() };
            return format!("{start}{member}{close}{rest}");
        };
        let end = last.value_span.end;
        match self.comma_after(end) {
            Some(comma) => {
                let at = self.line_end(comma + 1);
                format!("{}{member},{}", &text[..at], &text[at..])
            }
            None => {
                let at = self.line_end(end);
                format!("{},{}{member}{}", &text[..end], &text[end..at], &text[at..])
            }
        }
    }

    fn without(&self, at: usize) -> String {
        let text = self.read.text;
        let Member { key_span, value_span, .. } = &self.object.members[at];
        let start = text[..key_span.start].trim_end().len();
        let end = value_span.end;
        if let Some(comma) = self.comma_after(end) {
            return format!("{}{}{}", &text[..start], &text[end..comma], &text[comma + 1..]);
        }
        let before = self.object.members[..at].last().and_then(|it| self.comma_after(it.value_span.end));
        match before {
            Some(comma) => format!("{}{}{}", &text[..comma], &text[comma + 1..start], &text[end..]),
            None => {
                let rest = &text[end..];
                format!("{}{}", &text[..start], rest.strip_prefix(&self.closing()).unwrap_or(rest))
            }
        }
    }

    /// What stands before the brace of an object that was opened up.
    fn closing(&self) -> String {
        format!("{}{}", self.end_of_line, self.margin)
    }

    /// The comma that follows a place, comments aside.
    fn comma_after(&self, at: usize) -> Option<usize> {
        let rest = &self.read.bare[at..];
        let blanks = rest.len() - rest.trim_start().len();
        rest[blanks..].starts_with(',').then_some(at + blanks)
    }

    /// Where the line ends that a place is in, with the comment that belongs to it.
    fn line_end(&self, at: usize) -> usize {
        if self.indent.is_none() {
            return at;
        }
        let rest = &self.read.bare[at..self.object.span.end - 1];
        let end = at + rest.find('\n').unwrap_or(rest.len());
        let has_more = !self.read.bare[at..end].trim().is_empty();
        if has_more { at } else { at + self.read.text[at..end].trim_end().len() }
    }
}

/// What stands before a member in its line; none if it is not the first there.
fn indent_of<'a>(text: &'a str, member: &Member) -> Option<&'a str> {
    let line = text[..member.key_span.start].rfind('\n')? + 1;
    Some(&text[line..member.key_span.start]).filter(|it| it.chars().all(|it| it == ' ' || it == '\t'))
}
