//! The health of the journal and its index. Not its meaning: what it says of tasks is compared elsewhere.

use super::{
    super::{
        index::{HEADER, Mark},
        line,
        log::{INDEX, JOURNAL},
    },
    Finding, How, Mend, Severity,
    facts::Facts,
};
use crate::{
    format::{Detected, MAX_TASK_BYTES, detect},
    vfs::missing,
};

/// From here on a journal is called large: 64 MiB.
const LARGE: u64 = 64 * 1024 * 1024;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let journal = |code, severity, message: String| Finding::new(code, severity, message).at(JOURNAL);
    if let Some(reason) = &facts.headless {
        let finding = journal("journal_unreadable", Severity::Fault, reason.clone());
        found.push(
            finding.advise("move it away: the tasks stay as their files say, history and claims are gone"),
        );
        return;
    }
    if facts.journal_bytes > LARGE {
        let message = format!("it has {} MiB", facts.journal_bytes / 1024 / 1024);
        found.push(journal("large_journal", Severity::Note, message));
    }
    let Some(log) = &facts.log else { return };
    if facts.scan.damaged {
        let finding =
            journal("journal_damaged", Severity::Warning, "some of its lines are damaged".to_owned());
        let advice = "nothing need be done: the rest counts, and what the files say was adopted";
        found.push(finding.line(first_damage(facts)).advise(advice));
    }
    if log.torn > 0 {
        let finding = journal(
            "torn_journal",
            Severity::Note,
            format!("{} bytes of an unfinished write stand at its end", log.torn),
        );
        found.push(finding.mend(Some(Mend::by("cut them off, as the next change does", How::Recovery))));
    }
    if log.rebooted {
        let finding = Finding::new("index", Severity::Note, index_fault(facts)).at(INDEX);
        found.push(finding.mend(Some(Mend::by("build it anew, as the next command does", How::Recovery))));
    } else if !log.unsettled.is_empty() {
        let message = format!("{} changes may not have reached all files yet", log.unsettled.len());
        let mend = Mend::by("finish them, as the next command does", How::Recovery);
        found.push(journal("unsettled", Severity::Warning, message).mend(Some(mend)));
    }
    found.extend(other_format(facts));
}

/// The first line that is not whole and true.
fn first_damage(facts: &Facts<'_>) -> Option<usize> {
    let bytes = facts.files.vfs.read(JOURNAL, super::super::log::MAX_JOURNAL).ok()?;
    let (mut at, mut number) = (0, 1);
    while let Some(line) = line::take(bytes.get(at..)?) {
        (at, number) = (at + line.length, number + 1);
    }
    (at < bytes.len()).then_some(number)
}

fn index_fault(facts: &Facts<'_>) -> &'static str {
    let header = missing(facts.files.vfs.read_at(INDEX, 0, HEADER)).ok().flatten();
    match header.map(|it| Mark::from_bytes(&it)) {
        None => "it is missing",
        Some(None) => "it is damaged",
        Some(Some(mark)) if mark.boot != facts.files.boot() => {
            "it is from an earlier run of the machine: every file will be compared"
        }
        Some(Some(_)) => "it does not belong to this journal",
    }
}

/// Files that look like another format than the journal says.
fn other_format(facts: &Facts<'_>) -> Option<Finding> {
    let read = |name: &str| String::from_utf8(facts.files.vfs.read(name, MAX_TASK_BYTES).ok()?).ok();
    let ours = facts.files.format.shape().name;
    let message = match detect(&facts.names, &read) {
        Detected::Format(found) if found.shape().name != ours => {
            format!(
                "the journal says that the list is in format {ours}, but its files look like {}",
                found.shape().name
            )
        }
        Detected::Unclear(why) => format!("the list is in format {ours}, but {why}"),
        Detected::Format(_) | Detected::Nothing => return None,
    };
    let finding = Finding::new("other_format", Severity::Warning, message);
    Some(finding.advise("move the files of the other format elsewhere, or convert them"))
}
