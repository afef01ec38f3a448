//! `wl guard`: what `wl work` and `wl agent` put between themselves and a command. Not for people, and not shown to them.

use crate::processes::guard;
use clap::Args;
use std::{ffi::OsString, path::PathBuf};

#[derive(Debug, Args)]
pub(crate) struct GuardArgs {
    /// Where the output goes, if not to where ours does
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// What is guarded
    #[arg(last = true, required = true)]
    pub(crate) command: Vec<OsString>,
}

/// The exit code of what was guarded.
pub(super) fn run(args: &GuardArgs) -> u8 {
    guard(args.log.as_deref(), &args.command)
}
