//! `wl tools`: the tools that agents have, with their schemas; and the shapes of the JSON that commands answer with.

use super::call::sets;
use crate::output::{Answer, BOLD, Document, paint};
use clap::Args;
use worklist::{
    json::{Json, Object},
    tools::{Set, Tool},
};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl tools                     # the default set
  wl tools ours --json         # names, descriptions, schemas: what a model would see
  wl tools --json-schemas | jq '.commands.next'";

/// The schemas of all answers, by command.
pub(crate) const SCHEMAS: &str = include_str!("../../schemas/answers.json");

#[derive(Debug, Args)]
pub(crate) struct ToolsArgs {
    /// The vocabulary
    #[arg(value_name = "SET", value_parser = sets(), default_value = "ours")]
    pub(crate) set: String,
    /// Instead: the schemas of the answers with --json, by command
    #[arg(long)]
    pub(crate) json_schemas: bool,
}

pub(super) fn run(args: &ToolsArgs) -> Answer {
    if args.json_schemas {
        return Answer { text: SCHEMAS.to_owned(), json: Document::Text, ..Answer::default() };
    }
    let tools = Set::named(&args.set).unwrap_or(Set::Ours).tools();
    let text = tools.iter().fold(String::new(), |text, it| {
        text + &format!("{}\n  {}\n  {}\n", paint(BOLD, it.name), it.description, it.schema)
    });
    let one = |it: &Tool| {
        let tool = Object::new().with("name", it.name).with("description", it.description);
        Json::Object(tool.with("inputSchema", it.input_schema()))
    };
    Answer::new(text, Object::new().with("tools", Json::Array(tools.iter().map(one).collect())))
}
