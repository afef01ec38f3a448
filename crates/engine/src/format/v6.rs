//! The format of the v6 lesson: `<n>.json` in `snake_case`, a watermark file, finished blockers erased.
//! Not a home for keys of ours: a reader built from the document dies on them. See docs/formats/v6.md.

use super::{
    ForeignLocks, Format, Found, IdSource, Put, Shape, Writing,
    claude::stem,
    ids::{counted, leading_number, mark_fault},
    object::{Empty, Layout, Ours, Slot},
};
use crate::{
    id::{TaskId, is_plain},
    json::{Malformed, Style},
    task::Field,
};

pub(super) struct V6;

static SHAPE: Shape = Shape {
    name: "v6",
    about: "the v6 task agent: .tasks/1.json in snake_case",
    single_file: None,
    has_blocks: true,
    ripples: true,
    locks: ForeignLocks::None,
    repairs: false,
    carries: &[
        Field::Subject,
        Field::Description,
        Field::ActiveForm,
        Field::Owner,
        Field::Status,
        Field::Blocks,
        Field::BlockedBy,
        Field::Metadata,
    ],
};

static LAYOUT: Layout = Layout {
    style: Style::PYTHON,
    numeric_ids: false,
    clears: true,
    keys: &[
        ("id", Slot::Id),
        ("subject", Slot::Subject),
        ("description", Slot::Description),
        ("status", Slot::Status),
        ("active_form", Slot::ActiveForm(Empty::Blank)),
        ("owner", Slot::Owner(Empty::Blank)),
        ("blocks", Slot::Blocks),
        ("blocked_by", Slot::BlockedBy),
        ("metadata", Slot::Metadata(Ours::Outside)),
    ],
};

impl Format for V6 {
    fn shape(&self) -> &'static Shape {
        &SHAPE
    }

    fn name_file(&self, id: &TaskId, name: &mut String) {
        name.extend([id.as_str(), ".json"]);
    }

    fn is_task_file(&self, name: &str) -> bool {
        stem(name).is_some_and(|it| is_plain(it) && !it.starts_with("task_"))
    }

    fn decode(&self, name: &str, text: &str) -> Result<Vec<Found>, Malformed> {
        LAYOUT.decode(TaskId::found(stem(name).unwrap_or(name)), text)
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
        counted(source, count, |name| stem(name)?.parse().ok())
    }

    /// The last id that was given out. A mark that is lower than the files is mended, junk is ignored.
    fn watermark(&self, old: Option<&str>, made: &[&TaskId], _removed: &[&TaskId]) -> Option<String> {
        let highest = made.iter().filter_map(|it| it.number()).max()?;
        (highest > old.and_then(leading_number).unwrap_or(0)).then(|| highest.to_string())
    }

    /// The program of the lesson believes it, whatever the files say.
    fn watermark_fault(
        &self,
        old: Option<&str>,
        names: &[String],
        gone: &[&TaskId],
    ) -> Option<(String, String)> {
        let there = names.iter().filter_map(|it| TaskId::found(stem(it)?).number());
        mark_fault(old, there.chain(gone.iter().filter_map(|it| it.number())).max())
    }
}
