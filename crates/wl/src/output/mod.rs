//! How answers reach people and scripts. The only part that prints; what it prints is made by its files.

mod difference;
mod event;
mod markdown;
mod pager;
mod paint;
mod progress;
mod task;
mod tasks;
mod tree;
mod visible;
mod width;

pub(crate) use difference::difference;
pub(crate) use event::{event_cells, event_json, event_line, what};
pub(crate) use markdown::markdown;
pub(crate) use paint::{BOLD, BUSY, FAINT, GOOD, HINT, PLAIN, WAITS, WRONG, paint};
pub(crate) use progress::Progress;
pub(crate) use task::{Row, ago, counted, held, ids, left, line, seconds, span, task_json, tasks_json};
pub(crate) use tree::{TreeLines, tree};
pub(crate) use visible::{escaped, has_hidden, visible, visible_lines};
pub(crate) use width::{columns, cut, cut_by, cut_painted, width};

use crate::failure::{FAILED, Failure};
use anstream::{AutoStream, ColorChoice};
use std::{
    borrow::Cow,
    io::{IsTerminal, Write},
    process::ExitCode,
};
use worklist::{
    TaskView,
    json::{Json, Object, Style, write},
    store::Problem,
};

/// What a command has to say: lines for people, documents for scripts.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) json: Document,
    pub(crate) warnings: Vec<String>,
    /// The exit code, where the answer itself is bad news.
    pub(crate) exit: u8,
}

/// What scripts get.
#[derive(Debug)]
pub(crate) enum Document {
    /// One document.
    One(Object),
    /// One document with many tasks, which is never in memory as a whole: them, and what stands behind them.
    Tasks(Vec<TaskView>, Object),
    /// The text itself: it is what it is, with `--json` or without.
    Text,
    /// Nothing more: it was printed while it happened.
    Streamed,
}

impl Default for Document {
    fn default() -> Document {
        Document::One(Object::new())
    }
}

impl Answer {
    /// Text and one document.
    pub(crate) fn new(text: String, json: Object) -> Answer {
        Answer { text, json: Document::One(json), ..Answer::default() }
    }

    /// Many tasks for scripts.
    pub(crate) fn of_tasks(tasks: Vec<TaskView>, rest: Object) -> Answer {
        Answer { json: Document::Tasks(tasks, rest), ..Answer::default() }
    }

    /// The same with what could not be read.
    pub(crate) fn warned(mut self, problems: &[Problem]) -> Answer {
        self.warnings.extend(warnings(problems));
        self
    }
}

/// Where and how to print.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    pub(crate) color: ColorChoice,
    /// Columns to keep within; none if the reader is no terminal.
    pub(crate) columns: Option<usize>,
    /// Rows of the terminal.
    pub(crate) rows: Option<usize>,
    /// Whether lines and arrows must be made of ASCII.
    pub(crate) ascii: bool,
    /// The program that shows long texts page by page.
    pub(crate) pager: Option<String>,
}

impl Output {
    /// The columns that a line may take.
    pub(crate) fn width(&self) -> usize {
        self.columns.unwrap_or(usize::MAX)
    }

    /// Whether a person looks at what is printed.
    pub(crate) fn is_terminal(&self) -> bool {
        !self.json && std::io::stdout().is_terminal()
    }

    /// Prints an answer.
    pub(crate) fn answer(&self, answer: &Answer) -> ExitCode {
        self.warn(&answer.warnings);
        let printed = self.print_answer(answer);
        if answer.exit == 0 { printed } else { ExitCode::from(answer.exit) }
    }

    fn print_answer(&self, answer: &Answer) -> ExitCode {
        match (&answer.json, self.json) {
            (Document::Streamed, _) => ExitCode::SUCCESS,
            (Document::One(object), true) => {
                let mut object = object.clone();
                if !answer.warnings.is_empty() {
                    object.set("warnings", Json::strings(&answer.warnings));
                }
                Output::document(object)
            }
            (Document::Tasks(tasks, rest), true) => {
                let mut rest = rest.clone();
                if !answer.warnings.is_empty() {
                    rest.set("warnings", Json::strings(&answer.warnings));
                }
                read_or_failed(tasks::print(tasks, rest))
            }
            (Document::Text, true) => self.print(&answer.text),
            (_, false) => match &self.pager {
                Some(pager) if self.overflows(&answer.text) => {
                    pager::show(pager, &self.coloured(&answer.text))
                }
                _ => self.print(&answer.text),
            },
        }
    }

    fn document(object: Object) -> ExitCode {
        let mut text = escaped(&write(&Json::Object(object), Style::JAVASCRIPT, "")).into_owned();
        text.push('\n');
        // There is no colour in it to be taken out.
        let mut out = std::io::stdout().lock();
        read_or_failed(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
    }

    fn warn(&self, warnings: &[String]) {
        for warning in warnings.iter().filter(|_| !self.quiet) {
            self.complain(&format!("{} {}", paint(BUSY, "warning:"), visible(warning)));
        }
    }

    fn overflows(&self, text: &str) -> bool {
        self.rows.is_some_and(|rows| text.lines().count() > rows)
    }

    /// The text as whoever reads it shall get it.
    fn coloured<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.stdout_choice() {
            ColorChoice::Never => anstream::adapter::strip_str(text).to_string().into(),
            _ => text.into(),
        }
    }

    fn stdout_choice(&self) -> ColorChoice {
        match self.color {
            ColorChoice::Auto => AutoStream::choice(&std::io::stdout()),
            chosen => chosen,
        }
    }

    /// Prints a text as it is, colours aside. Whoever stopped reading has read enough.
    pub(crate) fn print(&self, text: &str) -> ExitCode {
        let (out, choice) = (std::io::stdout().lock(), self.stdout_choice());
        let mut out = match choice {
            // A stream that takes colours out on the way would write each line by itself.
            ColorChoice::Never => AutoStream::always_ansi(out),
            chosen => AutoStream::new(out, chosen),
        };
        read_or_failed(out.write_all(self.coloured(text).as_bytes()).and_then(|()| out.flush()))
    }

    /// A part of an answer that is to be seen before the rest is done; only for people.
    pub(crate) fn early(&self, text: &str) {
        if !self.json {
            self.print(text);
        }
    }

    /// One more line of a stream; an error says that nobody reads any more.
    pub(crate) fn stream(&self, line: &str) -> std::io::Result<()> {
        let mut out = AutoStream::new(std::io::stdout().lock(), self.stdout_choice());
        writeln!(out, "{line}")?;
        out.flush()
    }

    /// A picture of the moment, drawn over the last one.
    pub(crate) fn frame(&self, text: &str) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        // What moves the cursor is ours; colours may still be unwanted.
        let body =
            if self.stdout_choice() == ColorChoice::Never { strip_colours(text) } else { text.to_owned() };
        out.write_all(body.as_bytes())?;
        out.flush()
    }

    /// One more object of a stream.
    pub(crate) fn stream_json(&self, object: Object) -> std::io::Result<()> {
        self.stream(&escaped(&write(&Json::Object(object), Style::COMPACT, "")))
    }

    /// Prints a failure.
    pub(crate) fn failure(&self, failure: &Failure) -> ExitCode {
        if self.json {
            let mut error =
                Object::new().with("code", failure.code).with("message", failure.message.as_str());
            error.set_some("hint", failure.hint.as_deref());
            for (key, value) in failure.data.iter() {
                error.set(key, value.clone());
            }
            Output::document(Object::new().with("error", error));
        } else {
            self.complain(&format!("{} {}", paint(WRONG, "error:"), visible_lines(&failure.message)));
            if let Some(hint) = &failure.hint {
                self.complain(&format!("{} {}", paint(HINT, "hint:"), visible_lines(hint)));
            }
        }
        ExitCode::from(failure.exit)
    }

    /// A line on standard error, if anybody can read it.
    pub(crate) fn complain(&self, line: &str) {
        let choice = match self.color {
            ColorChoice::Auto => AutoStream::choice(&std::io::stderr()),
            chosen => chosen,
        };
        _ = writeln!(AutoStream::new(std::io::stderr().lock(), choice), "{line}");
    }

    /// Shows that something long is going on, to a person who waits for it.
    pub(crate) fn progress(&self, what: &str) -> Progress {
        let seen = !self.json && !self.quiet && std::io::stderr().is_terminal();
        Progress::new(what, seen, self.ascii)
    }
}

/// Whoever stopped reading has read enough.
fn read_or_failed(printed: std::io::Result<()>) -> ExitCode {
    match printed {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => ExitCode::from(FAILED),
        _ => ExitCode::SUCCESS,
    }
}

/// A text without colours.
pub(crate) fn plain(text: &str) -> String {
    strip_colours(text)
}

/// A text without colours; other sequences stay.
fn strip_colours(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\x1b[") {
        let end =
            rest[at + 2..].find(|it: char| it.is_ascii_alphabetic()).map_or(rest.len(), |it| at + 3 + it);
        plain.push_str(&rest[..at]);
        if !rest[..end].ends_with('m') {
            plain.push_str(&rest[at..end]);
        }
        rest = &rest[end..];
    }
    plain + rest
}

/// What could not be read, as warnings.
pub(crate) fn warnings(problems: &[Problem]) -> Vec<String> {
    let say = |it: &Problem| {
        let served = if it.served { "; its last good state is shown" } else { "" };
        format!("{}: {}{served}", it.file, it.reason)
    };
    problems.iter().map(say).collect()
}
