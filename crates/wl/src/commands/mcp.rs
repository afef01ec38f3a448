//! `wl mcp`: serves the tools to agents' clients until they go. Not the server: that is a part of its own.

use super::call::{set, sets};
use crate::{
    context::Context,
    failure::Failure,
    mcp::{Service, serve},
    output::{Answer, Document},
};
use clap::Args;
use std::{net::SocketAddr, path::PathBuf};
use worklist::tools::BOUND;

pub(super) const EXAMPLES: &str = "\
Examples:
  wl mcp                       # on stdin and stdout: what a client starts (`wl setup CLIENT` tells it to)
  wl mcp --tools claude        # with exactly Claude Code's own tools and answers
  wl mcp --http 127.0.0.1:7717 # for several clients of this machine; says where the token is
  wl --dir plans mcp --log mcp.log";

#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    /// The vocabulary; `ours` unless `CLAUDE_CODE_ENABLE_TASKS` switches tasks off, then `todo`
    #[arg(long, value_name = "SET", value_parser = sets())]
    pub(crate) tools: Option<String>,
    /// Serve over HTTP at this address of this machine, not over stdio; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) http: Option<SocketAddr>,
    /// The tokens that are accepted over HTTP: one client on each line, `[NAME] TOKEN`; without it one is made
    #[arg(long, value_name = "FILE", requires = "http")]
    pub(crate) token_file: Option<PathBuf>,
    /// The longest answer, in tokens
    #[arg(long, value_name = "N", default_value_t = BOUND)]
    pub(crate) bound: usize,
    /// Write what happens to this file; with -v it goes to standard error
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
}

pub(super) fn run(context: &Context, args: &McpArgs, verbose: bool) -> Result<Answer, Failure> {
    let service = Service {
        set: set(args.tools.as_deref()),
        bound: args.bound,
        http: args.http,
        tokens: args.token_file.clone(),
        log: args.log.clone(),
        verbose,
    };
    serve(context, &service)?;
    Ok(Answer { json: Document::Streamed, ..Answer::default() })
}
