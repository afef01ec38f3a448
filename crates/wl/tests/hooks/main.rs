//! `wl hook` as Claude Code meets it: the inputs that its real client sends, edited where a case needs it, and a small
//! copy of what that client does to its files. Not the client itself.
#![expect(clippy::disallowed_methods, reason = "tests write as the client does and watch the clock")]

mod checks;
mod client;
mod guard;
mod hostile;
mod recorded;
mod sessions;
mod stops;
#[path = "../program/wl/mod.rs"]
#[expect(dead_code, unused_imports, reason = "shared with the other tests, which use the rest")]
mod wl;
