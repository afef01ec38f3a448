//! A task and its standing as plain JSON: the form in the journal, in exports and behind `--json`.
//! Not a format on disk: those have pages of their own.

use crate::{
    claim::{Actor, Claim, Entry, Evidence, Standing},
    event::{Cut, Event, Origin},
    id::TaskId,
    json::{Json, Members, Node, Object, Value},
    rules::{Change, PlanNote},
    task::{Field, Priority, Status, Task},
    time::Time,
};
use std::sync::Arc;

/// Tells one field of a task; nothing if it is empty and may be left out.
fn tell_field(task: &Task, field: Field, tell: &mut dyn FnMut(Value<'_>)) {
    let mut some = |text: Option<&str>| text.into_iter().for_each(|it| tell(Value::Text(it)));
    match field {
        Field::Subject => some(Some(&task.subject)),
        Field::Description => some(Some(&task.description)),
        Field::ActiveForm => some(task.active_form.as_deref()),
        Field::Owner => some(task.owner.as_deref()),
        Field::Status => some(Some(task.status.name())),
        Field::Blocks => tell(Value::Texts(&mut task.blocks.iter().map(TaskId::as_str))),
        Field::BlockedBy => tell(Value::Texts(&mut task.blocked_by.iter().map(TaskId::as_str))),
        Field::Metadata if task.metadata.is_empty() => {}
        Field::Metadata => tell(Value::Object(&task.metadata)),
        Field::Priority => some(task.priority.map(Priority::name)),
        Field::Tags if task.tags.is_empty() => {}
        Field::Tags => tell(Value::Texts(&mut task.tags.iter().map(String::as_str))),
        Field::Parent => some(task.parent.as_ref().map(TaskId::as_str)),
        Field::ImportedFrom => some(task.imported_from.as_deref()),
        Field::CreatedAt => some(task.created_at.map(|it| it.to_string()).as_deref()),
        Field::UpdatedAt => some(task.updated_at.map(|it| it.to_string()).as_deref()),
    }
}

/// One field of a task as JSON; `None` if it is empty and may be left out.
pub fn field_to_json(task: &Task, field: Field) -> Option<Json> {
    let mut json = None;
    tell_field(task, field, &mut |it| json = Some(it.into_json()));
    json
}

/// Sets one field of a task from JSON; `None` empties it.
pub fn field_from_json<V: Node>(task: &mut Task, field: Field, value: Option<&V>) -> Option<()> {
    let word = || value.and_then(V::text);
    let ids = || value.map(|it| it.each(TaskId::found)).unwrap_or_default();
    match field {
        Field::Status => task.status = Status::named(word()?)?,
        Field::Blocks => task.blocks = ids(),
        Field::BlockedBy => task.blocked_by = ids(),
        Field::Priority => task.priority = word().and_then(Priority::named),
        Field::Tags => task.tags = value.map(|it| it.each(str::to_owned)).unwrap_or_default(),
        Field::Parent => task.parent = word().map(TaskId::found),
        Field::CreatedAt => task.created_at = word().and_then(Time::parse),
        Field::UpdatedAt => task.updated_at = word().and_then(Time::parse),
        Field::Subject => task.subject = word().map(str::to_owned)?,
        Field::Description => task.description = word().map(str::to_owned)?,
        Field::ActiveForm => task.active_form = word().map(str::to_owned),
        Field::Owner => task.owner = word().map(str::to_owned),
        Field::ImportedFrom => task.imported_from = word().map(str::to_owned),
        Field::Metadata => task.metadata = value.and_then(V::to_object).unwrap_or_default(),
    }
    Some(())
}

/// Tells a task, member by member.
pub fn tell_task(task: &Task, members: &mut dyn Members) {
    members.put("id", Value::Text(task.id.as_str()));
    for field in Field::ALL {
        tell_field(task, field, &mut |it| members.put(field.name(), it));
    }
}

/// A task as JSON.
pub fn task_to_json(task: &Task) -> Object {
    let mut object = Object::new();
    tell_task(task, &mut object);
    object
}

/// A task from JSON; none if something that every task has is missing.
pub fn task_from_json(value: &impl Node) -> Option<Task> {
    let mut task = Task::new(TaskId::found(value.get("id")?.text()?), "");
    for field in Field::ALL {
        field_from_json(&mut task, field, value.get(field.name()))?;
    }
    Some(task)
}

/// A standing as JSON.
pub(crate) fn standing_to_json(standing: &Standing) -> Object {
    let mut object = Object::new().with("fence", standing.fence);
    object.set_some("claim", standing.claim.as_deref().map(claim_to_json));
    if standing.lost > 0 {
        object.set("lost", u64::from(standing.lost));
    }
    if standing.failed > 0 {
        object.set("failed", u64::from(standing.failed));
    }
    object.set_some("evidence", standing.evidence.as_deref().map(evidence_to_json));
    if standing.parked {
        object.set("parked", true);
    }
    object
}

/// A standing from JSON.
pub(crate) fn standing_from_json(value: &impl Node) -> Option<Standing> {
    let claim = match value.get("claim") {
        None => None,
        Some(claim) => Some(Box::new(claim_from_json(claim)?)),
    };
    let count = |key: &str| value.get(key).and_then(Node::natural).and_then(|it| u32::try_from(it).ok());
    Some(Standing {
        fence: value.get("fence")?.natural()?,
        claim,
        lost: count("lost").unwrap_or(0),
        failed: count("failed").unwrap_or(0),
        parked: value.get("parked").is_some_and(Node::is_true),
        evidence: value.get("evidence").and_then(evidence_from_json).map(Box::new),
    })
}

/// What was run for a task as JSON.
pub fn evidence_to_json(evidence: &Evidence) -> Object {
    let mut object = Object::new().with("command", evidence.command.as_str());
    object.set_some("exit", evidence.exit.map(i64::from));
    object.set("milliseconds", evidence.milliseconds);
    object.set_some("commit", evidence.commit.as_deref());
    object
}

fn evidence_from_json(value: &impl Node) -> Option<Evidence> {
    let text = |key: &str| value.get(key).and_then(Node::text).map(str::to_owned);
    Some(Evidence {
        command: text("command")?,
        exit: value.get("exit").and_then(Node::integer).and_then(|it| i32::try_from(it).ok()),
        milliseconds: value.get("milliseconds").and_then(Node::natural).unwrap_or(0),
        commit: text("commit"),
    })
}

fn claim_to_json(claim: &Claim) -> Object {
    Object::new()
        .with("token", claim.token)
        .with("agent", claim.by.agent.as_str())
        .with("session", claim.by.session.as_str())
        .with("since", claim.since.0)
        .with("lease", claim.lease)
}

fn claim_from_json(value: &impl Node) -> Option<Claim> {
    let text = |key: &str| value.get(key).and_then(Node::text);
    Some(Claim {
        token: value.get("token")?.natural()?,
        by: Actor::new(text("agent")?, text("session")?),
        since: Time(value.get("since")?.integer()?),
        lease: value.get("lease")?.integer()?,
    })
}

/// A task with its standing as JSON.
pub fn entry_to_json(entry: &Entry) -> Object {
    let standing = standing_to_json(&entry.standing);
    Object::new().with("task", task_to_json(&entry.task)).with("standing", standing)
}

/// A task with its standing from JSON.
pub fn entry_from_json(value: &impl Node) -> Option<Entry> {
    let task = task_from_json(value.get("task")?)?;
    Some(Entry { task, standing: standing_from_json(value.get("standing")?)? })
}

/// What is left of old events as JSON.
pub fn cut_to_json(cut: &Cut) -> Object {
    Object::new()
        .with("events", cut.events)
        .with("first", cut.first.to_string())
        .with("last", cut.last.to_string())
        .with("made", cut.made)
        .with("completed", cut.completed)
        .with("removed", cut.removed)
}

/// What is left of old events from JSON.
pub fn cut_from_json(value: &impl Node) -> Option<Cut> {
    let number = |key: &str| value.get(key).and_then(Node::natural);
    let time = |key: &str| value.get(key).and_then(Node::text).and_then(Time::parse);
    Some(Cut {
        events: number("events")?,
        first: time("first")?,
        last: time("last")?,
        made: number("made")?,
        completed: number("completed")?,
        removed: number("removed")?,
    })
}

/// What a plan made as JSON.
pub fn plan_to_json(plan: &PlanNote) -> Object {
    let names = plan.names.iter().map(|(name, id)| Json::strings([name.as_str(), id.as_str()])).collect();
    let mut object = Object::new().with("names", Json::Array(names));
    object.set_some("key", plan.key.as_deref());
    object
}

/// What a plan made from JSON.
pub fn plan_from_json(value: &impl Node) -> Option<PlanNote> {
    let names = value.get("names")?.items()?.iter().map(|pair| match pair.items()? {
        [name, id] => Some((name.text()?.to_owned(), TaskId::found(id.text()?))),
        _ => None,
    });
    let names = names.collect::<Option<_>>()?;
    Some(PlanNote { key: value.get("key").and_then(Node::text).map(str::to_owned), names })
}

/// An event as JSON, with all that it changed.
pub fn event_to_json(event: &Event) -> Object {
    let changes = event.changes.iter().map(|it| {
        let mut object = Object::new().with("id", it.id.as_str());
        object.set_some("before", it.before.as_deref().map(entry_to_json));
        object.set_some("after", it.after.as_deref().map(entry_to_json));
        Json::Object(object)
    });
    let mut object = Object::new()
        .with("seq", event.seq)
        .with("at", event.at.0)
        .with("agent", event.actor.agent.as_str())
        .with("session", event.actor.session.as_str())
        .with("command", event.command.as_str())
        .with("origin", event.origin.name())
        .with("changes", Json::Array(changes.collect()))
        .with("freed", Json::strings(&event.freed));
    object.set_some("plan", event.plan.as_ref().map(plan_to_json));
    object.set_some("reason", event.reason.as_deref());
    object.set_some("undoes", event.undoes);
    object
}

/// An event from JSON.
pub fn event_from_json(value: &impl Node) -> Option<Event> {
    let text = |key: &str| value.get(key).and_then(Node::text);
    let changes = value.get("changes")?.items()?.iter().map(change_from_json);
    let freed = value.get("freed")?.each(TaskId::found);
    Some(Event {
        seq: value.get("seq")?.natural()?,
        at: Time(value.get("at")?.integer()?),
        actor: Actor::new(text("agent")?, text("session")?),
        command: text("command")?.to_owned(),
        origin: Origin::named(text("origin")?)?,
        changes: changes.collect::<Option<_>>()?,
        freed,
        plan: value.get("plan").and_then(plan_from_json),
        reason: text("reason").map(str::to_owned),
        undoes: value.get("undoes").and_then(Node::natural),
    })
}

fn change_from_json(value: &impl Node) -> Option<Change> {
    let entry = |key: &str| -> Option<Option<Arc<Entry>>> {
        match value.get(key) {
            None => Some(None),
            Some(entry) => entry_from_json(entry).map(|it| Some(Arc::new(it))),
        }
    };
    let id = TaskId::found(value.get("id")?.text()?);
    Some(Change { id, before: entry("before")?, after: entry("after")? })
}
