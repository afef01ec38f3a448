//! `wl add`: creates a task, and the list if there is none yet.

use super::{id, ids};
use crate::{
    args::AddArgs,
    context::Context,
    failure::Failure,
    output::{Answer, line, task_json, warnings},
};
use std::io::Read;
use worklist::{
    Command, Error, NewTask, Priority, Refusal,
    json::{Json, Object, parse},
};

pub(super) fn run(context: &Context, args: &AddArgs) -> Result<Answer, Failure> {
    let new = new_task(args)?;
    let (list, made) = match context.open() {
        // What would be refused anyway makes no list.
        Err(failure) if failure.code == "no_list" => {
            refuse_at_once(&new)?;
            (context.make()?, true)
        }
        other => (other?, false),
    };
    let outcome = list.run(&context.actor, &Command::Create(new))?;
    let Some(task) = outcome.tasks.first() else { return Ok(Answer::default()) };
    let mut text = String::new();
    let mut json = Object::new().with("task", task_json(task));
    if made {
        let place = context.folder.display().to_string();
        text += &format!("Made a list at {place}\n");
        json.set("madeList", place);
    }
    text += &format!("Created {}\n", line(task));
    Ok(Answer { text, json, warnings: warnings(&outcome.problems) })
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
    let reason = format!("`{name}` is not known");
    Priority::named(name)
        .ok_or_else(|| Failure::invalid("priority", &reason, Some("it is low, medium or high")))
}

/// `key=value`: the value is JSON if it can be read as such, else text.
fn meta(pair: &str) -> Result<(String, Json), Failure> {
    let reason = format!("`{pair}` has no `=`");
    let (key, value) = pair.split_once('=').ok_or_else(|| Failure::invalid("meta", &reason, None))?;
    if key.is_empty() || key == "worklist" {
        let reason = format!("`{key}` cannot be a key of yours");
        return Err(Failure::invalid("meta", &reason, Some("`worklist` is where our own fields go")));
    }
    Ok((key.to_owned(), parse(value).unwrap_or_else(|_| Json::from(value))))
}
