//! `wl tools`: the shapes of the JSON that commands answer with, as JSON Schema.

use crate::output::{Answer, Document};
use clap::Args;

pub(super) const EXAMPLES: &str = "\
Examples:
  wl tools --json-schemas | jq '.commands.next'";

/// The schemas of all answers, by command.
pub(crate) const SCHEMAS: &str = include_str!("../../schemas/answers.json");

#[derive(Debug, Args)]
pub(crate) struct ToolsArgs {
    /// The schemas of the answers with --json, by command
    #[arg(long, required = true)]
    pub(crate) json_schemas: bool,
}

pub(super) fn run(_args: &ToolsArgs) -> Answer {
    Answer { text: SCHEMAS.to_owned(), json: Document::Text, ..Answer::default() }
}
