//! `TaskCreate`: lenient as that client is. Subject and description stand in for each other, other keys are dropped.

use super::input::{Kind, missing_parameter, mistyped, refuse};
use crate::{
    json::{Json, Object},
    rules::{Command, NewTask},
    task::Task,
    tools::{Arguments, Desk, Fault, Reply},
};

pub(super) fn call(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let outcome = desk.list.run(&desk.actor, &Command::Create(new(arguments)?))?;
    let Some(task) = outcome.tasks.into_iter().next().map(|it| Task::from(it.task)) else {
        return Ok(Reply::default());
    };
    let text = format!("Task #{} created successfully: {}", task.id, task.subject);
    let made = Object::new()
        .with("id", task.id.as_str())
        .with("subject", task.subject)
        .with("description", task.description);
    Ok(Reply::ok(text).with(Object::new().with("task", made)))
}

/// Asks whether the client may carry a call out.
pub(super) fn ahead(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<(), Fault> {
    desk.list.rehearse(&desk.actor, &Command::Create(new(arguments)?))?;
    Ok(())
}

fn new(arguments: &Arguments<'_>) -> Result<NewTask, Fault> {
    let subject = arguments.value(&["subject", "title", "content"]);
    let description = arguments.value(&["description"]);
    let active_form = arguments.value(&["activeForm"]);
    let (Some(subject), Some(description)) = (subject.or(description), description.or(subject)) else {
        return Err(nothing(arguments));
    };
    let texts = [("subject", Some(subject)), ("description", Some(description)), ("activeForm", active_form)];
    let issues = texts.iter().filter_map(|(name, value)| mistyped(name, Kind::Text, (*value)?));
    refuse(arguments, &issues.collect::<Vec<_>>())?;
    let text = |it: &Json| it.as_str().unwrap_or_default().to_owned();
    let metadata = arguments.value(&["metadata"]).and_then(Json::as_object);
    Ok(NewTask {
        subject: text(subject),
        description: text(description),
        active_form: active_form.map(text),
        metadata: metadata.cloned().unwrap_or_default(),
        ..NewTask::default()
    })
}

/// What is said to a call that names no task. Two mistakes have an answer of their own.
fn nothing(arguments: &Arguments<'_>) -> Fault {
    let hint = if arguments.has(&["tasks"]) {
        "TaskCreate makes one task: call it once for each, with `subject` and `description`".to_owned()
    } else if arguments.has(&["prompt"]) {
        "TaskCreate notes a task and starts no agent: give it `subject` and `description`".to_owned()
    } else {
        [missing_parameter("subject"), missing_parameter("description")].join("\n")
    };
    let missing = refuse(arguments, &[hint]).err();
    missing.unwrap_or_else(|| Fault::Arguments(missing_parameter("subject")))
}
