//! `wl done`: completes a task and names what it unblocked.

use super::typed::id;
use crate::{
    complete,
    context::Context,
    failure::Failure,
    output::{Answer, line, task_json},
};
use clap::Args;
use clap_complete::ArgValueCandidates;
use worklist::{
    Command, TaskId, TaskView,
    json::{Json, Object},
    rules::CompleteTask,
};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl done 7
  wl done 7 --token 1763204000000001   # from another session, with the number of the claim
  wl done 7 --force                    # whoever has it";

#[derive(Debug, Args)]
pub(crate) struct DoneArgs {
    /// The task: `7` or `#7`
    #[arg(value_parser = id, add = ArgValueCandidates::new(complete::started))]
    pub(crate) id: TaskId,
    /// The number of the claim; without it the claim must be this session's
    #[arg(long, value_name = "N")]
    pub(crate) token: Option<u64>,
    /// Complete it whoever has it
    #[arg(long)]
    pub(crate) force: bool,
}

pub(super) fn run(context: &Context, args: &DoneArgs) -> Result<Answer, Failure> {
    let wanted = CompleteTask { id: args.id.clone(), token: args.token, force: args.force };
    let outcome = context.open()?.run(&context.actor, &Command::Complete(wanted))?;
    let Some(task) = outcome.tasks.first() else { return Ok(Answer::default()) };
    let text = format!("Completed {}\n", line(task)) + &unblocked(&outcome.freed);
    let json = Object::new().with("task", task_json(task)).with("unblocked", freed_json(&outcome.freed));
    Ok(Answer::new(text, json).warned(&outcome.problems))
}

/// A line for each task that was freed.
pub(super) fn unblocked(freed: &[TaskView]) -> String {
    freed.iter().fold(String::new(), |text, it| text + &format!("Unblocked {}\n", line(it)))
}

/// Which tasks were freed.
pub(super) fn freed_json(freed: &[TaskView]) -> Json {
    let freed = freed.iter().map(|it| {
        Json::Object(Object::new().with("id", it.task.id.as_str()).with("subject", it.task.subject.as_str()))
    });
    Json::Array(freed.collect())
}
