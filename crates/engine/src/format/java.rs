//! The s07 format as its Java port writes it: the same keys in Jackson's layout, raw UTF-8. See docs/formats/java.md.

use super::{
    ForeignLocks, Format, Found, IdSource, Put, Shape, Writing,
    ids::counted,
    object::Layout,
    s07::{CARRIES, KEYS, id_in, numbered},
};
use crate::{
    id::TaskId,
    json::{Malformed, Style},
};

pub(super) struct Java;

static SHAPE: Shape = Shape {
    name: "java",
    about: "the s07 task system in Java: .tasks/task_1.json by Jackson",
    single_file: None,
    has_blocks: true,
    ripples: true,
    locks: ForeignLocks::None,
    repairs: false,
    carries: CARRIES,
};

static LAYOUT: Layout = Layout { style: Style::JACKSON, numeric_ids: true, clears: true, keys: KEYS };

impl Format for Java {
    fn shape(&self) -> &'static Shape {
        &SHAPE
    }

    fn file_of(&self, id: &TaskId) -> String {
        format!("task_{id}.json")
    }

    fn is_task_file(&self, name: &str) -> bool {
        numbered(name).is_some()
    }

    fn decode(&self, name: &str, text: &str) -> Result<Vec<Found>, Malformed> {
        LAYOUT.decode(id_in(name), text)
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
        counted(source, count, numbered)
    }
}
