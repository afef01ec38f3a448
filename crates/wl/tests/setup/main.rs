//! `wl setup` from outside: files of other programs are entered, kept current and left again, and what is not ours keeps
//! its bytes. Not whether those programs like it: that is seen with the programs themselves.
#![expect(clippy::disallowed_methods, reason = "tests prepare the files of others by hand")]

mod fresh;
mod kept;
mod links;
mod native;
mod refused;
mod shared;
mod site;
#[path = "../program/wl/mod.rs"]
#[expect(dead_code, unused_imports, reason = "shared with the other tests, which use the rest")]
mod wl;
