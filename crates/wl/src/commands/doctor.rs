//! `wl doctor`: looks a list over, and mends what is safe to mend.

use crate::{context::Context, failure::Failure, output::Answer};
use clap::Args;

pub(super) const EXAMPLES: &str = "\
Examples:
  wl doctor                    # what is wrong, and what to do about it
  wl doctor --fix              # shows the changes, makes them, and can take them back";

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Mend what is safe to mend
    #[arg(long)]
    pub(crate) fix: bool,
}

pub(super) fn run(_context: &Context, _args: &DoctorArgs) -> Result<Answer, Failure> {
    Ok(Answer::default())
}
