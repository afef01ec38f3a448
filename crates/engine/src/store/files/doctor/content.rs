//! What the task files say: unreadable, said twice, said by two. Not what tasks say of each other.

use super::{
    super::text::{TWICE, Text, limit},
    Diff, Finding, Mend, Severity,
    facts::Facts,
};
use crate::{
    format::Put,
    id::TaskId,
    json::{Json, parse, repeated_keys},
    task::Task,
    vfs::Kind,
};
use std::collections::{BTreeMap, HashMap};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    for (name, stat) in facts.stats.iter().filter(|(_, it)| it.kind != Kind::File) {
        let what = match stat.kind {
            Kind::Directory => "is a directory",
            Kind::Link => "is a symbolic link, which is not followed",
            Kind::File | Kind::Other => "is not a regular file",
        };
        let advice = "put a regular file in its place, or move it away";
        found.push(Finding::new("not_a_file", Severity::Fault, what).at(name).advise(advice));
    }
    for (name, text) in &facts.texts {
        unreadable(facts, name, text, found);
        repeated(name, text, found);
    }
    ids(facts, found);
}

fn unreadable(facts: &Facts<'_>, name: &str, text: &Text, found: &mut Vec<Finding>) {
    let blank = text.blank && facts.known.values().any(|it| it.after.is_some());
    let broken = text.broken.clone().or(blank.then(|| "the file is empty".to_owned()));
    let twice = |reason: &str| reason.starts_with(TWICE);
    let (code, reason) = match (broken, text.bad.iter().find(|(_, it)| !twice(it))) {
        (Some(reason), _) if text.whole.is_none() && is_large(facts, name) => ("too_large", reason),
        (Some(reason), _) => ("unreadable", reason),
        (None, Some((_, reason))) if text.bad.len() > 1 => {
            ("unreadable", format!("{reason}, and {} more faults", text.bad.len() - 1))
        }
        (None, Some((_, reason))) => ("unreadable", reason.clone()),
        (None, None) => return,
    };
    let line = line_in(&reason);
    let mend = (code == "unreadable").then(|| restored(facts, name, text)).flatten();
    let advice = if mend.is_some() { RESTORE } else { BY_HAND };
    found.push(Finding::new(code, Severity::Fault, reason).at(name).line(line).advise(advice).mend(mend));
}

const RESTORE: &str = "the last good state is in the journal and is shown meanwhile";
const BY_HAND: &str = "the journal does not know it: put it right by hand, or move it away";

fn is_large(facts: &Facts<'_>, name: &str) -> bool {
    facts.stats.get(name).is_some_and(|it| it.length > limit(facts.files.format))
}

/// The line that a fault names.
fn line_in(reason: &str) -> Option<usize> {
    let (_, rest) = reason.rsplit_once(" at line ")?;
    rest.split(',').next()?.parse().ok()
}

/// The journal's last good states in the place of what cannot be read.
fn restored(facts: &Facts<'_>, name: &str, text: &Text) -> Option<Mend> {
    let whole = text.broken.is_some() || text.blank;
    let alive = facts.expected.get(name).into_iter().flatten();
    let lost = alive.filter(|id| whole || text.own(id).is_none() && text.fault(id).is_some());
    let mut tasks: Vec<&Task> =
        lost.filter_map(|id| Some(&facts.known.get(id)?.after.as_ref()?.task)).collect();
    if tasks.is_empty() {
        return None;
    }
    tasks.sort_unstable_by(|left, right| (left.created_at, &left.id).cmp(&(right.created_at, &right.id)));
    let puts: Vec<Put<'_>> = tasks.iter().copied().map(Put::Task).collect();
    let after = facts.encoded(text.whole.as_deref().filter(|_| !whole), &puts)?;
    let named: Vec<&str> = tasks.iter().take(5).map(|it| it.id.as_str()).collect();
    let more = if tasks.len() > named.len() { " …" } else { "" };
    let what = format!("restore {}{more} from the journal; the old bytes are kept", named.join(", "));
    let before = match &text.whole {
        Some(text) => text.clone(),
        None => String::from_utf8_lossy(&facts.files.vfs.read(name, u64::MAX).ok()?).into_owned(),
    };
    Some(Mend::bytes(what, Diff { file: name.to_owned(), before: Some(before), after: Some(after) }))
}

fn repeated(name: &str, text: &Text, found: &mut Vec<Finding>) {
    let Some(whole) = text.whole.as_deref().filter(|_| text.broken.is_none()) else { return };
    for (key, line) in repeated_keys(whole) {
        let message = format!("the key {key:?} stands twice in one object; the last one counts");
        let finding = Finding::new("repeated_key", Severity::Warning, message).at(name).line(Some(line));
        found.push(finding.advise("take the other one out"));
    }
}

/// Ids that are claimed twice, and files whose name and id differ.
fn ids(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    for (name, text) in &facts.texts {
        for (id, reason) in text.bad.iter().filter(|(_, it)| it.starts_with(TWICE)) {
            let finding = Finding::new("duplicate_id", Severity::Fault, reason.clone()).at(name);
            let finding = id.iter().fold(finding, Finding::about);
            found.push(finding.advise("give one of them another id"));
        }
    }
    if facts.files.format.shape().single_file.is_some() {
        return;
    }
    let mut claimed: BTreeMap<String, Vec<(&String, &TaskId)>> = BTreeMap::new();
    for (name, own) in facts.own() {
        let inner = facts.texts.get(name).and_then(|it| inner_id(it.whole.as_deref()?));
        claimed.entry(inner.unwrap_or_else(|| own.id.to_string())).or_default().push((name, &own.id));
    }
    let by_name: HashMap<&str, &String> = facts.own().map(|(name, own)| (own.id.as_str(), name)).collect();
    for (inner, files) in &claimed {
        for (name, id) in files.iter().filter(|(_, id)| id.as_str() != inner) {
            let other = by_name.get(inner.as_str()).copied();
            let other = other.or_else(|| files.iter().map(|(it, _)| *it).find(|it| it != name));
            found.push(mismatch(name, id, inner, other));
        }
    }
}

fn mismatch(name: &str, id: &TaskId, inner: &str, other: Option<&String>) -> Finding {
    let finding = match other {
        Some(other) => {
            let message = format!("calls itself {inner:?}, as {other} does; here it is task {id}");
            Finding::new("duplicate_id", Severity::Fault, message)
        }
        None => {
            let message = format!("calls itself {inner:?}; by its name it is task {id}");
            Finding::new("id_mismatch", Severity::Warning, message)
        }
    };
    finding.at(name).about(id).advise("make the id in the file and the name of the file agree")
}

/// The id that a text gives itself.
fn inner_id(text: &str) -> Option<String> {
    match parse(text).ok()?.as_object()?.get("id")? {
        Json::String(id) | Json::Number(id) => Some(id.clone()),
        _ => None,
    }
}
