//! `wl add`: creates a task, and the list if there is none yet.

use super::{id, ids};
use crate::{
    args::AddArgs,
    context::Context,
    failure::Failure,
    output::{Answer, line, task_json},
};
use std::io::Read;
use worklist::{
    Command, NewTask, Priority,
    json::{Json, Object, parse},
};

pub(super) fn run(context: &Context, args: &AddArgs) -> Result<Answer, Failure> {
    let new = new_task(args)?;
    let (list, made) = context.open_or_make()?;
    let outcome = list.run(&context.actor, &Command::Create(new))?;
    let Some(task) = outcome.tasks.first() else { return Ok(Answer::default()) };
    let mut text = String::new();
    if made && !context.is_named {
        text += &format!("Made a list at {}\n", context.folder.display());
    }
    text += &format!("Created {}\n", line(task));
    Ok(Answer { text, json: Object::new().with("task", task_json(task)), ..Answer::default() })
}

fn new_task(args: &AddArgs) -> Result<NewTask, Failure> {
    Ok(NewTask {
        subject: args.subject.clone(),
        description: description(args.description.as_deref())?,
        active_form: args.active_form.clone(),
        priority: args.priority.as_deref().map(priority).transpose()?,
        tags: args.tag.clone(),
        parent: args.parent.as_deref().map(id).transpose()?,
        blocked_by: ids(&args.after)?,
        blocks: ids(&args.before)?,
        metadata: args.meta.iter().map(|it| meta(it)).collect::<Result<_, _>>()?,
        ..NewTask::default()
    })
}

fn description(text: Option<&str>) -> Result<String, Failure> {
    if text != Some("-") {
        return Ok(text.unwrap_or_default().to_owned());
    }
    let mut text = String::new();
    let read = std::io::stdin().read_to_string(&mut text);
    read.map_err(|error| Failure::other("read the description from standard input", &error))?;
    Ok(text.trim_end_matches('\n').to_owned())
}

fn priority(name: &str) -> Result<Priority, Failure> {
    let reason = format!("`{name}` is none");
    Priority::named(name)
        .ok_or_else(|| Failure::invalid("priority", &reason, Some("it is low, medium or high")))
}

/// `key=value`: the value is JSON if it can be read as such, else text.
fn meta(pair: &str) -> Result<(String, Json), Failure> {
    let reason = format!("`{pair}` has no `=`");
    let (key, value) = pair.split_once('=').ok_or_else(|| Failure::invalid("meta", &reason, None))?;
    Ok((key.to_owned(), parse(value).unwrap_or_else(|_| Json::from(value))))
}
