//! `wl plan`: a whole graph at once, from JSON or a Markdown checklist. All of it or nothing.
#![expect(clippy::disallowed_methods, reason = "a plan is a file of the user's choice")]

use super::{list::lined, typed};
use crate::{
    context::Context,
    failure::{Failure, USAGE},
    output::{Answer, counted, visible},
    picture::{Node, Picture, drawn},
};
use clap::Args;
use std::{
    collections::{HashMap, HashSet},
    fs,
};
use worklist::{
    Command, Error, Refusal, State, Task, TaskId, TaskList, TaskView,
    json::{Json, Object},
    plan::{Draft, Mistake, read},
    rules::PlanNote,
};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl plan release.md
  wl plan release.md --dry-run         # draws the graph that it would make
  wl plan release.md --key release-2   # a second time changes nothing
  echo '[{\"name\": \"a\", \"subject\": \"Build\"}, {\"subject\": \"Ship\", \"after\": \"a\"}]' | wl plan -

A checklist: names in {#braces}, what comes first in (after: …), parts indented, numbered lists as
sequences, !high or !low, #tags. Text indented below an item is its description.
  - [ ] Design the schema {#schema} !high #db
  - [ ] Write the API (after: schema) {#api}
    - [ ] Endpoints
    - [ ] Errors
  - [ ] Write the docs (after: schema, api)";

#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    /// The plan: a file, or `-` for standard input
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: String,
    /// A name for the plan: planned again, it changes nothing and answers as the first time
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// Only draw the graph that it would make
    #[arg(long)]
    pub(crate) dry_run: bool,
}

pub(super) fn run(context: &Context, args: &PlanArgs) -> Result<Answer, Failure> {
    let text = match args.file.as_str() {
        "-" => typed::input("the plan")?,
        file => {
            let failed = |error: std::io::Error| Failure::other(&format!("read {file}"), &error);
            let bytes = fs::read(file).map_err(failed)?;
            String::from_utf8(bytes).map_err(|_| Failure::invalid(file, "is not UTF-8", None))?
        }
    };
    let mut draft = read(&text).map_err(|it| mistaken(&args.file, &it))?;
    if args.key.is_some() {
        draft.plan.key.clone_from(&args.key);
    }
    let answer = if args.dry_run { rehearse(context, args, &draft) } else { make(context, args, &draft) };
    answer.map(|mut answer| {
        answer.warnings.extend(draft.notes.iter().cloned());
        answer
    })
}

fn make(context: &Context, args: &PlanArgs, draft: &Draft) -> Result<Answer, Failure> {
    let command = Command::Plan(draft.plan.clone());
    if matches!(context.open(), Err(failure) if failure.code == "no_list") {
        // What would be refused anyway makes no list.
        let tried = TaskList::in_memory().rehearse(&context.actor, &command);
        tried.map_err(|error| refused(&args.file, draft, error))?;
    }
    let (list, made) = context.open_or_make()?;
    let outcome = list.run(&context.actor, &command).map_err(|error| refused(&args.file, draft, error))?;
    let is_new = outcome.event.is_some();
    let left = if is_new { None } else { left_out(draft, &outcome.tasks) };
    let place = made.then(|| context.shown());
    let mut answer = if context.output.json {
        let names = names_json(outcome.decision.plan.as_ref());
        let mut rest = Object::new().with("names", names).with("planned", is_new);
        rest.set_some("madeList", place);
        Answer::of_tasks(outcome.tasks, rest)
    } else {
        let key = draft.plan.key.as_deref().unwrap_or_default();
        let mut text = place.map(|it| format!("Made a list at {}\n", visible(&it))).unwrap_or_default();
        text += &if is_new {
            format!("Planned {}\n", counted(outcome.tasks.len(), "task"))
        } else {
            format!("The plan `{}` was made before; nothing was changed\n", visible(key))
        };
        text += &lined(context, &outcome.tasks.iter().collect::<Vec<_>>());
        Answer::new(text, Object::new())
    }
    .warned(&outcome.problems);
    answer.warnings.extend(left);
    Ok(answer)
}

/// What stands in a plan now and did not when it was made, or not so.
fn left_out(draft: &Draft, tasks: &[TaskView]) -> Option<String> {
    let known: HashSet<&str> = tasks.iter().map(|it| it.task.subject.as_str()).collect();
    let is_new = |it: &&str| !known.contains(it);
    let new: Vec<&str> = draft.plan.tasks.iter().map(|it| it.task.subject.as_str()).filter(is_new).collect();
    let first = visible(new.first()?);
    let more = new.len() - 1;
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Some(format!(
        "in the plan, but not in the list: {first}{more}; `wl add` adds them, or another --key plans all of it anew"
    ))
}

fn rehearse(context: &Context, args: &PlanArgs, draft: &Draft) -> Result<Answer, Failure> {
    let command = Command::Plan(draft.plan.clone());
    let list = match context.open() {
        Err(failure) if failure.code == "no_list" => TaskList::in_memory(),
        list => list?,
    };
    let decided =
        list.rehearse(&context.actor, &command).map_err(|error| refused(&args.file, draft, error))?;
    let tasks: Vec<Task> =
        decided.changes.iter().filter_map(|it| it.after.as_ref()).map(|it| it.task.clone()).collect();
    let json = Object::new().with("dryRun", true).with("names", names_json(decided.plan.as_ref())).with(
        "tasks",
        Json::Array(tasks.iter().map(|it| Json::Object(worklist::portable::task_to_json(it))).collect()),
    );
    if tasks.is_empty() {
        return Ok(Answer::new("This plan was made before; it would change nothing.\n".to_owned(), json));
    }
    let mut text = format!("Would plan {}:\n", counted(decided.about.len(), "task"));
    text += &drawn(&context.output, &picture(&tasks));
    Ok(Answer::new(text, json))
}

fn picture(tasks: &[Task]) -> Picture {
    let places: HashMap<&TaskId, usize> = tasks.iter().enumerate().map(|(n, it)| (&it.id, n)).collect();
    let nodes = tasks.iter().map(|it| Node {
        id: visible(it.id.as_str()),
        subject: visible(&it.subject),
        owner: it.owner.as_deref().map(visible),
        state: Some(match it.status {
            worklist::Status::Completed => State::Completed,
            worklist::Status::InProgress => State::InProgress,
            worklist::Status::Pending if it.blocked_by.is_empty() => State::Ready,
            worklist::Status::Pending => State::Blocked,
        }),
        parked: false,
    });
    let edge = |(n, task): (usize, &Task)| -> Vec<(usize, usize)> {
        task.blocked_by.iter().filter_map(|it| places.get(it)).map(|from| (*from, n)).collect()
    };
    Picture { nodes: nodes.collect(), edges: tasks.iter().enumerate().flat_map(edge).collect() }
}

fn names_json(plan: Option<&PlanNote>) -> Json {
    let names = plan.map(|it| it.names.as_slice()).unwrap_or_default();
    Json::Object(names.iter().map(|(name, id)| (name.clone(), Json::from(id.as_str()))).collect())
}

/// All mistakes of a text, with their lines.
fn mistaken(file: &str, mistakes: &[Mistake]) -> Failure {
    let place = |it: &Mistake| match it.column {
        Some(column) => format!("{file}:{}:{column}", it.line),
        None => format!("{file}:{}", it.line),
    };
    let say = |it: &Mistake| {
        let hint = it.hint.as_ref().map(|it| format!(" ({it})")).unwrap_or_default();
        format!("{}: {}{hint}", place(it), it.reason)
    };
    let list = mistakes.iter().map(|it| {
        let mut object = Object::new().with("line", it.line).with("reason", it.reason.as_str());
        object.set_some("column", it.column);
        object.set_some("hint", it.hint.as_deref());
        Json::Object(object)
    });
    let data = Object::new().with("mistakes", Json::Array(list.collect()));
    let message = mistakes.iter().map(say).collect::<Vec<_>>().join("\n       ");
    let hint = Some("nothing was planned; `wl plan --help` shows the form".to_owned());
    Failure { code: "invalid", message, hint, data, exit: USAGE }
}

/// A refusal by the list, with the line that it is about where that can be told.
fn refused(file: &str, draft: &Draft, error: Error) -> Failure {
    let about = match &error {
        Error::Refused(Refusal::NotFound { id }) => draft.plan.tasks.iter().position(|it| {
            let named = it.after.iter().chain(&it.parent).any(|it| it.trim_start_matches('#') == id.as_str());
            named || it.task.blocked_by.contains(id) || it.task.blocks.contains(id)
        }),
        _ => None,
    };
    let line = about.and_then(|n| draft.lines.get(n));
    let mut failure = Failure::from(error);
    if let Some(line) = line {
        failure.message = format!("{file}:{line}: {}", failure.message);
        failure.data.set("line", *line);
    }
    failure
}
