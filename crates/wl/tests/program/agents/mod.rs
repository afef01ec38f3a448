//! Tools that agents call, and the shapes of all answers.

pub(crate) mod agent;
pub(crate) mod call;
pub(crate) mod hook;
pub(crate) mod mcp;
pub(crate) mod tools;
