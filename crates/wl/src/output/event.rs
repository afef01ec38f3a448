//! A change as one line for people and as an object for scripts.

use super::{
    paint::{BOLD, FAINT, NAME, paint},
    task::{ago, ids},
    visible::visible,
};
use worklist::{
    Status, Task, TaskId,
    claim::Claim,
    event::{Event, Origin},
    json::{Json, Object},
    portable::{field_to_json, task_to_json},
    rules::Change,
    task::Field,
    time::Time,
};

/// So many tasks of one event are named in a line.
const NAMED: usize = 3;

/// An event as JSON: of each task the fields that changed, from what to what; of new and removed tasks all of it.
pub(crate) fn event_json(event: &Event) -> Object {
    let mut object = Object::new()
        .with("seq", event.seq)
        .with("at", event.at.to_string())
        .with("agent", event.actor.agent.as_str())
        .with("session", event.actor.session.as_str())
        .with("command", event.command.as_str())
        .with("origin", event.origin.name())
        .with("changes", Json::Array(event.changes.iter().map(|it| Json::Object(change_json(it))).collect()))
        .with("unblocked", Json::strings(&event.freed));
    object.set_some("reason", event.reason.as_deref());
    object.set_some("undoes", event.undoes);
    object
}

fn change_json(change: &Change) -> Object {
    let object = Object::new().with("id", change.id.as_str());
    match (&change.before, &change.after) {
        (None, Some(after)) => object.with("kind", "created").with("task", task_to_json(&after.task)),
        (Some(before), None) => object.with("kind", "removed").with("task", task_to_json(&before.task)),
        (Some(before), Some(after)) => {
            let value = |task: &Task, field| field_to_json(task, field).unwrap_or(Json::Null);
            let fields: Object = shown_fields(change)
                .into_iter()
                .map(|it| {
                    let both = vec![value(&before.task, it), value(&after.task, it)];
                    (it.name().to_owned(), Json::Array(both))
                })
                .collect();
            let object = object.with("kind", "changed").with("subject", after.task.subject.as_str());
            object.with("fields", fields)
        }
        (None, None) => object,
    }
}

/// The fields that changed; that the time of the last change did is no news.
fn shown_fields(change: &Change) -> Vec<Field> {
    change.fields().into_iter().filter(|it| *it != Field::UpdatedAt).collect()
}

/// An event as cells: number, when, who, what. A task that is asked about is named first.
pub(crate) fn event_cells(event: &Event, now: Time, about: Option<&TaskId>) -> Vec<String> {
    let who = match event.origin {
        Origin::Ours if event.actor.agent.is_empty() => "wl".to_owned(),
        Origin::Ours => visible(&event.actor.agent),
        Origin::Foreign => {
            event.author().map_or_else(|| "another program".to_owned(), |it| visible(&it.agent))
        }
        Origin::Repair => "wl (repair)".to_owned(),
    };
    vec![event.seq.to_string(), ago(event.at, now), who, told(event, about)]
}

/// The same in one coloured line.
pub(crate) fn event_line(event: &Event, now: Time) -> String {
    let cells = event_cells(event, now, None);
    format!(
        "{} {} {} {}",
        paint(FAINT, &format!("{:>4}", cells[0])),
        paint(FAINT, &cells[1]),
        paint(NAME, &cells[2]),
        paint(BOLD, &cells[3])
    )
}

/// What an event did, in words.
pub(crate) fn what(event: &Event) -> String {
    told(event, None)
}

fn told(event: &Event, about: Option<&TaskId>) -> String {
    let mut text = match event.undoes {
        Some(seq) => format!("took back {seq}: "),
        None => String::new(),
    };
    let mut changes = main_changes(event);
    changes.sort_by_key(|it| about != Some(&it.id));
    let told: Vec<String> = changes.into_iter().map(|it| sentence(event, it)).collect();
    text += &told.iter().take(NAMED).cloned().collect::<Vec<_>>().join("; ");
    if told.len() > NAMED {
        text += &format!("; and {} more", told.len() - NAMED);
    }
    if !event.freed.is_empty() {
        text += &format!(", unblocked {}", ids(&event.freed));
    }
    if let Some(reason) = &event.reason {
        text += &format!(": {}", visible(reason));
    }
    text
}

/// Neighbours that only got an edge are left out where something else happened.
fn main_changes(event: &Event) -> Vec<&Change> {
    let edges = |it: &&Change| {
        let fields = shown_fields(it);
        it.before.is_some()
            && it.after.is_some()
            && !fields.is_empty()
            && fields.iter().all(|it| matches!(it, Field::Blocks | Field::BlockedBy))
    };
    let main: Vec<&Change> = event.changes.iter().filter(|it| !edges(it)).collect();
    if main.is_empty() { event.changes.iter().collect() } else { main }
}

/// A claim over another's: by force, or because that one was not heard of any more.
fn claimed(task: &str, before: Option<&Claim>) -> String {
    let over = before.map(|it| format!(", taken over from {}", visible(&it.by.agent)));
    format!("claimed {task}{}", over.unwrap_or_default())
}

fn sentence(event: &Event, change: &Change) -> String {
    let name = |task: &Task| format!("#{} {}", visible(task.id.as_str()), visible(&task.subject));
    match (&change.before, &change.after) {
        (None, Some(after)) if event.undoes.is_some() => format!("brought back {}", name(&after.task)),
        (None, Some(after)) => format!("created {}", name(&after.task)),
        (Some(before), None) => format!("removed {}", name(&before.task)),
        (Some(before), Some(after)) => {
            let (was, is) = (&before.standing, &after.standing);
            let verb = if after.task.status == Status::Completed && before.task.is_open() {
                "completed".to_owned()
            } else if is.parked && !was.parked {
                "parked".to_owned()
            } else if is.claim.is_some() && is.fence != was.fence {
                return claimed(&name(&after.task), was.claim.as_deref());
            } else if was.claim.is_some() && is.claim.is_none() && event.undoes.is_none() {
                "gave back".to_owned()
            } else if before.task.status == Status::Completed && after.task.is_open() {
                "reopened".to_owned()
            } else {
                let fields: Vec<&str> = shown_fields(change).into_iter().map(Field::name).collect();
                format!(
                    "changed {} of",
                    if fields.is_empty() { "the lease".to_owned() } else { fields.join(", ") }
                )
            };
            format!("{verb} {}", name(&after.task))
        }
        (None, None) => String::new(),
    }
}
