//! A task as one line for people and as an object for scripts.

use super::{
    paint::{BUSY, FAINT, NAME, PLAIN, TAG, WAITS, WRONG, of_state, paint},
    visible::visible,
    width::{cut, width},
};
use anstyle::Style;
use worklist::{
    Priority, State, TaskId, TaskView,
    json::{Json, Members, Object, Value},
    portable::{evidence_to_json, tell_task},
    time::Time,
};

/// A subject is not cut shorter than this for the sake of what follows it.
const SHORTEST: usize = 16;

/// Tells a task, with what follows from the rest of the list, member by member.
pub(super) fn tell_view(view: &TaskView, members: &mut dyn Members) {
    tell_task(&view.task, members);
    members.put("state", Value::Text(view.state.name()));
    members.put("openBlockers", Value::Texts(&mut view.open_blockers.iter().map(TaskId::as_str)));
    if view.parked {
        members.put("parked", Value::Bool(true));
    }
    if view.failed > 0 {
        members.put("failed", Value::Number(view.failed.into()));
    }
    if let Some(evidence) = &view.evidence {
        members.put("evidence", Value::Object(&evidence_to_json(evidence)));
    }
    if let Some(claim) = &view.claim {
        let mut object = Object::new()
            .with("token", claim.token)
            .with("agent", claim.by.agent.as_str())
            .with("session", claim.by.session.as_str());
        object.set_some("expires", view.until.map(|it| it.to_string()));
        members.put("claim", Value::Object(&object));
    }
}

/// A task as JSON, with what follows from the rest of the list.
pub(crate) fn task_json(view: &TaskView) -> Object {
    let mut object = Object::new();
    tell_view(view, &mut object);
    object
}

/// Tasks as JSON.
pub(crate) fn tasks_json<'a>(views: impl IntoIterator<Item = &'a TaskView>) -> Json {
    Json::Array(views.into_iter().map(|it| Json::Object(task_json(it))).collect())
}

/// One line about a task, as wide as it needs to be.
pub(crate) fn line(view: &TaskView) -> String {
    Row::of(view).line(0, usize::MAX)
}

/// `#1, #2`
pub(crate) fn ids<'a>(ids: impl IntoIterator<Item = &'a TaskId>) -> String {
    let ids: Vec<String> = ids.into_iter().map(|it| format!("#{}", visible(it.as_str()))).collect();
    ids.join(", ")
}

/// The parts of a line about a task.
pub(crate) struct Row {
    mark: &'static str,
    style: Style,
    /// With its `#`.
    pub(crate) id: String,
    subject: String,
    notes: Vec<(String, Style)>,
}

impl Row {
    pub(crate) fn of(view: &TaskView) -> Row {
        let task = &view.task;
        let mut notes = Vec::new();
        if let (State::InProgress, Some(form)) = (view.state, &task.active_form) {
            notes.push((format!("({})", visible(form)), BUSY));
        }
        notes.extend(task.owner.as_ref().map(|it| (format!("@{}", visible(it)), NAME)));
        if !view.open_blockers.is_empty() && view.state != State::Completed {
            notes.push((format!("blocked by {}", ids(&view.open_blockers)), WAITS));
        }
        match task.priority {
            Some(Priority::High) => notes.push(("!high".to_owned(), WRONG)),
            Some(Priority::Low) => notes.push(("!low".to_owned(), FAINT)),
            Some(Priority::Medium) | None => {}
        }
        notes.extend(task.tags.iter().map(|it| (format!("+{}", visible(it)), TAG)));
        if view.parked {
            notes.push(("parked".to_owned(), WRONG));
        }
        Row {
            mark: view.task.status.mark(),
            style: of_state(view.state),
            id: format!("#{}", visible(task.id.as_str())),
            subject: visible(&task.subject),
            notes,
        }
    }

    /// The same with one more note.
    pub(crate) fn with(mut self, note: &str, style: Style) -> Row {
        self.notes.push((note.to_owned(), style));
        self
    }

    /// The line: ids right-aligned in `ids` columns, all of it in at most `limit`.
    pub(crate) fn line(&self, ids: usize, limit: usize) -> String {
        let id = " ".repeat(ids.saturating_sub(width(&self.id))) + &self.id;
        let mut left = limit.saturating_sub(width(self.mark) + width(&id) + 2);
        let wanted: usize = self.notes.iter().map(|(it, _)| width(it) + 2).sum();
        let subject = cut(&self.subject, left.saturating_sub(wanted).max(SHORTEST.min(left)));
        left -= width(&subject).min(left);
        let mut line = format!(
            "{} {} {}",
            paint(self.style, self.mark),
            paint(FAINT, &id),
            paint(self.subject_style(), &subject)
        );
        for (note, style) in &self.notes {
            if left < 6 {
                break;
            }
            let note = cut(note, left - 2);
            left -= width(&note) + 2;
            line += &format!("  {}", paint(*style, &note));
        }
        line
    }

    fn subject_style(&self) -> Style {
        if self.mark == "[x]" { FAINT } else { PLAIN }
    }
}

/// `1 task`, `2 tasks`
pub(crate) fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// `0.4 s`
pub(crate) fn seconds(milliseconds: u64) -> String {
    format!("{}.{} s", milliseconds / 1000, milliseconds % 1000 / 100)
}

/// How long from one moment to another, rounded, in the largest unit that says enough: `40 s`, `12 min`, `3 h`, `5 d`.
pub(crate) fn span(milliseconds: i64) -> String {
    let seconds = milliseconds.max(0) / 1000;
    match seconds {
        0..=99 => format!("{seconds} s"),
        100..=5_999 => format!("{} min", nearest(seconds, 60)),
        6_000..=172_799 => format!("{} h", nearest(seconds, 3600)),
        _ => format!("{} d", nearest(seconds, 86_400)),
    }
}

/// How many units, to the nearest: a lease of two hours is not one of one hour a moment later.
fn nearest(seconds: i64, unit: i64) -> i64 {
    (seconds + unit / 2) / unit
}

/// How long ago something was.
pub(crate) fn ago(then: Time, now: Time) -> String {
    match now.0 - then.0 {
        ..5_000 => "just now".to_owned(),
        past => span(past) + " ago",
    }
}

/// How long a task is held.
pub(crate) fn left(view: &TaskView, now: Time) -> String {
    match (&view.claim, view.until) {
        (Some(_), Some(until)) => format!("{} left", span(until.0 - now.0)),
        (Some(_), None) => "while its process runs".to_owned(),
        (None, _) => "no lease: it was taken by another program".to_owned(),
    }
}

/// Who holds a task, and for how long.
pub(crate) fn held(view: &TaskView, now: Time) -> String {
    let left = left(view, now);
    let owner = view.claim.as_ref().map(|it| it.by.agent.clone()).or_else(|| view.task.owner.clone());
    format!("{}, {left}", visible(owner.as_deref().unwrap_or("somebody")))
}
