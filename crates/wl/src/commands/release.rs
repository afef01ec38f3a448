//! `wl release`: gives a task back.

use super::typed::id;
use crate::{
    complete,
    context::Context,
    failure::Failure,
    output::{Answer, line, task_json},
};
use clap::Args;
use clap_complete::ArgValueCandidates;
use worklist::{Command, TaskId, json::Object, rules::ReleaseTask};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl release 7 --reason \"needs the new schema first\"
  wl release 7 --force         # take it away from whoever has it";

#[derive(Debug, Args)]
pub(crate) struct ReleaseArgs {
    /// The claimed task
    #[arg(value_parser = id, add = ArgValueCandidates::new(complete::started))]
    pub(crate) id: TaskId,
    /// Why, for whoever takes it next; it is kept in the history
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
    /// The number of the claim; without it the claim must be this session's
    #[arg(long, value_name = "N")]
    pub(crate) token: Option<u64>,
    /// Take it away from whoever has it
    #[arg(long)]
    pub(crate) force: bool,
}

pub(super) fn run(context: &Context, args: &ReleaseArgs) -> Result<Answer, Failure> {
    let ReleaseArgs { id, reason, token, force } = args;
    let wanted = ReleaseTask { id: id.clone(), token: *token, reason: reason.clone(), force: *force };
    let outcome = context.open()?.run(&context.actor, &Command::Release(wanted))?;
    let Some(task) = outcome.tasks.first() else { return Ok(Answer::default()) };
    let json = Object::new().with("task", task_json(task));
    Ok(Answer::new(format!("Released {}\n", line(task)), json).warned(&outcome.problems))
}
