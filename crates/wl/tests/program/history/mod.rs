//! What happened, and taking it back.

pub(crate) mod changes;
pub(crate) mod log;
pub(crate) mod undo;
