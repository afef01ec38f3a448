//! Settings, trust, help and shells.

pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod help;
mod hooks;
pub(crate) mod man;
pub(crate) mod setup;
pub(crate) mod trust;
