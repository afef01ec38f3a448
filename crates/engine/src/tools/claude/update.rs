//! `TaskUpdate`: fields, edges, owner and status of a task. The answer names the fields that changed.

use super::{
    input::{Kind, Parameter, no_status, strict},
    said::{missing, reason, task_in},
};
use crate::{
    id::TaskId,
    json::{Json, Object},
    rules::{Command, Edit, Refusal},
    store::Error,
    task::{Field, Status},
    tools::{
        Arguments, Desk, Fault, Reply,
        change::{self, Changed, change, remove},
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
    match asked(arguments)? {
        Asked::Unknown(text) => Ok(unknown(&text)),
        Asked::Removal(id) => {
            remove(desk, &id).map(|status| deleted(&id, status)).or_else(|fault| refused(&id, fault))
        }
        Asked::Change(id, status) => edit(arguments, Edit { status, ..Edit::of(id.clone()) })
            .and_then(|edit| change(desk, edit))
            .map(|changed| updated(&changed))
            .or_else(|fault| refused(&id, fault)),
    }
}

/// Asks whether the client may carry a call out, and takes or ends the claim that it takes or ends.
pub(super) fn ahead(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<(), Fault> {
    let (id, checked) = match asked(arguments)? {
        Asked::Unknown(_) => return Ok(()),
        Asked::Removal(id) => {
            let removal = Command::Delete { id: id.clone(), force: false };
            (id, desk.list.rehearse(&desk.actor, &removal).map(|_| ()).map_err(Fault::from))
        }
        Asked::Change(id, status) => {
            let edit = edit(arguments, Edit { status, ..Edit::of(id.clone()) });
            (id, edit.and_then(|edit| change::ahead(desk, &edit)))
        }
    };
    match checked {
        // The client says so itself.
        Err(Fault::List(Error::Refused(Refusal::NotFound { id: lost }))) if lost == id => Ok(()),
        checked => checked,
    }
}

/// What a call is about.
enum Asked {
    /// What cannot be the id of a task.
    Unknown(String),
    /// A task that shall go.
    Removal(TaskId),
    /// A task, and the status that it shall have.
    Change(TaskId, Option<Status>),
}

fn asked(arguments: &Arguments<'_>) -> Result<Asked, Fault> {
    strict(arguments, PARAMETERS, &["taskId"])?;
    let word = arguments.text(&["status"])?;
    let status = word.as_deref().and_then(Status::named);
    let removal = word.as_deref() == Some("deleted");
    if word.is_some() && status.is_none() && !removal {
        return Err(no_status());
    }
    Ok(match task_in(arguments)? {
        Err(text) => Asked::Unknown(text),
        Ok(id) if removal => Asked::Removal(id),
        Ok(id) => Asked::Change(id, status),
    })
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
