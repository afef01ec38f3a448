//! The s07 format as its Java port writes it: the same keys in Jackson's layout, raw UTF-8. See docs/formats/java.md.

use super::{
    ForeignLocks, Shape,
    object::Layout,
    s07::{CARRIES, KEYS, Numbered},
};
use crate::json::Style;

pub(super) static JAVA: Numbered = Numbered { shape: &SHAPE, layout: &LAYOUT };

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
