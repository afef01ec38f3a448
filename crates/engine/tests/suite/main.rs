//! All tests of the engine that need more than one file of it. One binary, so that it links once.

mod beads;
mod doctor;
mod edges;
mod faults;
mod fixtures;
mod folder;
mod formats;
mod hooks;
mod lawless;
mod linearizability;
mod lock_model;
mod native;
mod neighbours;
mod plans;
mod properties;
mod regressions;
mod remembered;
mod remembering;
mod room;
mod rounds;
mod samples;
mod simulation;
mod stores;
mod tools;
mod transfer;
mod unread;
mod vocabularies;
mod world;

/// Whether the long size of a proof is asked for.
#[expect(clippy::disallowed_methods, reason = "tests are told their size by the environment")]
fn is_long() -> bool {
    std::env::var_os("WORKLIST_LONG").is_some()
}

/// A number from the environment.
#[expect(clippy::disallowed_methods, reason = "tests are told which seed to live by the environment")]
fn number_from(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
