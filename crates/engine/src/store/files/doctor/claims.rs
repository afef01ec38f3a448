//! Claims whose session is gone, tasks that wait for a person, sessions that nobody needs any more.

use super::{
    super::{
        Files,
        session::{SESSIONS, life, path},
    },
    Finding, How, Mend, Severity,
    facts::Facts,
};
use crate::{
    claim::{Entry, Life},
    vfs::missing,
};
use std::collections::HashSet;

/// Files of sessions are kept so long after the last sign of life: 30 days.
const KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1000;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let mut entries: Vec<&Entry> = facts.known.values().filter_map(|it| it.after.as_deref()).collect();
    entries.retain(|it| facts.task(&it.task.id).is_some());
    entries.sort_unstable_by(|left, right| left.task.id.cmp(&right.task.id));
    for entry in &entries {
        found.extend(lost(facts, entry));
        if entry.standing.parked && entry.task.is_open() {
            let message = format!("its claim was lost {} times; it waits for a person", entry.standing.lost);
            let finding = Finding::new("parked", Severity::Warning, message).about(&entry.task.id);
            found.push(finding.advise("find out why its workers died, then claim it by force"));
        }
    }
    let needed: HashSet<String> = entries
        .iter()
        .filter_map(|it| Some(&it.standing.claim.as_ref()?.by.session))
        .flat_map(|it| [path(it, "seen"), path(it, "live")])
        .collect();
    found.extend(old_sessions(facts, &needed));
}

fn lost(facts: &Facts<'_>, entry: &Entry) -> Option<Finding> {
    let claim = entry.standing.claim.as_ref()?;
    let gone = life(&*facts.files.vfs, &*facts.files.clock, claim).is_ok_and(|it| it == Life::Gone);
    let message = format!("the session of {}, who claimed it, is gone", claim.by.agent);
    let finding = Finding::new("lost_claim", Severity::Note, message).about(&entry.task.id);
    gone.then(|| finding.advise("nothing need be done: it counts as free, and the next claim takes it back"))
}

fn old_sessions(facts: &Facts<'_>, needed: &HashSet<String>) -> Option<Finding> {
    let names = facts.files.vfs.names(SESSIONS).ok()?;
    let paths = names.iter().map(|it| format!("{SESSIONS}/{it}"));
    let mut old: Vec<String> = paths
        .filter(|it| !needed.contains(it) && is_old(facts.files, it) && !is_held(facts.files, it))
        .collect();
    old.sort_unstable();
    let count = old.len();
    if count == 0 {
        return None;
    }
    let message = format!("{count} files of sessions were not touched for 30 days");
    let mend = Mend::by(format!("remove {count} files of sessions that claim nothing"), How::Sessions(old));
    Some(Finding::new("old_sessions", Severity::Note, message).at(SESSIONS).mend(Some(mend)))
}

pub(super) fn is_old(files: &Files, path: &str) -> bool {
    files.vfs.stat(path).is_ok_and(|it| it.modified_ago(files.clock.now()) > KEPT_MS)
}

/// Whether a process keeps a session alive by holding its file.
fn is_held(files: &Files, path: &str) -> bool {
    !matches!(missing(files.vfs.try_lock(Some(path))), Ok(None | Some(Some(_))))
}

/// Removes files of sessions that still are old and held by nobody; answers with how many.
pub(super) fn prune(files: &Files, paths: &[String]) -> usize {
    let removed = paths.iter().filter(|it| {
        // The lock is held while the file goes, so that nobody becomes that session meanwhile.
        let lock = files.vfs.try_lock(Some(it)).ok().flatten();
        lock.is_some() && is_old(files, it) && files.vfs.remove(it).is_ok()
    });
    removed.count()
}

/// How many sessions ever left a sign of life.
pub(super) fn sessions(files: &Files) -> usize {
    let names = files.vfs.names(SESSIONS).unwrap_or_default();
    let stems = names.iter().filter_map(|it| it.strip_suffix(".seen").or(it.strip_suffix(".live")));
    stems.collect::<HashSet<_>>().len()
}
