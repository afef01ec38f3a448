//! The document of many tasks, written as it is made: it is never in memory as a whole.

use super::{escaped, task::tell_view};
use std::{
    borrow::Cow,
    io::{BufWriter, Write},
    thread::{self, ScopedJoinHandle},
};
use worklist::{
    TaskView,
    json::{Json, Object, Style, write, write_members},
};

/// So many tasks are in memory as text.
const AT_ONCE: usize = 2048;

/// So many bytes most tasks take as text.
const USUAL: usize = 1024;

/// Tasks as text, with what stands between them, by as many cores as that is worth.
fn rendered(tasks: &[TaskView]) -> Vec<String> {
    let render = &|tasks: &[TaskView]| {
        let mut text = String::with_capacity(tasks.len() * USUAL);
        for (n, task) in tasks.iter().enumerate() {
            text.push_str(if n == 0 { "" } else { ",\n    " });
            write_members(&mut text, Style::JAVASCRIPT, "    ", &|members| tell_view(task, members));
        }
        match escaped(&text) {
            Cow::Owned(escaped) => escaped,
            Cow::Borrowed(_) => text,
        }
    };
    // How many cores there are takes a dozen questions to the system.
    let cores = || thread::available_parallelism().map_or(1, usize::from).min(4);
    let cores = if tasks.len() < AT_ONCE / 4 { 1 } else { cores() };
    if cores < 2 {
        return vec![render(tasks)];
    }
    thread::scope(|scope| {
        // Where the system has no thread to give, this one does it.
        let thread = |part| (part, thread::Builder::new().spawn_scoped(scope, move || render(part)).ok());
        let threads: Vec<_> = tasks.chunks(tasks.len().div_ceil(cores)).map(thread).collect();
        let joined = |it: ScopedJoinHandle<'_, String>| {
            it.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(|(part, it)| it.map_or_else(|| render(part), joined)).collect()
    })
}

/// The document of many tasks, one after the other.
pub(super) fn print(tasks: &[TaskView], rest: Object) -> std::io::Result<()> {
    let mut out = BufWriter::with_capacity(64 * 1024, std::io::stdout().lock());
    out.write_all(b"{\n  \"tasks\": [")?;
    let mut before = "\n    ";
    for part in tasks.chunks(AT_ONCE) {
        for text in rendered(part) {
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
