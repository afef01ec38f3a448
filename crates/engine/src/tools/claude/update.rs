//! `TaskUpdate`: fields, edges, owner and status of a task. The answer names the fields that changed.

use super::{
    input::{Kind, Parameter, no_status, strict},
    said::{missing, reason, task_in},
};
use crate::{
    id::TaskId,
    json::{Json, Object},
    rules::{Edit, Refusal},
    store::Error,
    task::{Field, Status},
    tools::{
        Arguments, Desk, Fault, Reply,
        change::{Changed, change, remove},
    },
};

const PARAMETERS: &[Parameter] = &[
    ("taskId", Kind::Text),
    ("subject", Kind::Text),
    ("description", Kind::Text),
    ("activeForm", Kind::Text),
    ("status", Kind::Text),
    ("addBlocks", Kind::Texts),
    ("addBlockedBy", Kind::Texts),
    ("owner", Kind::Text),
    ("metadata", Kind::Object),
];

/// The fields that an answer names, in its order.
const NAMED: [Field; 8] = [
    Field::Subject,
    Field::Description,
    Field::ActiveForm,
    Field::Owner,
    Field::Metadata,
    Field::Status,
    Field::Blocks,
    Field::BlockedBy,
];

pub(super) fn call(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    strict(arguments, PARAMETERS, &["taskId"])?;
    let word = arguments.text(&["status"])?;
    let status = word.as_deref().and_then(Status::named);
    let id = match task_in(arguments)? {
        _ if word.is_some() && status.is_none() && word.as_deref() != Some("deleted") => {
            return Err(no_status());
        }
        Ok(id) => id,
        Err(text) => return Ok(unknown(&text)),
    };
    let done = match word.as_deref() {
        Some("deleted") => remove(desk, &id).map(|status| deleted(&id, status)),
        _ => edit(arguments, Edit { status, ..Edit::of(id.clone()) })
            .and_then(|edit| change(desk, edit))
            .map(|changed| updated(&changed)),
    };
    done.or_else(|fault| refused(&id, fault))
}

fn edit(arguments: &Arguments<'_>, edit: Edit) -> Result<Edit, Fault> {
    let filled = |text: Option<String>| text.map(|it| Some(it).filter(|it| !it.is_empty()));
    Ok(Edit {
        subject: arguments.text(&["subject"])?,
        description: arguments.text(&["description"])?,
        active_form: filled(arguments.text(&["activeForm"])?),
        owner: filled(arguments.text(&["owner"])?),
        metadata: arguments.keys(&["metadata"])?,
        add_blocked_by: edges(arguments, "addBlockedBy")?,
        add_blocks: edges(arguments, "addBlocks")?,
        ..edit
    })
}

/// The other ends of new edges. What cannot be an id is a task that is not there.
fn edges(arguments: &Arguments<'_>, name: &'static str) -> Result<Vec<TaskId>, Fault> {
    let id = |text: &String| {
        TaskId::typed(text).ok_or_else(|| Refusal::NotFound { id: TaskId::found(text) }.into())
    };
    arguments.texts(&[name])?.iter().map(id).collect()
}

fn updated(changed: &Changed) -> Reply {
    let names: Vec<&str> = NAMED.into_iter().filter(|it| changed.has(*it)).map(Field::name).collect();
    let id = &changed.view.task.id;
    let mut object = result(id, true, &names);
    if let Some(before) = changed.status_before() {
        object.set("statusChange", turn(before, changed.view.task.status.name()));
    }
    Reply::ok(format!("Updated task #{id} {}", names.join(", "))).with(object)
}

fn deleted(id: &TaskId, before: Status) -> Reply {
    let object = result(id, true, &["deleted"]).with("statusChange", turn(before, "deleted"));
    Reply::ok(format!("Updated task #{id} deleted")).with(object)
}

fn result(id: &TaskId, success: bool, fields: &[&str]) -> Object {
    Object::new()
        .with("success", success)
        .with("taskId", id.as_str())
        .with("updatedFields", Json::strings(fields))
}

fn turn(from: Status, to: &str) -> Object {
    Object::new().with("from", from.name()).with("to", to)
}

fn unknown(id: &str) -> Reply {
    let object = result(&TaskId::found(id), false, &[]);
    missing().with(object.with("error", "Task not found"))
}

/// A task that is not there, and a hook that said no, are no errors to that client; the rest is.
fn refused(id: &TaskId, fault: Fault) -> Result<Reply, Fault> {
    let Fault::List(Error::Refused(refusal)) = &fault else { return Err(fault) };
    if matches!(refusal, Refusal::NotFound { id: lost } if lost == id) {
        return Ok(unknown(id.as_str()));
    }
    let text = reason(refusal);
    let error = (!matches!(refusal, Refusal::Denied { .. })).then_some(refusal.code());
    let structured = Some(result(id, false, &[]).with("error", &*text));
    Ok(Reply { text, error, structured })
}
