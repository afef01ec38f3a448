//! `wl add`: creates a task, and the list if there is none yet.

use super::typed::{self, id, pair, priorities};
use crate::{
    complete,
    context::Context,
    failure::Failure,
    output::{Answer, line, task_json, visible},
};
use clap::Args;
use clap_complete::ArgValueCandidates;
use worklist::{
    Command, Error, NewTask, Priority, Refusal, TaskId,
    json::{Json, Object},
};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl add \"Write the parser\" --priority high --tag core
  wl add \"Test the parser\" --after 1
  wl add \"Cut the release\" --after 1 --after 2 --meta version=2.0
  git log -5 | wl add \"Write the release notes\" -d -";

#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// What is to be done, in one imperative line
    pub(crate) subject: String,
    /// The same at length, in Markdown; `-` reads it from standard input
    #[arg(short, long, value_name = "TEXT")]
    pub(crate) description: Option<String>,
    /// A task that must be done first; may be repeated
    #[arg(long, value_name = "ID", value_parser = id, add = ArgValueCandidates::new(complete::open))]
    pub(crate) after: Vec<TaskId>,
    /// A task that must wait for this one; may be repeated
    #[arg(long, value_name = "ID", value_parser = id, add = ArgValueCandidates::new(complete::open))]
    pub(crate) before: Vec<TaskId>,
    /// What is being done while it is in progress ("Fixing the parser")
    #[arg(long, value_name = "TEXT")]
    pub(crate) active_form: Option<String>,
    /// How urgent it is
    #[arg(long, value_name = "PRIORITY", value_parser = priorities())]
    pub(crate) priority: Option<String>,
    /// A label; may be repeated
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// The task that it is a part of
    #[arg(long, value_name = "ID", value_parser = id, add = ArgValueCandidates::new(complete::open))]
    pub(crate) parent: Option<TaskId>,
    /// Something to remember with it; the value is JSON, or else text
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    pub(crate) meta: Vec<(String, Json)>,
}

pub(super) fn run(context: &Context, args: &AddArgs) -> Result<Answer, Failure> {
    let new = new_task(args)?;
    if matches!(context.open(), Err(failure) if failure.code == "no_list") {
        // What would be refused anyway makes no list.
        refuse_at_once(&new)?;
    }
    let (list, made) = context.open_or_make()?;
    let outcome = list.run(&context.actor, &Command::Create(new))?;
    let Some(task) = outcome.tasks.first() else { return Ok(Answer::default()) };
    let mut text = String::new();
    let mut json = Object::new().with("task", task_json(task));
    if made {
        let place = context.shown();
        text += &format!("Made a list at {}\n", visible(&place));
        json.set("madeList", place);
    }
    text += &format!("Created {}\n", line(task));
    Ok(Answer::new(text, json).warned(&outcome.problems))
}

/// In a list that is not there yet, no other task can be.
fn refuse_at_once(new: &NewTask) -> Result<(), Failure> {
    let others = new.blocked_by.iter().chain(&new.blocks).chain(&new.parent);
    match others.into_iter().next() {
        Some(id) => Err(Error::Refused(Refusal::NotFound { id: id.clone() }).into()),
        None if new.subject.trim().is_empty() => Err(Failure::invalid("subject", "may not be empty", None)),
        None => Ok(()),
    }
}

fn new_task(args: &AddArgs) -> Result<NewTask, Failure> {
    let description = args.description.as_deref().map(|it| typed::text(it, "the description")).transpose()?;
    Ok(NewTask {
        subject: args.subject.clone(),
        description: description.unwrap_or_default(),
        active_form: args.active_form.clone(),
        priority: args.priority.as_deref().and_then(Priority::named),
        tags: args.tag.clone(),
        parent: args.parent.clone(),
        blocked_by: args.after.clone(),
        blocks: args.before.clone(),
        metadata: args.meta.iter().cloned().collect(),
        ..NewTask::default()
    })
}
