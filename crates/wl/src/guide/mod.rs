//! What an agent is told about working with a list: one text for the help page, the instructions of the server and the
//! skill. Not the help of single commands.

/// What holds whichever way the list is reached: also what the server says of itself.
pub(crate) const RULES: &str = include_str!("rules.md");

/// The same, and how to do it without the tools.
pub(crate) const GUIDE: &str = concat!(include_str!("rules.md"), "\n", include_str!("shell.md"));

/// The guide as a skill.
pub(crate) fn skill() -> String {
    format!(
        "---\nname: task-manager\ndescription: {DESCRIPTION}\n---\n\n# Working with a shared list of tasks\n\n{GUIDE}"
    )
}

/// The rules for a file that a client hands to its model at the start of every session.
pub(crate) fn block() -> String {
    format!("## Tasks\n\nTrack work with Worklist; `wl help agents` says more than this.\n\n{RULES}")
}

/// When an agent should read the guide.
const DESCRIPTION: &str = "Plans a goal as a graph of tasks, claims what is ready, completes it, and finds all of it again later. Use \
     it for work of several steps, for work shared with other agents, and after a compaction.";

#[cfg(test)]
mod tests {
    use super::{RULES, skill};

    #[test]
    fn the_rules_fit_into_what_clients_show() {
        assert!(RULES.chars().count() < 1_000, "{}", RULES.chars().count());
        assert!(skill().starts_with("---\nname: task-manager\n"));
    }
}
