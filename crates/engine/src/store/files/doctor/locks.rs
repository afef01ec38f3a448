//! Locks that lie about, and who holds the list now. Not the taking of locks.

use super::{
    super::pin::{STALE_MS, is_lock, slot_of},
    Finding, How, Mend, Severity,
    facts::Facts,
};
use crate::{
    format::ForeignLocks,
    vfs::{Fitness, Kind, Stat},
};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let holder = facts.files.vfs.holder();
    if let Some(holder) = &holder {
        found.push(Finding::new("locked", Severity::Note, format!("the list is locked by {holder}")));
    }
    for lock in facts.names.iter().filter(|it| is_foreign_lock(facts, it)) {
        let Ok(stat) = facts.files.vfs.stat(lock) else { continue };
        let ours = slot_of(&*facts.files.vfs, lock).ok().flatten().is_some();
        found.push(match (stat.kind, ours) {
            (Kind::Directory, true) => pinned(lock, holder.is_some()),
            (Kind::Directory, false) => foreign(facts, lock, stat),
            _ => blocked(lock),
        });
    }
}

/// Whether a name is that of a lock which other programs of the format respect.
pub(super) fn is_foreign_lock(facts: &Facts<'_>, name: &str) -> bool {
    let format = facts.files.format;
    let Some(of) = name.strip_suffix(".lock").filter(|_| is_lock(name)) else { return false };
    match format.shape().locks {
        ForeignLocks::None => false,
        ForeignLocks::PerTask => of == ".lock" || format.is_task_file(of),
        ForeignLocks::OneFile => format.is_task_file(of),
    }
}

fn pinned(lock: &str, is_held: bool) -> Finding {
    if is_held {
        return Finding::new("pinned", Severity::Note, "a process of ours holds it at this moment").at(lock);
    }
    let finding = Finding::new("orphan_pin", Severity::Warning, "a process of ours died with it in its hand");
    let mend = Mend::by("clear it away, as every command does", How::Recovery);
    finding.at(lock).advise("other programs cannot write the file until it is gone").mend(Some(mend))
}

fn foreign(facts: &Facts<'_>, lock: &str, stat: Stat) -> Finding {
    let age = stat.modified_ago(facts.now) / 1000;
    if (0..=STALE_MS / 1000).contains(&age) {
        let message = format!("another program holds it, for {age} s by now");
        return Finding::new("foreign_lock", Severity::Note, message).at(lock);
    }
    let message = if age < 0 {
        "its time lies in the future, so that it never looks stale".to_owned()
    } else {
        format!("it was not touched for {age} s: its owner is dead, or stopped")
    };
    let empty = facts.files.vfs.names(lock).is_ok_and(|it| it.is_empty());
    let can = empty && facts.files.vfs.fitness() == Fitness::Full;
    let mend =
        can.then(|| Mend::by("watch it for six seconds, and remove it if it does not move", How::Lock));
    let finding = Finding::new("stale_lock", Severity::Warning, message).at(lock).mend(mend);
    finding.advise("if no program is at work on the list, the directory can be removed")
}

fn blocked(lock: &str) -> Finding {
    let message = "it is not a directory: programs that lock by making one wait for ever";
    let finding = Finding::new("odd_lock", Severity::Warning, message).at(lock);
    finding.advise("if no program is at work on the list, it can be removed")
}
