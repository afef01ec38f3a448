//! A plan as people and programs write it: JSON or a Markdown checklist, a text in, a [`Plan`] out.
//! Not what a list says to it: whether the plan may happen there is for the rules. The grammar is docs/plans.md.

mod json;
mod lines;
mod markdown;
mod marks;
mod names;
mod resolve;

use crate::rules::{NewTask, Plan};

/// The most tasks that one plan may hold.
pub const MAX_TASKS: usize = 10_000;

/// Something in the text that cannot be meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct Mistake {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1, where one place in the line is at fault.
    pub column: Option<usize>,
    /// What is wrong, as a fragment.
    pub reason: String,
    /// What to write instead, where that can be guessed.
    pub hint: Option<String>,
}

/// A plan, and where in the text it came from.
#[derive(Debug, Clone)]
pub struct Draft {
    /// What the rules take.
    pub plan: Plan,
    /// The line of each task, so that a refusal can be shown with it.
    pub lines: Vec<usize>,
    /// What was left out of the plan and why, as sentences.
    pub notes: Vec<String>,
}

/// Reads a plan: JSON if the text begins with `{` or `[`, else Markdown. All mistakes are found at once and stand in
/// the order of the text.
pub fn read(text: &str) -> Result<Draft, Vec<Mistake>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_json = text.trim_start().starts_with(['{', '[']);
    resolve::draft(if is_json { json::read(text) } else { markdown::read(text) })
}

/// What a reader found: tasks whose references are not yet followed.
#[derive(Default)]
struct Sheet {
    key: Option<String>,
    items: Vec<Item>,
    mistakes: Vec<Mistake>,
}

/// One task as it stands in the text.
#[derive(Default)]
struct Item {
    line: usize,
    name: Option<String>,
    task: NewTask,
    after: Vec<Reference>,
    before: Vec<Reference>,
    /// What it says it is a part of.
    parent: Option<Reference>,
    /// The item that it stands beneath, by place.
    above: Option<usize>,
    /// The step of a numbered list that comes before it, by place.
    step_before: Option<usize>,
    standing: Standing,
}

/// What the text says of the work on an item.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Standing {
    #[default]
    Open,
    Begun,
    Done,
}

/// A task as another item names it.
struct Reference {
    text: String,
    line: usize,
    column: Option<usize>,
}

impl Mistake {
    fn at(line: usize, reason: impl Into<String>) -> Mistake {
        Mistake { line, column: None, reason: reason.into(), hint: None }
    }

    fn column(self, column: usize) -> Mistake {
        Mistake { column: Some(column), ..self }
    }

    fn hint(self, hint: impl Into<String>) -> Mistake {
        Mistake { hint: Some(hint.into()), ..self }
    }
}

impl Reference {
    fn mistake(&self, reason: impl Into<String>) -> Mistake {
        Mistake { column: self.column, ..Mistake::at(self.line, reason) }
    }
}
