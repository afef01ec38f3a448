//! What tasks say of each other: half edges, edges to nowhere, circles. Not whether they should.

use super::{
    super::{
        text::{Own, Text, understand},
        view::View,
    },
    Diff, Finding, How, Mend, Severity,
    facts::Facts,
};
use crate::{
    claim::Actor,
    format::Put,
    graph::Graph,
    id::TaskId,
    rules::{Command, Edit, Request, decide},
    task::{Field, Task},
};

/// So many circles are shown.
const MOST_CIRCLES: usize = 20;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let mut half: Vec<&TaskId> = facts.half.keys().collect();
    half.sort_unstable();
    found.extend(half.into_iter().filter_map(|id| one_sided(facts, id)));
    let view = View::new(facts.files, facts.log.as_ref(), facts.now);
    found.extend(facts.texts.iter().filter_map(|(name, text)| dangling(facts, &view, name, text)));
    circles(facts, found);
}

/// A task whose neighbours know of edges that its own file does not show.
fn one_sided(facts: &Facts<'_>, id: &TaskId) -> Option<Finding> {
    let name = facts.files.format.file_of(id);
    let text = facts.texts.get(&name)?;
    let own = text.own(id)?;
    let after = facts.rewritten(&name, own)?;
    // Where finished blockers are erased, an edge that is left out on purpose stays out.
    let now = understand(facts.files.format, &name, after.clone());
    let now = &now.own(id)?.task;
    if [Field::BlockedBy, Field::Blocks].iter().all(|it| own.task.agrees(now, *it)) {
        return None;
    }
    let new = |now: &[TaskId], old: &[TaskId]| now.iter().filter(|it| !old.contains(it)).cloned().collect();
    let waits: Vec<TaskId> = new(&now.blocked_by, &own.task.blocked_by);
    let blocks: Vec<TaskId> = new(&now.blocks, &own.task.blocks);
    let mut said = Vec::new();
    if !waits.is_empty() {
        said.push(format!("does not say that it waits for {}", listed(&waits)));
    }
    if !blocks.is_empty() {
        said.push(format!("does not say that it blocks {}", listed(&blocks)));
    }
    let message = format!("{}; the other end does", said.join(" and "));
    let diff = Diff { file: name.clone(), before: text.whole.clone(), after: Some(after) };
    let mend = Mend::bytes("write the edge on this end, too", diff);
    let finding = Finding::new("one_sided_edge", Severity::Warning, message).at(&name).about(id);
    Some(finding.advise("it counts all the same; other programs may see only half of it").mend(Some(mend)))
}

/// The tasks of a file that name tasks which are not there. One finding for the file, because a mend writes it once.
fn dangling(facts: &Facts<'_>, view: &View<'_>, name: &str, text: &Text) -> Option<Finding> {
    let lost: Vec<(&Own, Edit)> = text.found.iter().filter_map(|own| Some((own, cut(facts, own)?))).collect();
    let (own, first) = lost.first()?;
    let mut said = Vec::new();
    for (what, ids) in [("waits for", &first.remove_blocked_by), ("blocks", &first.remove_blocks)] {
        if !ids.is_empty() {
            said.push(format!("{what} {}", listed(ids)));
        }
    }
    let more = if lost.len() > 1 { format!("; so do {} more tasks", lost.len() - 1) } else { String::new() };
    let message = format!("task {} {}, which is not there{more}", own.id, said.join(" and "));
    let waits = lost.iter().any(|(own, it)| own.task.is_open() && !it.remove_blocked_by.is_empty());
    let severity = if waits { Severity::Warning } else { Severity::Note };
    let mend = without(facts, view, name, text, &lost);
    let finding = Finding::new("dangling_edge", severity, message).at(name).about(&own.id);
    Some(finding.advise("a task that is not there is never done: make it, or take the edge out").mend(mend))
}

/// The edit that takes a task's edges to nowhere out.
fn cut(facts: &Facts<'_>, own: &Own) -> Option<Edit> {
    let gone = |ids: &[TaskId]| -> Vec<TaskId> {
        let lost = |id: &&TaskId| facts.task(id).is_none() && facts.is_readable(id);
        ids.iter().filter(lost).cloned().collect()
    };
    let (remove_blocked_by, remove_blocks) = (gone(&own.task.blocked_by), gone(&own.task.blocks));
    let any = !(remove_blocked_by.is_empty() && remove_blocks.is_empty());
    any.then(|| Edit { remove_blocked_by, remove_blocks, ..Edit::of(own.id.clone()) })
}

/// What the file would be after these edits, by the same rule that will decide them.
fn without(
    facts: &Facts<'_>,
    view: &View<'_>,
    name: &str,
    text: &Text,
    lost: &[(&Own, Edit)],
) -> Option<Mend> {
    let request = Request { actor: Actor::new("", ""), now: facts.now, lenient: false };
    let commands: Vec<Command> = lost.iter().map(|(_, it)| Command::Edit(it.clone())).collect();
    let mut tasks: Vec<Task> = Vec::new();
    for command in &commands {
        let decision = decide(view, command, &request).ok()?;
        tasks.extend(decision.changes.into_iter().filter_map(|it| Some(it.after?.task.clone())));
    }
    view.failed().ok()?;
    let puts: Vec<Put<'_>> = tasks.iter().map(Put::Task).collect();
    let after = facts.encoded(text.whole.as_deref(), &puts)?;
    let diff = Diff { file: name.to_owned(), before: text.whole.clone(), after: Some(after) };
    let what = "take out the edges that lead nowhere, as a change that can be undone".to_owned();
    Some(Mend { what, files: vec![diff], how: How::Commands(commands) })
}

fn circles(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let graph = Graph::new(facts.own().map(|(_, own)| &own.task));
    for path in graph.cycles(MOST_CIRCLES) {
        let said = path.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(" → ");
        let finding = match path.as_slice() {
            [id, _] => Finding::new("self_edge", Severity::Fault, format!("task {id} waits for itself")),
            _ => Finding::new(
                "cycle",
                Severity::Fault,
                format!("tasks wait for each other in a circle: {said}"),
            ),
        };
        let first = path.first().copied();
        let finding = first.map(|id| finding.clone().at(&facts.files.format.file_of(id)).about(id));
        found.extend(finding.map(|it| it.advise("take out the edge that should not be")));
    }
}

fn listed(ids: &[TaskId]) -> String {
    let shown: Vec<&str> = ids.iter().take(8).map(TaskId::as_str).collect();
    let more = if ids.len() > shown.len() { " …" } else { "" };
    format!("{}{more}", shown.join(", "))
}
