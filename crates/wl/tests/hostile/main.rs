//! The program under attack: texts, names, files and repositories that mean harm. Not how it serves who means well:
//! that is `program.rs`.
#![expect(clippy::disallowed_methods, reason = "an attack is prepared with files of its own")]

mod folder;
mod limits;
mod names;
mod planted;
mod printed;
mod repository;
mod screen;
mod snapshot;
mod texts;
#[path = "../program/wl/mod.rs"]
#[expect(dead_code, unused_imports, reason = "shared with the other tests, which use the rest")]
mod wl;
