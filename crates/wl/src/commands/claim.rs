//! `wl claim`: takes a task.

use super::typed::{duration, id};
use crate::{
    complete,
    context::Context,
    failure::Failure,
    output::{Answer, FAINT, line, paint, task_json},
};
use clap::Args;
use clap_complete::ArgValueCandidates;
use worklist::{
    Command, Outcome, TaskId,
    json::Object,
    rules::{Begin, ClaimTask},
};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl claim 7                   # yours for 15 minutes after your last command
  wl claim 7 --lease 2h        # for long work without commands in between
  wl claim 7 --resume          # asked again: the same number
  wl claim 7 --force           # take it from whoever has it";

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct ClaimArgs {
    /// The task: `7` or `#7`
    #[arg(value_parser = id, add = ArgValueCandidates::new(complete::ready))]
    pub(crate) id: TaskId,
    /// How long the claim lasts without a sign of life: 90s, 15m, 2h
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) lease: Option<i64>,
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

pub(super) fn run(context: &Context, args: &ClaimArgs) -> Result<Answer, Failure> {
    let wanted = ClaimTask {
        begin: if args.no_start { Begin::Later } else { Begin::Now },
        one_at_a_time: args.one_at_a_time,
        resume: args.resume,
        force: args.force,
        // Asked for again, a claim keeps its lease unless another is named.
        lease: args.lease.or(context.settings.lease().filter(|_| !args.resume)),
        ..ClaimTask::of(args.id.clone())
    };
    let outcome = context.open()?.run(&context.actor, &Command::Claim(wanted))?;
    Ok(claimed(&outcome))
}

/// The answer to whoever has a task now.
pub(super) fn claimed(outcome: &Outcome) -> Answer {
    let Some(task) = outcome.tasks.first() else { return Answer::default() };
    let token = outcome.decision.token.unwrap_or_default();
    let text = format!("Claimed {}\n  {} {token}\n", line(task), paint(FAINT, "token"));
    let json = Object::new().with("task", task_json(task)).with("token", token);
    Answer::new(text, json).warned(&outcome.problems)
}
