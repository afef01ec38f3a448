//! `wl call`: calls any tool that agents have, and prints exactly what the agent would get.

use super::typed;
use crate::{
    context::{Context, tasks_switch},
    failure::{Failure, exit_of},
    output::{Answer, visible_lines},
};
use clap::{Args, builder::PossibleValuesParser};
use worklist::{
    TaskList,
    json::{Json, Object, parse},
    tools::{BOUND, Checklist, Desk, Effect, Set, enabled},
};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl call TaskCreate '{\"subject\": \"Write the parser\"}'
  wl call TaskList
  wl call TaskNext '{\"wait\": 60}' --json
  echo '{\"taskId\": 1, \"status\": \"completed\"}' | wl call TaskUpdate -";

#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    /// The tool (`wl tools` shows them)
    #[arg(value_name = "TOOL")]
    pub(crate) tool: String,
    /// Its arguments as JSON; `-` reads them from standard input
    #[arg(value_name = "JSON", default_value = "{}")]
    pub(crate) input: String,
    /// The vocabulary
    #[arg(long, value_name = "SET", value_parser = sets(), default_value = "ours")]
    pub(crate) set: String,
    /// The longest answer, in tokens
    #[arg(long, value_name = "N", default_value_t = BOUND)]
    pub(crate) bound: usize,
}

/// The names of the vocabularies.
pub(super) fn sets() -> PossibleValuesParser {
    PossibleValuesParser::new(Set::ALL.map(Set::name))
}

/// The vocabulary of a name; without one the usual, which a variable of Claude Code's can switch to the checklist.
pub(super) fn set(named: Option<&str>) -> Set {
    let usual = if enabled(tasks_switch().as_deref(), true) { Set::Ours } else { Set::Todo };
    named.and_then(Set::named).unwrap_or(usual)
}

pub(super) fn run(context: &Context, args: &CallArgs) -> Result<Answer, Failure> {
    let set = Set::named(&args.set).unwrap_or(Set::Ours);
    let text = typed::text(&args.input, "the arguments")?;
    let input =
        parse(&text).map_err(|fault| Failure::invalid("JSON", &format!("cannot be read: {fault}"), None))?;
    let answer = |list: &TaskList| {
        // One call is a session of its own: a checklist lasts as long.
        let checklist = Checklist::default();
        let usual = Desk::new(list, context.actor.clone());
        let desk = Desk { bound: args.bound, checklist: Some(&checklist), ..usual };
        set.call(&desk, &args.tool, &input)
    };
    let changes = set.find(&args.tool).is_some_and(|it| it.effect != Effect::Looks);
    // Looking for what is not there makes no list, and neither does a word that is not known.
    let list = if changes { Some(context.open_or_make()?.0) } else { context.open_if_there()? };
    let reply = list.map_or_else(|| answer(&TaskList::in_memory()), |list| answer(&list));
    let mut json = Object::new().with("text", reply.text.as_str()).with("isError", reply.error.is_some());
    json.set_some("code", reply.error.map(Json::from));
    json.set_some("structured", reply.structured.clone());
    let exit = reply.error.map_or(0, exit_of);
    Ok(Answer { exit, ..Answer::new(visible_lines(&reply.text) + "\n", json) })
}
