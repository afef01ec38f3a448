//! The document of many tasks, written as it is made: it is never in memory as a whole.

use super::{escaped, task::tell_view};
use std::{
    borrow::Cow,
    io::{BufWriter, Write},
};
use worklist::{
    TaskView,
    json::{Json, Object, Style, write, write_members},
    spread::{Work, spread},
};

/// So many tasks are in memory as text.
const AT_ONCE: usize = 2048;

/// So many bytes most tasks take as text.
const USUAL: usize = 1024;

/// Tasks as text, with what stands between them.
fn rendered(tasks: &[TaskView]) -> String {
    let mut text = String::with_capacity(tasks.len() * USUAL);
    for (n, task) in tasks.iter().enumerate() {
        text.push_str(if n == 0 { "" } else { ",\n    " });
        write_members(&mut text, Style::JAVASCRIPT, "    ", &|members| tell_view(task, members));
    }
    match escaped(&text) {
        Cow::Owned(escaped) => escaped,
        Cow::Borrowed(_) => text,
    }
}

/// The document of many tasks, one after the other.
pub(super) fn print(tasks: &[TaskView], rest: Object) -> std::io::Result<()> {
    let mut out = BufWriter::with_capacity(64 * 1024, std::io::stdout().lock());
    out.write_all(b"{\n  \"tasks\": [")?;
    let mut before = "\n    ";
    for part in tasks.chunks(AT_ONCE) {
        for text in spread(Work::Tell, part, rendered) {
            out.write_all(before.as_bytes())?;
            out.write_all(text.as_bytes())?;
            before = ",\n    ";
        }
    }
    out.write_all(if tasks.is_empty() { b"],\n" } else { b"\n  ],\n" })?;
    let rest = write(&Json::Object(rest), Style::JAVASCRIPT, "");
    out.write_all(escaped(rest.trim_start_matches("{\n")).as_bytes())?;
    out.write_all(b"\n")?;
    out.flush()
}
