//! `wl heartbeat`: a sign of life for a claim, and perhaps a longer lease.

use super::typed::{duration, id};
use crate::{
    complete,
    context::Context,
    failure::Failure,
    output::{Answer, held, line, task_json},
};
use clap::Args;
use clap_complete::ArgValueCandidates;
use worklist::{Command, TaskId, json::Object};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl heartbeat 7
  wl heartbeat 7 --lease 1h    # from now on it lasts an hour without a sign

Every command of a session is a sign of life; this one is for when there is nothing else to say.";

#[derive(Debug, Args)]
pub(crate) struct HeartbeatArgs {
    /// The claimed task
    #[arg(value_parser = id, add = ArgValueCandidates::new(complete::started))]
    pub(crate) id: TaskId,
    /// The number of the claim; without it the claim must be this session's
    #[arg(long, value_name = "N")]
    pub(crate) token: Option<u64>,
    /// How long the claim lasts from now on without a sign of life: 90s, 15m, 2h
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) lease: Option<i64>,
}

pub(super) fn run(context: &Context, args: &HeartbeatArgs) -> Result<Answer, Failure> {
    let beat = Command::Heartbeat { id: args.id.clone(), token: args.token, lease: args.lease };
    let list = context.open()?;
    let outcome = list.run(&context.actor, &beat)?;
    let Some(task) = outcome.tasks.first() else { return Ok(Answer::default()) };
    let text = format!("{}\n  held by {}\n", line(task), held(task, list.now()));
    let json = Object::new().with("task", task_json(task));
    Ok(Answer::new(text, json).warned(&outcome.problems))
}
