//! What can be typed before and beside a command. Only declarations: help, checks and completions come from here and
//! from the commands' own files; nothing is done yet.

use crate::commands::Command;
use clap::{Args as Group, Parser, ValueEnum};
use std::path::PathBuf;

/// A task graph for teams of coding agents and the people who work with them
#[derive(Debug, Parser)]
#[command(
    name = "wl",
    version,
    disable_help_subcommand = true,
    propagate_version = true,
    max_term_width = 100
)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What every command takes.
#[derive(Debug, Clone, Group)]
#[command(next_help_heading = "Global options")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Global {
    /// The list's own folder
    #[arg(long, global = true, value_name = "PATH", conflicts_with = "list", value_hint = clap::ValueHint::DirPath)]
    pub(crate) dir: Option<PathBuf>,
    /// A list by name, in the store or in Claude Code's folder of lists (`wl lists` shows them)
    #[arg(long, global = true, value_name = "NAME", add = clap_complete::ArgValueCandidates::new(crate::complete::lists))]
    pub(crate) list: Option<String>,
    /// A database that a team shares, `postgres://HOST/DATABASE`; `--list` names a list in it
    #[arg(long, global = true, value_name = "URL", conflicts_with = "dir")]
    pub(crate) store: Option<String>,
    /// The format to expect, or to use for a new list
    #[arg(long, global = true, value_name = "FORMAT", value_parser = crate::commands::formats())]
    pub(crate) format: Option<String>,
    /// Who acts
    #[arg(long = "as", global = true, value_name = "AGENT")]
    pub(crate) agent: Option<String>,
    /// The session that acts; claims belong to it
    #[arg(long, global = true, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Print one JSON document
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// No warnings, no progress
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say also which list is used, and for whom
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    pub(crate) color: Color,
    /// Never page long output
    #[arg(long, global = true)]
    pub(crate) no_pager: bool,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Also in a pipe
    Always,
    /// Not at all
    Never,
}
