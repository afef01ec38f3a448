//! Looking at a list, which changes nothing.

pub(crate) mod graph;
pub(crate) mod list;
pub(crate) mod overview;
pub(crate) mod ready;
pub(crate) mod show;
pub(crate) mod watch;
pub(crate) mod why;
