//! What can be typed. Only declarations: help, checks and completions come from here; nothing is done yet.

use clap::{Args as Group, Parser, Subcommand};
use std::path::PathBuf;

/// A task graph for teams of coding agents and the people who work with them
#[derive(Debug, Parser)]
#[command(name = "wl", version, arg_required_else_help = true, disable_help_subcommand = true)]
pub(crate) struct Args {
    /// The list's own folder
    #[arg(long, global = true, value_name = "PATH", conflicts_with = "list")]
    pub(crate) dir: Option<PathBuf>,
    /// A list by name, in Claude Code's folder of lists
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) list: Option<String>,
    /// The format to expect, or to use for a new list
    #[arg(long, global = true, value_name = "FORMAT")]
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
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a list here; on an existing one it changes nothing and says so
    Init(InitArgs),
    /// Create a task
    Add(AddArgs),
    /// Show the open tasks
    List(ListArgs),
    /// Show everything about a task
    Show(ShowArgs),
    /// Take a task: it is yours by a number that fences out everyone else
    Claim(ClaimArgs),
    /// Complete a task; names what it unblocked
    Done(DoneArgs),
}

#[derive(Debug, Group)]
pub(crate) struct InitArgs {
    /// The list's folder; without it `.tasks/` at the repository's root, or here
    pub(crate) path: Option<PathBuf>,
}

#[derive(Debug, Group)]
pub(crate) struct AddArgs {
    /// What is to be done, in one imperative line
    pub(crate) subject: String,
    /// The same at length; `-` reads it from standard input
    #[arg(short, long, value_name = "TEXT")]
    pub(crate) description: Option<String>,
    /// A task that must be done first
    #[arg(long, value_name = "ID")]
    pub(crate) after: Vec<String>,
    /// A task that must wait for this one
    #[arg(long, value_name = "ID")]
    pub(crate) before: Vec<String>,
    /// What is being done while it is in progress ("Fixing the parser")
    #[arg(long, value_name = "TEXT")]
    pub(crate) active_form: Option<String>,
    /// low, medium or high
    #[arg(long, value_name = "PRIORITY")]
    pub(crate) priority: Option<String>,
    /// A label
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// The task that it is a part of
    #[arg(long, value_name = "ID")]
    pub(crate) parent: Option<String>,
    /// Something to remember with it; the value is JSON, or else text
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) meta: Vec<String>,
}

#[derive(Debug, Group)]
pub(crate) struct ListArgs {
    /// Every task, also completed ones, without limit
    #[arg(long)]
    pub(crate) all: bool,
    /// Only tasks of this status: pending, `in_progress` or completed
    #[arg(long, value_name = "STATUS")]
    pub(crate) status: Option<String>,
    /// Only tasks of this owner
    #[arg(long, value_name = "AGENT")]
    pub(crate) owner: Option<String>,
    /// Only tasks with this tag
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// Only tasks that wait for something
    #[arg(long)]
    pub(crate) blocked: bool,
    /// At most so many tasks
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
}

#[derive(Debug, Group)]
pub(crate) struct ShowArgs {
    /// The task: `7` or `#7`
    pub(crate) id: String,
}

#[derive(Debug, Group)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct ClaimArgs {
    /// The task: `7` or `#7`
    pub(crate) id: String,
    /// How long the claim lasts without a sign of life: 90s, 15m, 2h
    #[arg(long, value_name = "DURATION")]
    pub(crate) lease: Option<String>,
    /// Only become the owner; do not start
    #[arg(long)]
    pub(crate) no_start: bool,
    /// Refuse if this agent has another open task
    #[arg(long)]
    pub(crate) one_at_a_time: bool,
    /// If this session holds it already, answer with that claim
    #[arg(long)]
    pub(crate) resume: bool,
    /// Take it from whoever has it: their number is worth nothing then
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Group)]
pub(crate) struct DoneArgs {
    /// The task: `7` or `#7`
    pub(crate) id: String,
    /// The number of the claim; without it the claim must be this session's
    #[arg(long, value_name = "N")]
    pub(crate) token: Option<u64>,
    /// Complete it whoever has it
    #[arg(long)]
    pub(crate) force: bool,
}
