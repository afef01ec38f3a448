//! A whole list as lines of JSON and back: a head, every task, every event. The same list gives the same bytes.

use super::Mistake;
use crate::{
    json::{Json, Object, Style, parse, write},
    portable::{
        cut_from_json, cut_to_json, entry_from_json, entry_to_json, event_from_json, event_to_json,
        plan_from_json, plan_to_json,
    },
    store::Whole,
};

/// The version of these lines.
const VERSION: u64 = 1;

/// A list as lines, one JSON object each.
pub fn export(whole: &Whole, format: &str) -> String {
    let plans = whole.plans.iter().map(|it| Json::Object(plan_to_json(it))).collect();
    let mut head = Object::new()
        .with("worklist", "export")
        .with("version", VERSION)
        .with("format", format)
        .with("tasks", whole.entries.len())
        .with("events", whole.events.len())
        .with("from", whole.from)
        .with("highest", whole.highest)
        .with("plans", Json::Array(plans));
    head.set_some("cut", whole.cut.as_ref().map(cut_to_json));
    let entries = whole.entries.iter().map(entry_to_json);
    let events = whole.events.iter().map(|it| Object::new().with("event", event_to_json(it)));
    let objects = std::iter::once(head).chain(entries).chain(events);
    objects.map(|it| write(&Json::Object(it), Style::COMPACT, "") + "\n").collect()
}

/// Whether a text begins as an export does.
pub fn is_export(text: &str) -> bool {
    let first = text.lines().find(|it| !it.trim().is_empty()).and_then(|it| parse(it).ok());
    first.as_ref().and_then(Json::as_object).is_some_and(is_head)
}

fn is_head(object: &Object) -> bool {
    object.get("worklist").and_then(Json::as_str) == Some("export")
}

/// The list that lines tell of, and the format it was in.
pub fn import(text: &str) -> Result<(Whole, String), Mistake> {
    let mut whole = Whole::default();
    let mut head = None;
    let mut last = 0;
    for (n, line) in text.lines().enumerate().filter(|(_, it)| !it.trim().is_empty()) {
        last = n + 1;
        let mistake = |reason: String| Mistake { line: n + 1, reason };
        let value = parse(line).map_err(|it| mistake(it.reason))?;
        let object = value.as_object().ok_or_else(|| mistake("not a JSON object".to_owned()))?;
        let incomplete = || mistake("not what an export writes".to_owned());
        if head.is_none() {
            head = Some(take_head(object, &mut whole).map_err(mistake)?);
        } else if let Some(event) = object.get("event") {
            whole.events.push(event_from_json(event).ok_or_else(incomplete)?);
        } else {
            whole.entries.push(entry_from_json(&value).ok_or_else(incomplete)?);
        }
    }
    let Some(head) = head else {
        return Err(Mistake { line: 1, reason: "there is nothing in it".to_owned() });
    };
    if (whole.entries.len(), whole.events.len()) != (head.tasks, head.events) {
        let reason = format!(
            "it is not whole: {} of {} tasks and {} of {} events are there",
            whole.entries.len(),
            head.tasks,
            whole.events.len(),
            head.events
        );
        return Err(Mistake { line: last, reason });
    }
    Ok((whole, head.format))
}

struct Head {
    format: String,
    tasks: usize,
    events: usize,
}

fn take_head(object: &Object, whole: &mut Whole) -> Result<Head, String> {
    if !is_head(object) {
        return Err("it does not begin as an export of a list".to_owned());
    }
    let number = |key: &str| object.get(key).and_then(Json::as_u64);
    if number("version") != Some(VERSION) {
        return Err("it was written by a newer version of this program".to_owned());
    }
    let missing = |key: &str| format!("`{key}` is missing");
    let count = |key: &str| number(key).and_then(|it| usize::try_from(it).ok()).ok_or_else(|| missing(key));
    whole.from = number("from").ok_or_else(|| missing("from"))?;
    whole.highest = number("highest").ok_or_else(|| missing("highest"))?;
    let plans = object.get("plans").and_then(Json::as_array).unwrap_or_default();
    whole.plans = plans.iter().filter_map(plan_from_json).collect();
    whole.cut = object.get("cut").and_then(cut_from_json);
    let format = object.get("format").and_then(Json::as_str).unwrap_or_default().to_owned();
    Ok(Head { format, tasks: count("tasks")?, events: count("events")? })
}
