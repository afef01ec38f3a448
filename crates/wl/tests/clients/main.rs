//! The clients that agents run in, as they are published: the real Claude Code against a scripted model. Not the program
//! alone: that is `program`.
//!
//! Needs what `cargo xtask kit` installs.
#![expect(clippy::print_stdout, reason = "each test prints what it ran")]
#![expect(clippy::disallowed_methods, reason = "tests prepare folders by hand and watch the clock")]

mod agents_within;
mod claude;
mod guarded;
#[expect(dead_code, reason = "shared with the scripted service of the agent, which reads the rest")]
mod http;
mod kit;
mod model;
mod native;
mod others;
mod plugin;
mod reach;
mod served;
mod terminal;
mod wipe;
#[path = "../program/wl/mod.rs"]
#[expect(dead_code, unused_imports, reason = "shared with the other tests, which use the rest")]
mod wl;
mod workers;
