//! What else lies in the folder, and the file system under it. Not the tasks.

use super::{
    super::{
        log::OWN,
        session::SESSIONS,
        spare::{QUARANTINE, SPARE},
    },
    Finding, Severity,
    facts::Facts,
    locks::is_foreign_lock,
};
use crate::{format::WATERMARK, vfs::Fitness};

/// Names that belong in the folder of a list: other programs', git's, and the settings of the list.
const KNOWN: [&str; 5] = [OWN, WATERMARK, ".lock", ".gitignore", "worklist.toml"];
/// So many files that are nobody's are named.
const MOST_NAMED: usize = 20;
/// What programs call files that they have not finished.
const UNFINISHED: [&str; 6] = [".tmp", ".temp", ".new", ".aside", ".swp", "~"];

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    match facts.files.vfs.fitness() {
        Fitness::Full => {}
        Fitness::NoExchange => {
            let message =
                "the file system cannot exchange two files in one step: a reader may miss one for a moment";
            found.push(Finding::new("no_exchange", Severity::Note, message));
        }
        Fitness::NoExclusion { kind } => {
            let message = format!("the folder is on {kind}, where processes cannot be kept apart");
            let finding = Finding::new("no_exclusion", Severity::Fault, message);
            found.push(finding.advise("keep the list on a local disk, or in a database"));
        }
    }
    others(facts, found);
    leftovers(facts, found);
    quarantine(facts, found);
}

fn others(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let is_other = |it: &&String| {
        !facts.files.format.is_task_file(it) && !KNOWN.contains(&it.as_str()) && !is_foreign_lock(facts, it)
    };
    let others: Vec<&String> = facts.names.iter().filter(is_other).collect();
    for name in others.iter().take(MOST_NAMED) {
        let (code, message) = if is_unfinished(name) {
            ("leftover", "it looks like what a program left unfinished")
        } else {
            ("foreign_file", "it is not a task, and not ours")
        };
        found.push(Finding::new(code, Severity::Note, message).at(name));
    }
    if others.len() > MOST_NAMED {
        let message = format!("{} more files are not tasks, and not ours", others.len() - MOST_NAMED);
        found.push(Finding::new("foreign_file", Severity::Note, message));
    }
}

fn leftovers(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    for directory in [OWN, SPARE, SESSIONS] {
        let mut names = facts.files.vfs.names(directory).unwrap_or_default();
        names.retain(|it| is_unfinished(it) || directory == SPARE && it.starts_with("new-"));
        names.sort_unstable();
        if let Some(first) = names.first() {
            let message = match names.len() {
                1 => "a process of ours died while writing it; it is used again".to_owned(),
                count => format!(
                    "processes of ours died while writing it and {} more; they are used again",
                    count - 1
                ),
            };
            found.push(Finding::new("leftover", Severity::Note, message).at(&format!("{directory}/{first}")));
        }
    }
}

fn is_unfinished(name: &str) -> bool {
    UNFINISHED.iter().any(|it| name.ends_with(it)) || name.contains(".tmp.")
}

fn quarantine(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let names = facts.files.vfs.names(QUARANTINE).unwrap_or_default();
    if names.is_empty() {
        return;
    }
    let message = format!("{} copies of files that could not be read, or had to give way", names.len());
    let finding = Finding::new("quarantine", Severity::Note, message).at(QUARANTINE);
    found.push(finding.advise("look whether something in them is missed; then they can be removed"));
}
