//! A task as one JSON object, for the formats that keep one file per task: each says by a table which key means
//! what and how "nothing" is spelled. Not for `tasks-json`, whose keys mean other things.

use super::{Found, Put, Writing, fault};
use crate::{
    id::TaskId,
    json::{Json, Malformed, Object, Style, parse, patch_object, write},
    portable::{field_from_json, field_to_json},
    task::{Field, Status, Task},
};
use std::collections::HashSet;

/// The keys of a format in the order in which a new file has them.
pub(super) struct Layout {
    pub(super) style: Style,
    pub(super) numeric_ids: bool,
    /// Whether finished blockers are taken out of "blocked by".
    pub(super) clears: bool,
    pub(super) keys: &'static [(&'static str, Slot)],
}

/// What a key means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    Id,
    Subject,
    Description,
    Status,
    ActiveForm(Empty),
    Owner(Empty),
    Blocks,
    BlockedBy,
    /// With `Ours` the object also carries our own fields, under the key `worklist`.
    Metadata(Ours),
}

/// How the absence of a value is spelled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Empty {
    Absent,
    Null,
    Blank,
}

/// Whether our own fields go into `metadata`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ours {
    Inside,
    Outside,
}

/// The key of our own fields in `metadata`, and which they are.
const OURS: &str = "worklist";
const OUR_FIELDS: [Field; 6] =
    [Field::Priority, Field::Tags, Field::Parent, Field::ImportedFrom, Field::CreatedAt, Field::UpdatedAt];

impl Layout {
    /// Reads the task that fills a text. The file's name says which task it is, whatever the text says.
    pub(super) fn decode(&self, id: TaskId, text: &str) -> Result<Vec<Found>, Malformed> {
        let value = parse(text)?;
        let object = value.as_object().ok_or_else(|| fault("not a JSON object"))?;
        let mut task = Task::new(id, "");
        let mut subject = None;
        for (key, slot) in self.keys {
            let value = object.get(key).filter(|it| **it != Json::Null);
            match slot {
                Slot::Id => {}
                Slot::Subject => subject = value.map(|it| text_of(key, it)).transpose()?,
                Slot::Description => {
                    task.description = value.map(|it| text_of(key, it)).transpose()?.unwrap_or_default();
                }
                Slot::Status => task.status = status_of(key, value)?,
                Slot::ActiveForm(_) => task.active_form = filled(key, value)?,
                Slot::Owner(_) => task.owner = filled(key, value)?,
                Slot::Blocks => task.blocks = ids_of(key, value)?,
                Slot::BlockedBy => task.blocked_by = ids_of(key, value)?,
                Slot::Metadata(ours) => read_metadata(&mut task, key, value, *ours)?,
            }
        }
        task.subject = subject.ok_or_else(|| fault("there is no `subject`"))?;
        Ok(vec![Found { span: 0..text.len(), id: Some(task.id.clone()), task: Ok(task) }])
    }

    /// Writes the one task that a file holds.
    pub(super) fn encode(
        &self,
        old: Option<&str>,
        puts: &[Put<'_>],
        writing: &Writing<'_>,
    ) -> Result<Option<String>, Malformed> {
        let task = match puts.last() {
            None => return Ok(old.map(str::to_owned)),
            Some(Put::Gone(_)) => return Ok(None),
            Some(Put::Task(task) | Put::Ripple(task)) => *task,
        };
        // What cannot be read is replaced whole: whoever asks for that has kept a copy.
        let before = old.and_then(|text| Some((text, parse(text).ok()?)));
        let object = before.as_ref().and_then(|(_, value)| value.as_object());
        let edits: Vec<_> = self
            .keys
            .iter()
            .map(|(key, slot)| {
                ((*key).to_owned(), self.wanted(*slot, task, object.and_then(|it| it.get(key)), writing))
            })
            .collect();
        let text = match (before.as_ref(), object) {
            (Some((text, _)), Some(_)) => patch_object(text, &edits, self.style, "")?,
            _ => {
                let object: Object =
                    edits.into_iter().filter_map(|(key, value)| Some((key, value?))).collect();
                write(&Json::Object(object), self.style, "")
            }
        };
        Ok(Some(text))
    }

    /// The value a key shall have, given the one that it has.
    fn wanted(&self, slot: Slot, task: &Task, old: Option<&Json>, writing: &Writing<'_>) -> Option<Json> {
        match slot {
            Slot::Id => Some(self.id(&task.id)),
            Slot::Subject => Some(task.subject.as_str().into()),
            Slot::Description => Some(task.description.as_str().into()),
            Slot::Status => Some(task.status.name().into()),
            Slot::ActiveForm(empty) => spelled(task.active_form.as_deref(), empty, old),
            Slot::Owner(empty) => spelled(task.owner.as_deref(), empty, old),
            Slot::Blocks => Some(self.ids(&task.blocks, |_| true)),
            Slot::BlockedBy => {
                Some(self.ids(&task.blocked_by, |id| !(self.clears && (writing.finished)(id))))
            }
            Slot::Metadata(ours) => {
                let old = old.and_then(Json::as_object);
                let object = metadata(task, ours, old);
                (!object.is_empty() || old.is_some()).then_some(Json::Object(object))
            }
        }
    }

    fn id(&self, id: &TaskId) -> Json {
        if self.numeric_ids && id.number().is_some() {
            return Json::Number(id.to_string());
        }
        id.as_str().into()
    }

    fn ids(&self, ids: &[TaskId], keep: impl Fn(&TaskId) -> bool) -> Json {
        Json::Array(ids.iter().filter(|id| keep(id)).map(|id| self.id(id)).collect())
    }
}

fn spelled(value: Option<&str>, empty: Empty, old: Option<&Json>) -> Option<Json> {
    match (value, empty) {
        (Some(text), _) => Some(text.into()),
        // A blank that is there already says the same and stays.
        (None, Empty::Absent) => old.filter(|it| it.as_str() == Some("")).cloned(),
        (None, Empty::Null) => Some(Json::Null),
        (None, Empty::Blank) => Some("".into()),
    }
}

fn metadata(task: &Task, ours: Ours, old: Option<&Object>) -> Object {
    let mut object = task.metadata.clone();
    if ours == Ours::Inside {
        let mut own = old.and_then(|it| it.get(OURS)).and_then(Json::as_object).cloned().unwrap_or_default();
        let mut was = Task::new(task.id.clone(), "");
        read_ours(&mut was, &own);
        for field in OUR_FIELDS {
            // What says the same stays as it is, also words that only a later version of ours understands.
            if was.agrees(task, field) {
                continue;
            }
            match field_to_json(task, field) {
                Some(value) => own.set(field.name(), value),
                None => _ = own.remove(field.name()),
            }
        }
        if !own.is_empty() {
            object.set(OURS, own);
        }
    }
    object
}

fn read_metadata(task: &mut Task, key: &str, value: Option<&Json>, ours: Ours) -> Result<(), Malformed> {
    let Some(value) = value else { return Ok(()) };
    let object = value.as_object().ok_or_else(|| fault(format!("`{key}` is not an object")))?;
    task.metadata = object.clone();
    let own = object.get(OURS).and_then(Json::as_object);
    if let (Ours::Inside, Some(own)) = (ours, own) {
        task.metadata.remove(OURS);
        read_ours(task, own);
    }
    Ok(())
}

fn read_ours(task: &mut Task, own: &Object) {
    for field in OUR_FIELDS {
        // A value that cannot be understood counts as none.
        _ = field_from_json(task, field, own.get(field.name()));
    }
}

pub(super) fn text_of(key: &str, value: &Json) -> Result<String, Malformed> {
    value.as_str().map(str::to_owned).ok_or_else(|| fault(format!("`{key}` is not a string")))
}

fn filled(key: &str, value: Option<&Json>) -> Result<Option<String>, Malformed> {
    Ok(value.map(|it| text_of(key, it)).transpose()?.filter(|it| !it.is_empty()))
}

fn status_of(key: &str, value: Option<&Json>) -> Result<Status, Malformed> {
    let name = value.map(|it| text_of(key, it)).transpose()?;
    let name = name.ok_or_else(|| fault(format!("there is no `{key}`")))?;
    Status::named(&name).ok_or_else(|| fault(format!("`{key}` is \"{name}\"")))
}

/// Ids as strings or numbers, each once, in their order.
pub(super) fn ids_of(key: &str, value: Option<&Json>) -> Result<Vec<TaskId>, Malformed> {
    let Some(value) = value else { return Ok(Vec::new()) };
    let items = value.as_array().ok_or_else(|| fault(format!("`{key}` is not an array")))?;
    let mut ids = Vec::new();
    let mut seen = HashSet::new();
    for item in items {
        let id = match item {
            Json::String(text) | Json::Number(text) => TaskId::found(text),
            _ => return Err(fault(format!("`{key}` holds something that is not an id"))),
        };
        if seen.insert(id.clone()) {
            ids.push(id);
        }
    }
    Ok(ids)
}
