//! One issue of beads as a task: which key means what, and where the others go. Not its edges: these need the other
//! issues.

use crate::{
    id::TaskId,
    json::{Json, Object},
    task::{Priority, Status, Task},
    time::Time,
};

/// The parts of a description, with the headings that they get.
const SECTIONS: [(&str, &str); 4] = [
    ("description", ""),
    ("design", "## Design\n\n"),
    ("acceptance_criteria", "## Acceptance criteria\n\n"),
    ("notes", "## Notes\n\n"),
];

/// An issue before its edges are followed.
pub(super) struct Issue {
    pub(super) task: Task,
    pub(super) links: Vec<Link>,
    /// Whether beads only remembers that it was there.
    pub(super) is_deleted: bool,
    /// What the task says otherwise than the issue.
    pub(super) changes: Vec<String>,
    /// What goes into the metadata.
    pub(super) rest: Object,
}

/// One entry of `dependencies`.
pub(super) struct Link {
    /// Who depends; in a sound file the issue that carries the entry.
    pub(super) from: TaskId,
    pub(super) to: TaskId,
    pub(super) kind: String,
    /// The entry as it stands.
    pub(super) whole: Json,
}

/// Reads one issue; the reason if it is none.
pub(super) fn read(object: &Object) -> Result<Issue, String> {
    let id = required(object, "id")?;
    let mut task = Task::new(TaskId::found(&id), "");
    let status = required(object, "status")?;
    let mut changes = Vec::new();
    subject(&mut task, &required(object, "title")?, &mut changes);
    task.description = description(object)?;
    task.status = status_of(&status, &mut changes);
    if task.status == Status::InProgress {
        task.owner = text(object, "assignee")?;
    }
    task.priority = priority(object)?;
    task.tags = tags(object, &mut changes)?;
    task.created_at = time(object, "created_at", &mut changes)?;
    task.updated_at = time(object, "updated_at", &mut changes)?;
    let rest = rest(object, &task);
    let links = links(object, &task.id)?;
    Ok(Issue { task, links, is_deleted: status == "tombstone", changes, rest })
}

fn value<'a>(object: &'a Object, key: &str) -> Option<&'a Json> {
    object.get(key).filter(|it| **it != Json::Null)
}

/// The text of a key; none if it says nothing.
fn text(object: &Object, key: &str) -> Result<Option<String>, String> {
    match value(object, key) {
        None => Ok(None),
        Some(Json::String(text)) => Ok(Some(text.clone()).filter(|it| !it.trim().is_empty())),
        Some(_) => Err(format!("`{key}` is not a text")),
    }
}

fn required(object: &Object, key: &str) -> Result<String, String> {
    text(object, key)?.ok_or_else(|| format!("there is no `{key}`"))
}

fn array<'a>(object: &'a Object, key: &str) -> Result<&'a [Json], String> {
    let none: &[Json] = &[];
    value(object, key).map_or(Ok(none), |it| it.as_array().ok_or_else(|| format!("`{key}` is not an array")))
}

/// A subject is one line.
fn subject(task: &mut Task, title: &str, changes: &mut Vec<String>) {
    let lines = title.lines().map(str::trim).filter(|it| !it.is_empty());
    task.subject = lines.collect::<Vec<_>>().join(" ");
    if title.contains(['\n', '\r']) {
        changes.push("titles of more than one line became one line".to_owned());
    }
}

fn description(object: &Object) -> Result<String, String> {
    let mut whole = String::new();
    for (key, heading) in SECTIONS {
        if let Some(section) = text(object, key)? {
            let gap = if whole.is_empty() { "" } else { "\n\n" };
            whole += &format!("{gap}{heading}{section}");
        }
    }
    Ok(whole)
}

fn status_of(status: &str, changes: &mut Vec<String>) -> Status {
    match status {
        "open" => Status::Pending,
        "in_progress" => Status::InProgress,
        "closed" => Status::Completed,
        other => {
            changes.push(format!("status `{other}` became pending"));
            Status::Pending
        }
    }
}

/// 0 is the most urgent.
fn priority(object: &Object) -> Result<Option<Priority>, String> {
    let Some(value) = value(object, "priority") else { return Ok(None) };
    Ok(Some(match value.as_u64() {
        Some(0 | 1) => Priority::High,
        Some(2) => Priority::Medium,
        Some(_) => Priority::Low,
        None => return Err("`priority` is not a number from 0 on".to_owned()),
    }))
}

/// The type, unless it says no more than that this is a task, then the labels.
fn tags(object: &Object, changes: &mut Vec<String>) -> Result<Vec<String>, String> {
    let kind = text(object, "issue_type")?.filter(|it| it != "task");
    if let Some(kind) = &kind {
        changes.push(format!("type `{kind}` became a tag"));
    }
    let mut tags: Vec<String> = kind.into_iter().collect();
    for label in array(object, "labels")? {
        let label = label.as_str().ok_or("a label is not a text")?;
        if !label.trim().is_empty() && !tags.iter().any(|it| it == label) {
            tags.push(label.to_owned());
        }
    }
    Ok(tags)
}

fn time(object: &Object, key: &str, changes: &mut Vec<String>) -> Result<Option<Time>, String> {
    let Some(text) = text(object, key)? else { return Ok(None) };
    let time = Time::parse(&text);
    if time.is_none() {
        changes.push(format!("`{key}` is no time and was left empty"));
    }
    Ok(time)
}

/// Everything that the task itself does not say, as it stands.
fn rest(object: &Object, task: &Task) -> Object {
    let is_said = |key: &str, value: &Json| match key {
        "id" | "labels" | "dependencies" => true,
        "title" => value.as_str() == Some(&task.subject),
        "status" => matches!(value.as_str(), Some("open" | "in_progress" | "closed")),
        "created_at" => task.created_at.is_some(),
        "updated_at" => task.updated_at.is_some(),
        _ => SECTIONS.iter().any(|it| it.0 == key),
    };
    let members = object.iter().filter(|(key, value)| **value != Json::Null && !is_said(key, value));
    members.map(|(key, value)| (key.to_owned(), value.clone())).collect()
}

fn links(object: &Object, id: &TaskId) -> Result<Vec<Link>, String> {
    let link = |whole: &Json| -> Result<Link, String> {
        let entry = whole.as_object().ok_or("a dependency is not an object")?;
        let of = |key: &str| required(entry, key).map_err(|it| format!("{it} in a dependency"));
        let from = text(entry, "issue_id")?.map_or_else(|| id.clone(), |it| TaskId::found(&it));
        let (to, kind) = (TaskId::found(&of("depends_on_id")?), of("type")?);
        Ok(Link { from, to, kind, whole: whole.clone() })
    };
    array(object, "dependencies")?.iter().map(link).collect()
}
