//! The format of the s12 lesson: `task_<seconds>_<4 hex>.json`, six keys and never another. See docs/formats/s12.md.

use super::{
    ForeignLocks, Format, Found, IdSource, Put, Shape, Writing,
    claude::stem,
    ids::unused,
    object::{Empty, Layout, Slot},
};
use crate::{
    id::{TaskId, is_plain},
    json::{Malformed, Style},
    task::Field,
};

pub(super) struct S12;

static SHAPE: Shape = Shape {
    name: "s12",
    about: "the s12 task system: .tasks/task_*.json",
    single_file: None,
    has_blocks: false,
    ripples: false,
    locks: ForeignLocks::None,
    repairs: false,
    carries: &[Field::Subject, Field::Description, Field::Owner, Field::Status, Field::BlockedBy],
};

static LAYOUT: Layout = Layout {
    style: Style::PYTHON,
    numeric_ids: false,
    clears: false,
    keys: &[
        ("id", Slot::Id),
        ("subject", Slot::Subject),
        ("description", Slot::Description),
        ("status", Slot::Status),
        ("owner", Slot::Owner(Empty::Null)),
        ("blockedBy", Slot::BlockedBy),
    ],
};

impl Format for S12 {
    fn shape(&self) -> &'static Shape {
        &SHAPE
    }

    fn name_file(&self, id: &TaskId, name: &mut String) {
        name.extend([id.as_str(), ".json"]);
    }

    fn is_task_file(&self, name: &str) -> bool {
        stem(name).is_some_and(|it| it.starts_with("task_") && is_plain(it))
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
        let seconds = source.now.0.div_euclid(1000);
        unused(source, count, || TaskId::found(&format!("task_{seconds}_{:04x}", (source.random)() & 0xFFFF)))
    }
}
