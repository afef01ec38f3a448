//! What the lines of the journal say: one line for an event, then one for each task it touched, whole again.
//! Any such line alone tells the last state of its task; so the index needs to remember only where it stands.

use super::line;
use crate::{
    claim::{Actor, Entry},
    event::{Cut, Event, Origin},
    id::TaskId,
    json::{Json, Node, Object, Style, lent, write},
    portable::{
        cut_from_json, cut_to_json, entry_from_json, entry_to_json, field_from_json, field_to_json,
        plan_from_json, plan_to_json, standing_from_json, standing_to_json,
    },
    rules::{Change, PlanNote},
    task::{Field, Task},
    time::Time,
};
use std::{borrow::Cow, sync::Arc};

/// The version of everything beneath `.worklist/`. Whoever raises it gives the index another mark, too: a process that runs
/// on finds the journal's new head by that. The frame of the first line and this key of it stay for ever.
pub(super) const VERSION: u64 = 1;

/// How the text of an event ends that did not begin a flush.
const JOINED: &str = r#","joined":true}"#;

/// The version of a journal that begins with these bytes, if it is another than ours.
pub(super) fn other_version(bytes: &[u8]) -> Option<String> {
    let head = lent(line::take(bytes)?.text).ok()?;
    let version = head.get("worklist")?;
    (version.natural() != Some(VERSION)).then(|| write(&version.to_json(), Style::COMPACT, ""))
}

/// The first line of a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) format: String,
    pub(super) seq: u64,
    pub(super) token: u64,
    pub(super) highest: u64,
    pub(super) plans: Vec<PlanNote>,
    /// What compaction cut away so far.
    pub(super) cut: Option<Cut>,
}

/// What became of one task: its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Touch {
    pub(super) id: TaskId,
    pub(super) at: Time,
    pub(super) before: Option<Arc<Entry>>,
    pub(super) after: Option<Arc<Entry>>,
    /// What its bytes in the file were taken to be, and what they are now.
    pub(super) base: Option<u128>,
    pub(super) hash: Option<u128>,
    /// The neighbours whose edge to this task stands only in their own files.
    pub(super) implied: Vec<TaskId>,
    /// What our own writes of the last moments replaced, newest first.
    pub(super) recent: Vec<Recent>,
}

/// Fields that a write of ours replaced, with the values that they had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Recent {
    pub(super) at: Time,
    pub(super) fields: Vec<Field>,
    pub(super) was: Task,
}

/// Where a line stands in the past of its task. Nothing that happened: it is worked out when the line is written, so that
/// the past of one task can be walked back without reading that of all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Past {
    /// How many changes there were, up to and with this one.
    pub(super) changes: u64,
    /// When the first was.
    pub(super) first: Option<Time>,
    /// Where the event stands that it belongs to; none for a state that compaction kept.
    pub(super) event: Option<u64>,
    /// Where the task's line before this one stands.
    pub(super) prior: Option<u64>,
}

/// One line, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Record {
    Head(Head),
    /// An event and how many touches follow it.
    Event(Box<Event>, usize),
    Touch(Box<Touch>),
}

impl Record {
    pub(super) fn text(&self) -> String {
        let object = match self {
            Record::Head(head) => head_to_json(head),
            Record::Event(event, touches) => event_to_json(event, *touches),
            Record::Touch(touch) => touch_to_json(touch),
        };
        write(&Json::Object(object), Style::COMPACT, "")
    }

    /// The same, with its place in the past of its task if it is a touch.
    pub(super) fn text_with(&self, past: &Past) -> String {
        let Record::Touch(touch) = self else { return self.text() };
        write(&Json::Object(touch_to_json(touch).with("past", past_to_json(past))), Style::COMPACT, "")
    }

    /// An event without what it planned, which may be as long as the list, and what stands behind that.
    pub(super) fn event_alone(text: &str) -> Option<Event> {
        // Within a string the quotes would be escaped, and before this key there is no object.
        let text = match text.find(r#","plan":"#) {
            Some(at) => Cow::Owned(format!("{}}}", &text[..at])),
            None => Cow::Borrowed(text),
        };
        event_from_json(&lent(&text).ok()?).map(|(event, _)| event)
    }

    pub(super) fn read(text: &str) -> Option<Record> {
        let value = &lent(text).ok()?;
        if value.get("worklist").is_some() {
            return head_from_json(value).map(Record::Head);
        }
        if value.get("seq").is_some() {
            return event_from_json(value).map(|(event, touches)| Record::Event(Box::new(event), touches));
        }
        touch_from_json(value).map(|it| Record::Touch(Box::new(it)))
    }
}

/// The text of an event that is flushed together with what stands before it.
pub(super) fn joined(mut text: String) -> String {
    text.truncate(text.len() - 1);
    text + JOINED
}

/// Whether an event was.
pub(super) fn is_joined(text: &str) -> bool {
    text.ends_with(JOINED)
}

fn head_to_json(head: &Head) -> Object {
    let plans = head.plans.iter().map(|it| Json::Object(plan_to_json(it))).collect();
    let mut object = Object::new()
        .with("worklist", VERSION)
        .with("format", head.format.as_str())
        .with("from", head.seq)
        .with("token", head.token)
        .with("highest", head.highest)
        .with("plans", Json::Array(plans));
    object.set_some("cut", head.cut.as_ref().map(cut_to_json));
    object
}

fn head_from_json(value: &impl Node) -> Option<Head> {
    let plans = value.get("plans")?.items()?.iter();
    Some(Head {
        format: value.get("format")?.text()?.to_owned(),
        seq: value.get("from")?.natural()?,
        token: value.get("token")?.natural()?,
        highest: value.get("highest")?.natural()?,
        plans: plans.filter_map(plan_from_json).collect(),
        cut: value.get("cut").and_then(cut_from_json),
    })
}

fn event_to_json(event: &Event, touches: usize) -> Object {
    let mut object = Object::new()
        .with("seq", event.seq)
        .with("touches", touches)
        .with("at", event.at.to_string())
        .with("agent", event.actor.agent.as_str())
        .with("session", event.actor.session.as_str())
        .with("command", event.command.as_str())
        .with("origin", event.origin.name());
    if !event.freed.is_empty() {
        object.set("freed", Json::strings(&event.freed));
    }
    object.set_some("plan", event.plan.as_ref().map(plan_to_json));
    object.set_some("reason", event.reason.as_deref());
    object.set_some("undoes", event.undoes);
    object
}

fn event_from_json(value: &impl Node) -> Option<(Event, usize)> {
    let text = |key: &str| value.get(key).and_then(Node::text);
    let event = Event {
        seq: value.get("seq")?.natural()?,
        at: Time::parse(text("at")?)?,
        actor: Actor::new(text("agent")?, text("session")?),
        command: text("command")?.to_owned(),
        origin: Origin::named(text("origin")?)?,
        changes: Vec::new(),
        freed: value.get("freed").map(ids).unwrap_or_default(),
        plan: value.get("plan").and_then(plan_from_json),
        reason: text("reason").map(str::to_owned),
        undoes: value.get("undoes").and_then(Node::natural),
    };
    Some((event, usize::try_from(value.get("touches")?.natural()?).ok()?))
}

/// The state after the touch in full; of the state before only what was different.
fn touch_to_json(touch: &Touch) -> Object {
    let mut object = Object::new().with("touch", touch.id.as_str()).with("at", touch.at.to_string());
    match (&touch.before, &touch.after) {
        (before, None) => object.set_some("before", before.as_deref().map(entry_to_json)),
        (before, Some(after)) => {
            object.set("after", entry_to_json(after));
            object.set_some("was", before.as_ref().map(|before| was_to_json(before, after)));
        }
    }
    object.set_some("base", touch.base.map(|it| format!("{it:032x}")));
    object.set_some("hash", touch.hash.map(|it| format!("{it:032x}")));
    if !touch.implied.is_empty() {
        object.set("implied", Json::strings(&touch.implied));
    }
    if !touch.recent.is_empty() {
        object.set("recent", Json::Array(touch.recent.iter().map(|it| recent_to_json(it).into()).collect()));
    }
    object
}

/// A touch, and where it stands in the past of its task; none of that in lines that older versions wrote.
pub(super) fn touch_and_past(text: &str) -> Option<(Touch, Option<Past>)> {
    let value = &lent(text).ok()?;
    Some((touch_from_json(value)?, value.get("past").and_then(past_from_json)))
}

fn past_to_json(past: &Past) -> Object {
    let mut object = Object::new().with("changes", past.changes);
    object.set_some("first", past.first.map(|it| it.0));
    object.set_some("event", past.event);
    object.set_some("prior", past.prior);
    object
}

fn past_from_json(value: &impl Node) -> Option<Past> {
    let number = |key: &str| value.get(key).and_then(Node::natural);
    Some(Past {
        changes: number("changes")?,
        first: value.get("first").and_then(Node::integer).map(Time),
        event: number("event"),
        prior: number("prior"),
    })
}

fn touch_from_json(value: &impl Node) -> Option<Touch> {
    let after = match value.get("after").filter(|it| it.is_some()) {
        Some(entry) => Some(Arc::new(entry_from_json(entry)?)),
        None => None,
    };
    let before = match (value.get("was"), &after) {
        (Some(was), Some(after)) => Some(Arc::new(was_from_json(was, after)?)),
        _ => value.get("before").and_then(entry_from_json).map(Arc::new),
    };
    let hash =
        |key: &str| value.get(key).and_then(Node::text).and_then(|it| u128::from_str_radix(it, 16).ok());
    let task = after.as_ref().map(|it| &it.task);
    let recent = value.get("recent").and_then(Node::items).unwrap_or_default();
    Some(Touch {
        id: TaskId::found(value.get("touch")?.text()?),
        at: Time::parse(value.get("at")?.text()?)?,
        base: hash("base"),
        hash: hash("hash"),
        implied: value.get("implied").map(ids).unwrap_or_default(),
        recent: recent.iter().filter_map(|it| recent_from_json(it, task?)).collect(),
        before,
        after,
    })
}

fn ids(value: &impl Node) -> Vec<TaskId> {
    value.each(TaskId::found)
}

fn was_to_json(before: &Entry, after: &Entry) -> Object {
    let mut object = fields_to_json(&before.task.difference(&after.task), &before.task);
    if before.standing != after.standing {
        object.set("standing", standing_to_json(&before.standing));
    }
    object
}

fn was_from_json(was: &impl Node, after: &Entry) -> Option<Entry> {
    let mut before = after.clone();
    fields_from_json(was, &mut before.task);
    if let Some(standing) = was.get("standing") {
        before.standing = standing_from_json(standing)?;
    }
    Some(before)
}

fn recent_to_json(recent: &Recent) -> Object {
    let was = fields_to_json(&recent.fields, &recent.was);
    Object::new().with("at", recent.at.0).with("was", was)
}

fn recent_from_json(value: &impl Node, task: &Task) -> Option<Recent> {
    let mut was = task.clone();
    let fields = fields_from_json(value.get("was")?, &mut was);
    Some(Recent { at: Time(value.get("at")?.integer()?), fields, was })
}

/// Some fields of a task; what is empty is spelled out as null.
fn fields_to_json(fields: &[Field], task: &Task) -> Object {
    let member = |field: &Field| (field.name().to_owned(), field_to_json(task, *field).unwrap_or(Json::Null));
    fields.iter().map(member).collect()
}

fn fields_from_json(value: &impl Node, task: &mut Task) -> Vec<Field> {
    let there = Field::ALL.into_iter().filter(|field| value.get(field.name()).is_some());
    there
        .inspect(|field| {
            _ = field_from_json(task, *field, value.get(field.name()).filter(|it| it.is_some()));
        })
        .collect()
}

impl Touch {
    /// One after the other, as one.
    pub(super) fn go_on(&mut self, later: Touch) {
        let earlier = std::mem::replace(self, later);
        (self.before, self.base) = (earlier.before, earlier.base);
    }

    /// Whether it tells of a change, and not only of a file that was written anew.
    pub(super) fn is_change(&self) -> bool {
        self.before != self.after
    }

    /// The change that it tells of; none if only the file was written anew.
    pub(super) fn change(self) -> Option<Change> {
        let change = Change { id: self.id, before: self.before, after: self.after };
        (change.before != change.after).then_some(change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{claim::Claim, task::Status};

    #[test]
    fn records_survive_the_way_to_disk_and_back() {
        let mut before = Entry::new(Task::new(TaskId::from(7), "subject"));
        before.task.tags = vec!["a".into()];
        before.task.created_at = Some(Time(1_770_000_000_000));
        let mut after = before.clone();
        after.task.status = Status::InProgress;
        after.task.owner = Some("ann".into());
        after.task.metadata.set("n", Json::Number("1.0".into()));
        let by = Actor::new("ann", "s1");
        after.standing.claim =
            Some(Box::new(Claim { token: 9, by: by.clone(), since: Time(5), lease: 60_000 }));
        after.standing.fence = 9;
        let recent =
            Recent { at: Time(6), fields: before.task.difference(&after.task), was: before.task.clone() };
        let (before, after) = (Arc::new(before), Arc::new(after));
        for (before, after) in [
            (Some(before.clone()), Some(after.clone())),
            (None, Some(after.clone())),
            (Some(before.clone()), None),
            (Some(after.clone()), Some(after.clone())),
        ] {
            let recent = if after.is_some() { vec![recent.clone()] } else { vec![] };
            let touch = Touch {
                id: TaskId::from(7),
                at: Time(1_770_000_000_123),
                before,
                after,
                base: Some(1),
                hash: Some(u128::MAX),
                implied: vec![TaskId::from(3)],
                recent,
            };
            let record = Record::Touch(Box::new(touch));
            let Some(Record::Touch(mut back)) = Record::read(&record.text()) else { panic!() };
            let Record::Touch(mut sent) = record else { panic!() };
            // Only the fields that were replaced are kept of a recent write.
            assert_eq!(sent.recent.first().map(|it| &it.fields), back.recent.first().map(|it| &it.fields));
            sent.recent.clear();
            back.recent.clear();
            assert_eq!(sent, back);
        }
        let event = Event {
            seq: 3,
            at: Time(1_770_000_000_123),
            actor: by,
            command: "plan".into(),
            origin: Origin::Foreign,
            changes: vec![],
            freed: vec![TaskId::from(8)],
            plan: Some(PlanNote { key: Some("k".into()), names: vec![("a".into(), TaskId::from(1))] }),
            reason: Some("why".into()),
            undoes: Some(2),
        };
        let plans = event.plan.clone().into_iter().collect();
        let cut = Cut { events: 5, first: Time(1), last: Time(2), made: 3, completed: 2, removed: 1 };
        let head = Head { format: "claude".into(), seq: 1, token: 2, highest: 3, plans, cut: Some(cut) };
        for record in [Record::Event(Box::new(event), 4), Record::Head(head)] {
            assert_eq!(Record::read(&record.text()), Some(record));
        }
    }
}
