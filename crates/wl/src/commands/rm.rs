//! `wl rm`: removes a task and every reference to it. The history can bring both back.

use super::{
    done::{freed_json, unblocked},
    typed::id,
};
use crate::{
    complete,
    context::Context,
    failure::Failure,
    output::{Answer, line, task_json},
};
use clap::Args;
use clap_complete::ArgValueCandidates;
use worklist::{Command, Error, Refusal, TaskId, json::Object};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl rm 7
  wl undo                      # brings it back, with its edges";

#[derive(Debug, Args)]
pub(crate) struct RmArgs {
    /// The task
    #[arg(value_parser = id, add = ArgValueCandidates::new(complete::any))]
    pub(crate) id: TaskId,
    /// Also if somebody is at work on it
    #[arg(long)]
    pub(crate) force: bool,
}

pub(super) fn run(context: &Context, args: &RmArgs) -> Result<Answer, Failure> {
    let list = context.open()?;
    let id = args.id.clone();
    let task = list.show(&id)?.ok_or(Error::Refused(Refusal::NotFound { id: id.clone() }))?;
    let outcome = list.run(&context.actor, &Command::Delete { id, force: args.force })?;
    let seq = outcome.event.as_ref().map_or(0, |it| it.seq);
    let text =
        format!("Removed {}\n{}`wl undo {seq}` brings it back.\n", line(&task), unblocked(&outcome.freed));
    let json = Object::new()
        .with("task", task_json(&task))
        .with("seq", seq)
        .with("unblocked", freed_json(&outcome.freed));
    Ok(Answer::new(text, json).warned(&outcome.problems))
}
