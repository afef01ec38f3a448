//! Making a list and its tasks, and changing them.

pub(crate) mod add;
pub(crate) mod edit;
pub(crate) mod init;
#[expect(clippy::module_inception, reason = "it is the name of the command")]
pub(crate) mod plan;
pub(crate) mod rm;
