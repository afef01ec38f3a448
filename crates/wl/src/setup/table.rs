//! One table in a file of settings in TOML: put in, brought up to date, taken out. Everything else in the text keeps its
//! bytes. What is written in an unusual way is left to the person who wrote it.

use super::{Fault, State, block};
use std::ops::Range;
use toml_edit::{Document, Item, Table as Found, TableLike};

/// A table by its name, and what must be in it: keys with values as TOML spells them.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) outer: &'static str,
    pub(crate) name: &'static str,
    pub(crate) lines: Vec<(&'static str, String)>,
}

impl Table {
    /// How the table stands. Keys that somebody added to it are theirs and count as nothing.
    pub(super) fn state(&self, text: &str) -> Result<State, Fault> {
        let document = read(text)?;
        let Some(table) = self.find(&document) else { return Ok(State::Missing) };
        let same = self.lines.iter().all(|(key, value)| spelled(text, table, key) == Some(value));
        Ok(if same { State::Current } else { State::Stale })
    }

    /// The text with the table.
    pub(super) fn put(&self, text: &str) -> Result<String, Fault> {
        let document = read(text)?;
        let put = match self.find(&document) {
            Some(table) => self.renewed(text, table)?,
            None => {
                let head = format!("[{}.{}]", self.outer, self.name);
                let lines = self.lines.iter().map(|(key, value)| format!("{key} = {value}"));
                block::appended(text, &[head].into_iter().chain(lines).collect::<Vec<_>>().join("\n"))
            }
        };
        let done = self.state(&put).is_ok_and(|it| it == State::Current);
        if done && self.others(text)? == self.others(&put)? { Ok(put) } else { Err(self.unusual()) }
    }

    fn renewed(&self, text: &str, table: &dyn TableLike) -> Result<String, Fault> {
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        for (key, value) in &self.lines {
            match table.get(key).map(Item::span) {
                Some(span) => edits.push((span.ok_or_else(|| self.unusual())?, value.clone())),
                None => {
                    let head = self.head(text)?;
                    edits.push((head.end..head.end, format!("{}{key} = {value}", block::end_of_line(text))));
                }
            }
        }
        // From the back, so that places stay what they are.
        edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        let mut text = text.to_owned();
        for (span, value) in edits {
            text.replace_range(span, &value);
        }
        Ok(text)
    }

    /// The text without the table and what is beneath it.
    pub(super) fn take(&self, text: &str) -> Result<String, Fault> {
        let document = read(text)?;
        let Some(table) = self.find(&document) else { return Ok(text.to_owned()) };
        let start = self.head(text)?.start;
        let end = last_place(table).max(self.head(text)?.end);
        let end = text[end..].find('\n').map_or(text.len(), |it| end + it);
        let taken = block::cut(text, start..text[..end].trim_end().len());
        let is_gone = self.state(&taken).is_ok_and(|it| it == State::Missing);
        if is_gone && self.others(text)? == self.others(&taken)? { Ok(taken) } else { Err(self.unusual()) }
    }

    /// Every value outside the table, as the text spells it.
    fn others(&self, text: &str) -> Result<Vec<(String, String)>, Fault> {
        let document = read(text)?;
        let root: &dyn TableLike = document.as_table();
        let mut open = vec![(String::new(), root)];
        let mut values = Vec::new();
        let ours = format!(".{}.{}", self.outer, self.name);
        while let Some((path, table)) = open.pop() {
            for (key, item) in table.iter() {
                let path = format!("{path}.{key}");
                match item {
                    _ if path == ours => {}
                    Item::ArrayOfTables(tables) => {
                        let tables = tables.iter().enumerate();
                        open.extend(tables.map(|(n, it)| (format!("{path}.{n}"), it as &dyn TableLike)));
                    }
                    Item::Table(table) => open.push((path, table)),
                    _ => values.push((path, text[item.span().unwrap_or_default()].to_owned())),
                }
            }
        }
        values.sort();
        Ok(values)
    }

    fn find<'a>(&self, document: &'a Document<&str>) -> Option<&'a dyn TableLike> {
        document.get(self.outer)?.as_table_like()?.get(self.name)?.as_table_like()
    }

    /// The line that opens the table.
    fn head(&self, text: &str) -> Result<Range<usize>, Fault> {
        let document = read(text)?;
        let table = document.get(self.outer).and_then(|it| it.as_table_like()?.get(self.name)?.as_table());
        let open = table.filter(|it| !it.is_implicit() && !it.is_dotted());
        open.and_then(Found::span).ok_or_else(|| self.unusual())
    }

    fn unusual(&self) -> Fault {
        let name = format!("{}.{}", self.outer, self.name);
        Fault::new(&format!("`{name}` is not written as a table of its own, [{name}]; change it by hand"))
    }
}

fn read(text: &str) -> Result<Document<&str>, Fault> {
    Document::parse(text).map_err(|error| {
        let line = error.span().map(|it| text[..it.start].matches('\n').count() + 1);
        let said = error.message().lines().next().unwrap_or_default().to_owned();
        Fault::new(&line.map_or(said.clone(), |it| format!("{said} at line {it}")))
    })
}

/// A value as the text spells it.
fn spelled<'a>(text: &'a str, table: &dyn TableLike, key: &str) -> Option<&'a str> {
    Some(&text[table.get(key)?.span()?])
}

/// Where the last value of a table ends, those of tables beneath it as well.
fn last_place(table: &dyn TableLike) -> usize {
    let mut open = vec![table];
    let mut last = 0;
    while let Some(table) = open.pop() {
        for (_, item) in table.iter() {
            last = last.max(item.span().map_or(0, |it| it.end));
            open.extend(item.as_table_like());
        }
    }
    last
}
