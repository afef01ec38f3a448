//! The format of the s07 lesson: `task_<n>.json`, numbers for ids, finished blockers erased. See docs/formats/s07.md.

use super::{
    ForeignLocks, Format, Found, IdSource, Put, Shape, Writing,
    ids::counted,
    object::{Empty, Layout, Slot},
};
use crate::{
    id::TaskId,
    json::{Malformed, Style},
    task::Field,
};

pub(super) static S07: Numbered = Numbered { shape: &SHAPE, layout: &LAYOUT };

/// A format of the s07 lesson: its Python program and its Java port differ in the layout alone.
pub(super) struct Numbered {
    pub(super) shape: &'static Shape,
    pub(super) layout: &'static Layout,
}

static SHAPE: Shape = Shape {
    name: "s07",
    about: "the s07 task system in Python: .tasks/task_1.json",
    single_file: None,
    has_blocks: true,
    ripples: true,
    locks: ForeignLocks::None,
    repairs: false,
    carries: CARRIES,
};

pub(super) const CARRIES: &[Field] =
    &[Field::Subject, Field::Description, Field::Owner, Field::Status, Field::Blocks, Field::BlockedBy];

static LAYOUT: Layout = Layout { style: Style::PYTHON, numeric_ids: true, clears: true, keys: KEYS };

pub(super) const KEYS: &[(&str, Slot)] = &[
    ("id", Slot::Id),
    ("subject", Slot::Subject),
    ("description", Slot::Description),
    ("status", Slot::Status),
    ("blockedBy", Slot::BlockedBy),
    ("blocks", Slot::Blocks),
    ("owner", Slot::Owner(Empty::Blank)),
];

impl Format for Numbered {
    fn shape(&self) -> &'static Shape {
        self.shape
    }

    fn name_file(&self, id: &TaskId, name: &mut String) {
        name.extend(["task_", id.as_str(), ".json"]);
    }

    fn is_task_file(&self, name: &str) -> bool {
        numbered(name).is_some()
    }

    fn decode(&self, name: &str, text: &str) -> Result<Vec<Found>, Malformed> {
        self.layout.decode(id_in(name), text)
    }

    fn encode(
        &self,
        old: Option<&str>,
        puts: &[Put<'_>],
        writing: &Writing<'_>,
    ) -> Result<Option<String>, Malformed> {
        self.layout.encode(old, puts, writing)
    }

    fn fresh_ids(&self, source: &IdSource<'_>, count: usize) -> Vec<TaskId> {
        counted(source, count, numbered)
    }
}

/// The number in `task_<n>.json`.
pub(super) fn numbered(name: &str) -> Option<u64> {
    TaskId::found(name.strip_prefix("task_")?.strip_suffix(".json")?).number()
}

fn id_in(name: &str) -> TaskId {
    numbered(name).map_or_else(|| TaskId::found(name), TaskId::from)
}
