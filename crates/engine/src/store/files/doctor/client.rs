//! What the program that a format comes from would make of the list. Not what we make of it: we are less easily misled.

use super::{super::view::View, Diff, Finding, How, Mend, Severity, facts::Facts};
use crate::{
    claim::Actor,
    format::{Put, WATERMARK},
    id::TaskId,
    rules::{Command, NewTask, Request, decide},
    task::Task,
};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    found.extend(watermark(facts));
    let mut seen: Vec<&Task> = Vec::new();
    for (name, own) in facts.own() {
        let text = facts.texts.get(name).and_then(|it| it.whole.as_deref()).unwrap_or_default();
        let Some(reason) = facts.files.format.unseen(text) else {
            seen.push(&own.task);
            continue;
        };
        let after = facts.rewritten(name, own).filter(|it| facts.files.format.unseen(it).is_none());
        let diff =
            after.map(|it| Diff { file: name.clone(), before: Some(text.to_owned()), after: Some(it) });
        let mend = diff.map(|it| Mend::bytes("write it so that the client can read it", it));
        let message = format!("Claude Code does not see this task: {reason}");
        let finding = Finding::new("unseen", Severity::Warning, message).at(name).about(&own.id).mend(mend);
        found.push(finding.advise("any change to the task through us writes it so that it can be seen"));
    }
    found.extend(wipe(facts, &seen));
}

fn watermark(facts: &Facts<'_>) -> Option<Finding> {
    let gone: Vec<&TaskId> = facts.known.values().filter(|it| it.after.is_none()).map(|it| &it.id).collect();
    let old = facts.watermark.as_deref();
    let (message, after) = facts.files.format.watermark_fault(old, &facts.names, &gone)?;
    let before = facts.watermark.clone();
    let mend = Mend::bytes(
        format!("make it say {after}"),
        Diff { file: WATERMARK.to_owned(), before, after: Some(after) },
    );
    let finding = Finding::new("watermark", Severity::Warning, message).at(WATERMARK).mend(Some(mend));
    Some(finding.advise("other programs may give an id a second time"))
}

/// A finished list that the interactive client will empty.
fn wipe(facts: &Facts<'_>, seen: &[&Task]) -> Option<Finding> {
    let sentinel = facts.files.format.sentinel(seen)?;
    let file = facts.files.format.file_of(&sentinel.id);
    let message = "every task is completed: an interactive Claude Code removes all files of such a list";
    let advice = format!("an open task with `_internal` in its metadata, {file}, keeps them");
    let finding = Finding::new("wipe", Severity::Warning, message).advise(advice);
    let free = !facts.names.contains(&file);
    Some(finding.mend(free.then(|| planted(facts, &file, sentinel)).flatten()))
}

fn planted(facts: &Facts<'_>, file: &str, task: Task) -> Option<Mend> {
    let what = format!("make {file}, which that client does not show");
    let command = Command::Create(NewTask::from(task));
    let view = View::new(facts.files, facts.log.as_ref(), facts.now);
    let request = Request { actor: Actor::new("", ""), now: facts.now, lenient: false };
    let decision = decide(&view, &command, &request).ok()?;
    let after = decision.changes.into_iter().find_map(|it| it.after)?;
    let after = facts.encoded(None, &[Put::Task(&after.task)])?;
    let diff = Diff { file: file.to_owned(), before: None, after: Some(after) };
    Some(Mend { what, files: vec![diff], how: How::Commands(vec![command]) })
}
