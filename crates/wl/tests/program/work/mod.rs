//! The life of a claim.

pub(crate) mod claim;
pub(crate) mod done;
pub(crate) mod heartbeat;
pub(crate) mod next;
pub(crate) mod release;
pub(crate) mod running;
pub(crate) mod worktrees;
