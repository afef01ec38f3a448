//! Lists on their way from one place to another: as lines of text, in another format, from another program.
//! Not the laying down: that is the store's.

pub mod beads;
pub mod convert;
pub mod lines;
pub mod suit;

/// What was wrong with a line; nothing was taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct Mistake {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, as a fragment.
    pub reason: String,
}
