//! `wl done`: completes a task and names what it unblocked.

use super::id;
use crate::{
    args::DoneArgs,
    context::Context,
    failure::Failure,
    output::{Answer, line, task_json, warnings},
};
use worklist::{
    Command,
    json::{Json, Object},
    rules::CompleteTask,
};

pub(super) fn run(context: &Context, args: &DoneArgs) -> Result<Answer, Failure> {
    let wanted = CompleteTask { id: id(&args.id)?, token: args.token, force: args.force };
    let outcome = context.open()?.run(&context.actor, &Command::Complete(wanted))?;
    let Some(task) = outcome.tasks.first() else { return Ok(Answer::default()) };
    let mut text = format!("Completed {}\n", line(task));
    for freed in &outcome.freed {
        text += &format!("Unblocked {}\n", line(freed));
    }
    let freed = outcome.freed.iter().map(|it| {
        Json::Object(Object::new().with("id", it.task.id.as_str()).with("subject", it.task.subject.as_str()))
    });
    let json = Object::new().with("task", task_json(task)).with("unblocked", Json::Array(freed.collect()));
    Ok(Answer { text, json, warnings: warnings(&outcome.problems) })
}
