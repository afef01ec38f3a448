//! The format of the `tasks.json` specification: one file, `snake_case`, "blocked" as a status, no subject.
//! See docs/formats/tasks-json.md.

use super::{
    ForeignLocks, Format, Found, IdSource, Put, Shape, Writing, fault,
    ids::unused,
    object::{ids_of, text_of},
};
use crate::{
    id::TaskId,
    json::{Json, Malformed, Object, Style, elements, members, parse, patch_object, write},
    task::{Field, Priority, Status, Task},
    time::Time,
};
use std::{collections::HashMap, ops::Range};

pub(super) struct TasksJson;

const FILE: &str = "tasks.json";
const STYLE: Style = Style::JAVASCRIPT;
/// What stands before the braces of a task.
const MARGIN: &str = "    ";

static SHAPE: Shape = Shape {
    name: "tasks-json",
    about: "one tasks.json for the whole list, after its specification",
    single_file: Some(FILE),
    has_blocks: false,
    ripples: true,
    locks: ForeignLocks::OneFile,
    repairs: false,
    carries: &[
        Field::Subject,
        Field::Description,
        Field::Owner,
        Field::Status,
        Field::BlockedBy,
        Field::Metadata,
        Field::Priority,
        Field::Tags,
        Field::Parent,
        Field::CreatedAt,
        Field::UpdatedAt,
    ],
};

impl Format for TasksJson {
    fn shape(&self) -> &'static Shape {
        &SHAPE
    }

    fn name_file(&self, _id: &TaskId, name: &mut String) {
        name.push_str(FILE);
    }

    fn is_task_file(&self, name: &str) -> bool {
        name == FILE
    }

    fn decode(&self, _name: &str, text: &str) -> Result<Vec<Found>, Malformed> {
        if text.trim().is_empty() {
            return Ok(Vec::new());
        }
        let spans = places(text)?;
        let found = |span: Range<usize>| {
            let element = &text[span.clone()];
            let id = parse(element).ok().as_ref().and_then(Json::as_object).and_then(id_of);
            Found { task: read(element), id, span }
        };
        Ok(spans.into_iter().map(found).collect())
    }

    fn encode(
        &self,
        old: Option<&str>,
        puts: &[Put<'_>],
        writing: &Writing<'_>,
    ) -> Result<Option<String>, Malformed> {
        let empty = || {
            let root = Object::new().with("tasks", Json::Array(Vec::new())).with("version", 2_u64);
            write(&Json::Object(root.with("last_updated", writing.now.to_string())), STYLE, "") + "\n"
        };
        let text = old.filter(|it| !it.trim().is_empty()).map_or_else(empty, str::to_owned);
        let text = lay(&text, puts, writing)?;
        let now = Some(writing.now.to_string().into());
        patch_object(&text, &[("last_updated".to_owned(), now)], STYLE, "").map(Some)
    }

    fn fresh_ids(&self, source: &IdSource<'_>, count: usize) -> Vec<TaskId> {
        unused(source, count, || {
            let (a, b) = ((source.random)(), (source.random)());
            let (high, middle, low) = (a >> 32, (a >> 16) & 0xFFFF, a & 0x0FFF | 0x4000);
            let (variant, node) = ((b >> 48) & 0x3FFF | 0x8000, b & 0xFFFF_FFFF_FFFF);
            TaskId::found(&format!("{high:08x}-{middle:04x}-{low:04x}-{variant:04x}-{node:012x}"))
        })
    }
}

/// Where the tasks stand in the text.
fn places(text: &str) -> Result<Vec<Range<usize>>, Malformed> {
    let array = members(text)?.into_iter().rfind(|it| it.key == "tasks");
    let array = array.ok_or_else(|| fault("there is no `tasks`"))?.value_span;
    let shifted = elements(&text[array.clone()])?.into_iter();
    Ok(shifted.map(|it| it.start + array.start..it.end + array.start).collect())
}

/// Lays tasks over the text, all in one pass: elements that are not put keep their bytes.
fn lay(text: &str, puts: &[Put<'_>], writing: &Writing<'_>) -> Result<String, Malformed> {
    let spans = places(text)?;
    let mut elements: Vec<Option<String>> =
        spans.iter().map(|it| Some(text[it.clone()].to_owned())).collect();
    let mut at: HashMap<TaskId, usize> = HashMap::new();
    for (n, span) in spans.iter().enumerate() {
        let value = parse(&text[span.clone()]).ok();
        if let Some(id) = value.as_ref().and_then(Json::as_object).and_then(id_of) {
            at.entry(id).or_insert(n);
        }
    }
    for put in puts {
        let (Put::Task(task) | Put::Ripple(task)) = put else {
            let Put::Gone(id) = put else { continue };
            if let Some(n) = at.remove(*id) {
                elements[n] = None;
            }
            continue;
        };
        let known = at.get(&task.id).copied();
        let old = known.and_then(|n| elements[n].clone());
        let new = element(task, old.as_deref(), matches!(put, Put::Ripple(_)), writing)?;
        match known {
            Some(n) => elements[n] = Some(new),
            None => {
                at.insert(task.id.clone(), elements.len());
                elements.push(Some(new));
            }
        }
    }
    joined_elements(text, &spans, &elements)
}

/// One task: its old text with what changed, or a new one.
fn element(task: &Task, old: Option<&str>, ripple: bool, writing: &Writing<'_>) -> Result<String, Malformed> {
    let Some(old) = old else {
        let edits = edits(task, None, None, false, writing).into_iter();
        let object: Object = edits.filter_map(|(key, value)| Some((key, value?))).collect();
        return Ok(write(&Json::Object(object), STYLE, MARGIN));
    };
    let parsed = parse(old)?;
    let known = read(old).ok();
    patch_object(old, &edits(task, parsed.as_object(), known.as_ref(), ripple, writing), STYLE, MARGIN)
}

/// The text with its elements anew, in the layout that they had.
fn joined_elements(
    text: &str,
    spans: &[Range<usize>],
    elements: &[Option<String>],
) -> Result<String, Malformed> {
    let array = members(text)?.into_iter().rfind(|it| it.key == "tasks");
    let array = array.ok_or_else(|| fault("there is no `tasks`"))?.value_span;
    let (before, after) = (&text[..array.start], &text[array.end..]);
    let kept: Vec<&str> = elements.iter().flatten().map(String::as_str).collect();
    if kept.is_empty() {
        return Ok(if spans.is_empty() { text.to_owned() } else { format!("{before}[]{after}") });
    }
    let own = (format!("[\n{MARGIN}"), format!(",\n{MARGIN}"), "\n  ]".to_owned());
    let (open, between, close) = match (spans.first(), spans.get(1), spans.last()) {
        (Some(first), second, Some(last)) => {
            let open = text[array.start..first.start].to_owned();
            let between =
                second.map_or_else(|| format!(",{}", &open[1..]), |it| text[first.end..it.start].to_owned());
            (open, between, text[last.end..array.end].to_owned())
        }
        _ => own,
    };
    // Between elements that both were there, what stood there stays.
    let mut middle = String::new();
    for (n, element) in elements.iter().enumerate() {
        let Some(element) = element else { continue };
        if !middle.is_empty() {
            let neighbours = n > 0 && elements[n - 1].is_some();
            let stood = neighbours.then(|| Some(&text[spans.get(n - 1)?.end..spans.get(n)?.start])).flatten();
            middle.push_str(stood.unwrap_or(&between));
        }
        middle.push_str(element);
    }
    Ok(format!("{before}{open}{middle}{close}{after}"))
}

fn id_of(object: &Object) -> Option<TaskId> {
    match object.get("id") {
        Some(Json::String(text) | Json::Number(text)) => Some(TaskId::found(text)),
        _ => None,
    }
}

fn read(text: &str) -> Result<Task, Malformed> {
    let value = parse(text)?;
    let object = value.as_object().ok_or_else(|| fault("a task is not an object"))?;
    let id = id_of(object).ok_or_else(|| fault("a task has no `id`"))?;
    if !id.is_plain() {
        return Err(fault(format!("the id \"{id}\" holds more than letters, digits, `_` and `-`")));
    }
    let get = |key: &str| object.get(key).filter(|it| **it != Json::Null);
    let text = |key: &str| get(key).map(|it| text_of(key, it)).transpose();
    let whole = text("description")?.ok_or_else(|| fault(format!("task {id} has no `description`")))?;
    let (subject, description) = split(&whole);
    let mut task = Task::new(id, subject);
    description.clone_into(&mut task.description);
    task.status = match text("status")?.as_deref() {
        Some("blocked") => Status::Pending,
        Some("cancelled") => Status::Completed,
        Some(name) => Status::named(name).ok_or_else(|| fault(format!("`status` is \"{name}\"")))?,
        None => return Err(fault(format!("task {} has no `status`", task.id))),
    };
    task.owner = text("assignee")?.filter(|it| !it.is_empty());
    task.blocked_by = ids_of("dependencies", get("dependencies"))?;
    task.parent = text("parent_id")?.map(|it| TaskId::found(&it));
    task.created_at = text("created_at")?.and_then(|it| Time::parse(&it));
    task.updated_at = text("updated_at")?.and_then(|it| Time::parse(&it));
    if let Some(metadata) = get("metadata") {
        let metadata = metadata.as_object().ok_or_else(|| fault("`metadata` is not an object"))?;
        task.metadata = metadata.clone();
        task.priority = metadata.get("priority").and_then(Json::as_str).and_then(Priority::named);
        let tags = metadata.get("tags").and_then(Json::as_array).unwrap_or_default();
        task.tags = tags.iter().filter_map(Json::as_str).map(str::to_owned).collect();
        if task.priority.is_some() {
            task.metadata.remove("priority");
        }
        if tags.iter().all(|it| it.as_str().is_some()) {
            task.metadata.remove("tags");
        }
    }
    Ok(task)
}

/// A first line and a blank line make a subject; without them the first line stands for the whole.
fn split(whole: &str) -> (&str, &str) {
    let (first, rest) = whole.split_once('\n').unwrap_or((whole, ""));
    match rest.strip_prefix('\n') {
        Some(description) => (first, description),
        None if rest.is_empty() => (first, ""),
        None => (first, whole),
    }
}

fn joined(task: &Task) -> String {
    let first = task.description.split('\n').next().unwrap_or_default();
    if task.description.is_empty() {
        task.subject.clone()
    } else if first == task.subject && split(&task.description).1 == task.description {
        task.description.clone()
    } else {
        format!("{}\n\n{}", task.subject, task.description)
    }
}

/// What the keys of a task shall be. What says the same already stays as it is spelled.
fn edits(
    task: &Task,
    old: Option<&Object>,
    known: Option<&Task>,
    ripple: bool,
    writing: &Writing<'_>,
) -> Vec<(String, Option<Json>)> {
    let same = |field: Field| known.is_some_and(|it| it.agrees(task, field));
    let mut edits: Vec<(String, Option<Json>)> = Vec::new();
    let mut set = |key: &str, value: Option<Json>| edits.push((key.to_owned(), value));
    if old.is_none() {
        set("id", Some(task.id.as_str().into()));
    }
    if !(same(Field::Subject) && same(Field::Description)) {
        set("description", Some(joined(task).into()));
    }
    let stored = old.and_then(|it| it.get("status")).and_then(Json::as_str);
    let waits = task.status == Status::Pending && task.blocked_by.iter().any(|it| !(writing.finished)(it));
    if waits {
        set("status", Some("blocked".into()));
    } else if ripple && matches!(stored, Some("blocked" | "pending")) || !same(Field::Status) {
        set("status", Some(task.status.name().into()));
    }
    let time = |at: Option<Time>| Some(at.unwrap_or(writing.now).to_string().into());
    if !same(Field::CreatedAt) {
        set("created_at", time(task.created_at));
    }
    let turned = ripple
        && matches!(stored, Some("blocked" | "pending"))
        && stored != Some(if waits { "blocked" } else { "pending" });
    if turned {
        set("updated_at", time(None));
    } else if !same(Field::UpdatedAt) {
        set("updated_at", time(task.updated_at));
    }
    if !same(Field::Owner) {
        set("assignee", Some(task.owner.as_deref().map_or(Json::Null, Json::from)));
    }
    if !same(Field::BlockedBy) && (old.is_some() || !task.blocked_by.is_empty()) {
        set("dependencies", Some(Json::strings(&task.blocked_by)));
    }
    if !same(Field::Parent) {
        set("parent_id", task.parent.as_ref().map(|it| it.as_str().into()));
    }
    if !(same(Field::Metadata) && same(Field::Priority) && same(Field::Tags)) {
        let metadata = metadata(task, known, old);
        set("metadata", (old.is_some() || !metadata.is_empty()).then_some(Json::Object(metadata)));
    }
    edits
}

fn metadata(task: &Task, known: Option<&Task>, old: Option<&Object>) -> Object {
    let mut object =
        old.and_then(|it| it.get("metadata")).and_then(Json::as_object).cloned().unwrap_or_default();
    let gone = known.map(|it| it.metadata.clone()).unwrap_or_default();
    for (key, _) in gone.iter().filter(|(key, _)| task.metadata.get(key).is_none()) {
        object.remove(key);
    }
    let changed = |field: Field| known.is_none_or(|it| !it.agrees(task, field));
    if changed(Field::Priority) {
        match task.priority {
            Some(priority) => object.set("priority", priority.name()),
            None => _ = object.remove("priority"),
        }
    }
    if changed(Field::Tags) && (!task.tags.is_empty() || object.get("tags").is_some()) {
        object.set("tags", Json::strings(&task.tags));
    }
    // A word of the user's own in the place of one of ours gives way to ours.
    let ours =
        |key: &str| key == "priority" && task.priority.is_some() || key == "tags" && !task.tags.is_empty();
    for (key, value) in task.metadata.iter().filter(|(key, _)| !ours(key)) {
        object.set(key, value.clone());
    }
    object
}
