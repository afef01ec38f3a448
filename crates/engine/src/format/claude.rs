//! The format of Claude Code: `<id>.json`, string ids, both ends of an edge, nothing null. See docs/formats/claude.md.

use super::{
    ForeignLocks, Format, Found, IdSource, Put, Shape, Writing, fault,
    ids::{counted_on, leading_number, mark_fault},
    object::{Empty, Layout, Ours, Slot},
    strict,
};
use crate::{
    id::{TaskId, is_plain},
    json::{Malformed, Style},
    task::{Field, Task},
};

pub(super) struct Claude;

static SHAPE: Shape = Shape {
    name: "claude",
    about: "Claude Code's own task files",
    single_file: None,
    has_blocks: true,
    ripples: false,
    locks: ForeignLocks::PerTask,
    repairs: true,
    carries: &Field::ALL,
};

static LAYOUT: Layout = Layout {
    style: Style::JAVASCRIPT,
    numeric_ids: false,
    clears: false,
    keys: &[
        ("id", Slot::Id),
        ("subject", Slot::Subject),
        ("description", Slot::Description),
        ("activeForm", Slot::ActiveForm(Empty::Absent)),
        ("owner", Slot::Owner(Empty::Absent)),
        ("status", Slot::Status),
        ("blocks", Slot::Blocks),
        ("blockedBy", Slot::BlockedBy),
        ("metadata", Slot::Metadata(Ours::Inside)),
    ],
};

impl Format for Claude {
    fn shape(&self) -> &'static Shape {
        &SHAPE
    }

    fn name_file(&self, id: &TaskId, name: &mut String) {
        name.extend([id.as_str(), ".json"]);
    }

    fn is_task_file(&self, name: &str) -> bool {
        stem(name).is_some_and(is_plain)
    }

    fn decode(&self, name: &str, text: &str) -> Result<Vec<Found>, Malformed> {
        let stem = stem(name).unwrap_or(name);
        let found = LAYOUT.decode(TaskId::found(stem), text)?;
        if stem.starts_with("task_") && !text.contains("\"id\": \"") && !text.contains("\"id\":\"") {
            return Err(fault("it is of another format (s07 or java)"));
        }
        Ok(found)
    }

    fn encode(
        &self,
        old: Option<&str>,
        puts: &[Put<'_>],
        writing: &Writing<'_>,
    ) -> Result<Option<String>, Malformed> {
        LAYOUT.encode(old, puts, writing)
    }

    fn fresh_ids(&self, source: &IdSource<'_>, count: usize) -> Vec<TaskId> {
        counted_on(source, count, |name| leading_number(stem(name)?))
    }

    /// Moves only when that client would move it: on a deletion, to the deleted id.
    fn watermark(&self, old: Option<&str>, _made: &[&TaskId], removed: &[&TaskId]) -> Option<String> {
        let highest = removed.iter().filter_map(|it| leading_number(it.as_str())).max()?;
        (highest > old.and_then(leading_number).unwrap_or(0)).then(|| highest.to_string())
    }

    /// It may say less than the files do, which that client looks at, too.
    fn watermark_fault(
        &self,
        old: Option<&str>,
        names: &[String],
        gone: &[&TaskId],
    ) -> Option<(String, String)> {
        let there = names.iter().filter_map(|it| leading_number(stem(it)?)).max().unwrap_or(0);
        let gone = gone.iter().filter_map(|it| leading_number(it.as_str())).max();
        mark_fault(old, gone.filter(|it| *it > there))
    }

    fn unseen(&self, text: &str) -> Option<String> {
        strict::fault(text)
    }

    fn sentinel(&self, seen: &[&Task]) -> Option<Task> {
        strict::sentinel(seen)
    }

    fn keeper(&self) -> Option<Task> {
        Some(strict::keeper())
    }
}

/// What stands before `.json` in the name of a file that is not hidden.
pub(super) fn stem(name: &str) -> Option<&str> {
    name.strip_suffix(".json").filter(|it| !it.starts_with('.'))
}
