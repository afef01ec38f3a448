//! What the person is told while the agent works: text as it comes, and notes beside it; or one JSON object for each
//! event. Not what is said to the model.

use super::{
    conversation::{Call, Returned},
    model::Trouble,
};
use crate::output::{FAINT, Output, paint, visible, visible_lines};
use worklist::json::{Json, Object, parse};

/// So much of a call or of its result is shown to a person.
const SHOWN: usize = 200;

/// Where things are said. Text goes to standard output, notes to standard error.
pub(super) struct Voice {
    output: Output,
}

impl Voice {
    pub(super) fn new(output: Output) -> Voice {
        Voice { output }
    }

    /// A piece of what the model says. A stream of events has it as a whole.
    pub(super) fn piece(&self, text: &str) {
        self.output.early(&visible_lines(text));
    }

    /// What the model said as a whole.
    pub(super) fn text(&self, text: &str) {
        if !text.is_empty() {
            self.event("text", |it| it.with("text", text));
            self.output.early(if text.ends_with('\n') { "" } else { "\n" });
        }
    }

    /// A text for the person alone: lists, pictures, help.
    pub(super) fn page(&self, kind: &str, text: &str) {
        self.event(kind, |it| it.with("text", text));
        self.output.early(&(visible_lines(text.trim_end()) + "\n"));
    }

    pub(super) fn call(&self, call: &Call) {
        let input = parse(&call.arguments).unwrap_or_else(|_| Json::from(call.arguments.as_str()));
        self.event("call", |it| {
            it.with("id", call.id.as_str()).with("tool", call.name.as_str()).with("input", input)
        });
        self.note(&format!("→ {} {}", call.name, call.arguments));
    }

    pub(super) fn result(&self, call: &Call, result: &Returned) {
        self.event("result", |it| {
            let it = it.with("id", call.id.as_str()).with("tool", call.name.as_str());
            it.with("text", result.text.as_str()).with("isError", result.is_error)
        });
        let first = result.text.lines().next().unwrap_or_default();
        let more = result.text.lines().count().saturating_sub(1);
        let more = if more == 0 { String::new() } else { format!(" (and {more} more lines)") };
        let mark = if result.is_error { "✗" } else { "←" };
        self.note(&format!("{mark} {}{more}", short(first)));
    }

    /// It is tried again.
    pub(super) fn again(&self, trouble: &Trouble, wait_ms: u64) {
        self.event("retry", |it| it.with("reason", trouble.message.as_str()).with("waitMs", wait_ms));
        self.note(&format!("{}; again in {} ms", trouble.message, wait_ms));
    }

    /// One more event for scripts.
    pub(super) fn event(&self, kind: &str, fill: impl FnOnce(Object) -> Object) {
        if self.output.json {
            // Whoever stopped reading has read enough; the work goes on.
            _ = self.output.stream_json(fill(Object::new().with("type", kind)));
        }
    }

    /// A line beside the text, for people.
    pub(super) fn note(&self, text: &str) {
        if !self.output.json && !self.output.quiet {
            self.output.complain(&paint(FAINT, &short(text)));
        }
    }

    /// Several lines beside the text, for people.
    pub(super) fn notes(&self, text: &str) {
        text.lines().for_each(|it| self.note(it));
    }

    /// What went wrong, where that does not end the program.
    pub(super) fn trouble(&self, text: &str) {
        self.event("trouble", |it| it.with("text", text));
        if !self.output.json {
            self.output.complain(&visible_lines(text));
        }
    }

    /// A question: also where events go to a script, somebody may sit there.
    pub(super) fn ask(&self, text: &str) {
        self.output.complain(text);
    }

    /// The sign that something can be typed.
    pub(super) fn prompt(&self) {
        self.output.early("> ");
    }
}

/// One line, not longer than people want to read.
fn short(text: &str) -> String {
    let line = visible(text);
    match line.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}
