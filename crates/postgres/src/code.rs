//! Tasks and events as columns, and back. The text in a row is the truth; the columns beside it are for finding it.

use worklist::{
    Error, Priority, TaskId,
    claim::Entry,
    event::Event,
    json::{Json, Object, Style, lent, write},
    portable::{entry_from_json, entry_to_json, event_from_json, event_to_json},
    rules::Outline,
};

/// A task from its text.
pub(crate) fn entry(id: &str, text: &str) -> Result<Entry, Error> {
    let entry = lent(text).ok().as_ref().and_then(entry_from_json);
    entry.ok_or_else(|| unreadable(&format!("task {id}")))
}

/// An event from its text, under the number that it was given.
pub(crate) fn event(seq: i64, text: &str) -> Result<Event, Error> {
    let event = lent(text).ok().as_ref().and_then(event_from_json);
    let seq = seq.unsigned_abs();
    event.map(|it| Event { seq, ..it }).ok_or_else(|| unreadable(&format!("event {seq}")))
}

fn unreadable(what: &str) -> Error {
    Error::Unreadable {
        file: what.to_owned(),
        reason: "the database holds what no version of ours wrote".to_owned(),
    }
}

/// An event as text.
pub(crate) fn event_text(event: &Event) -> String {
    write(&Json::Object(event_to_json(event)), Style::COMPACT, "")
}

/// A task as the columns of its row.
pub(crate) fn columns(entry: &Entry, waits: bool) -> Json {
    let task = &entry.task;
    let text = write(&Json::Object(entry_to_json(entry)), Style::COMPACT, "");
    let ids = |ids: &[TaskId]| Json::strings(ids.iter().map(|it| it.as_str().replace('\0', "")));
    let mut row = Object::new()
        .with("id", task.id.as_str())
        .with("entry", text)
        .with("blocks", ids(&task.blocks))
        .with("blocked_by", ids(&task.blocked_by))
        .with("startable", Outline::of(entry).is_startable() && !waits)
        .with("urgency", urgency(task.priority))
        // A task without a time comes before all others, as rules have it.
        .with("made", task.created_at.map_or(-1, |it| it.0))
        .with("place", place(&task.id));
    if let Some(claim) = &entry.standing.claim {
        row.set("session", claim.by.session.as_str());
        row.set("lease", claim.lease);
        row.set("since", claim.since.0);
    }
    Json::Object(row)
}

fn urgency(priority: Option<Priority>) -> i64 {
    match priority {
        Some(Priority::Low) => 0,
        None | Some(Priority::Medium) => 1,
        Some(Priority::High) => 2,
    }
}

/// Where a task stands among others: numbers first, in their order.
fn place(id: &TaskId) -> i64 {
    id.number().and_then(|it| i64::try_from(it).ok()).unwrap_or(i64::MAX)
}
