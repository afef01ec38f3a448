//! Whose the files are and what may be done with them. Not a change of any mode or owner: that is the user's.

use super::{
    super::log::{JOURNAL, OWN},
    Finding, Severity,
    facts::Facts,
};
use crate::{
    format::WATERMARK,
    vfs::{Access, Kind},
};

/// Anybody on the machine may write.
const WORLD: u32 = 0o002;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    for (name, reason) in &facts.refused {
        let finding = Finding::new("no_access", Severity::Fault, reason.clone()).at(name);
        found.push(finding.advise("give the user of this process the right to read it"));
    }
    let folder = facts.files.vfs.rights("").map(|it| it.access);
    let is_read_only = matches!(folder, Ok(Access::Read | Access::None));
    if is_read_only {
        let message = "the folder cannot be written to; the list can only be looked at";
        found.push(Finding::new("read_only", Severity::Warning, message));
    }
    let own = [OWN, JOURNAL, WATERMARK, ""].into_iter();
    for name in facts.stats.keys().map(String::as_str).chain(own) {
        found.extend(one(facts, name, is_read_only));
    }
    for (name, _) in facts.stats.iter().filter(|(_, it)| it.shared && it.kind == Kind::File) {
        let message = "it has other names, which will not follow when it is written";
        found.push(Finding::new("hard_link", Severity::Note, message).at(name));
    }
}

fn one(facts: &Facts<'_>, name: &str, is_read_only: bool) -> Vec<Finding> {
    let Ok(rights) = facts.files.vfs.rights(name) else { return Vec::new() };
    let is_link = facts.stats.get(name).is_some_and(|it| it.kind == Kind::Link);
    let shown = if name.is_empty() { "." } else { name };
    let mut found = Vec::new();
    if !is_link && rights.mode & WORLD != 0 {
        let finding =
            Finding::new("world_writable", Severity::Warning, "anybody on this machine may write to it");
        found.push(finding.at(shown).advise("take that right away from others"));
    }
    if !rights.mine {
        let finding =
            Finding::new("not_ours", Severity::Warning, "it belongs to another user of this machine");
        found.push(finding.at(shown).advise("a write of ours puts one of our own in its place"));
    }
    if !is_link && rights.access == Access::Read && !is_read_only {
        let message = "it may not be written to in place, as other programs do";
        found.push(Finding::new("not_writable", Severity::Warning, message).at(shown));
    }
    found
}
