//! The MCP server from outside: real processes, real streams, clients that mean well and clients that do not. Not the
//! official suites: they have a target of their own.
#![expect(clippy::disallowed_methods, reason = "tests prepare folders by hand and start processes")]
#![expect(clippy::needless_pass_by_value, reason = "values are written down where they are sent")]
#![expect(clippy::print_stdout, reason = "trials are counted")]

mod ask;
mod client;
mod ends;
mod frames;
mod http;
mod identity;
mod life;
mod news;
mod race;
mod texts;
#[path = "../program/wl/mod.rs"]
#[expect(dead_code, unused_imports, reason = "shared with the other tests, which use the rest")]
mod wl;

use client::{Client, Era, Streams};
use wl::Wl;
