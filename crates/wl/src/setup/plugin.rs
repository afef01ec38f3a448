//! What Claude Code is given: a plugin with our server, hooks and skill, as files of a folder. The same folder is published
//! in this repository. Not where it goes: that is in `clients.rs`.

use crate::{fingerprint::fingerprint, guide};
use worklist::json::{Json, Object, Style, write};

/// The name of the plugin, of its server, and of the folder it is in.
pub(super) const NAME: &str = "worklist";
/// What the plugin is good for, in a line.
pub(super) const ABOUT: &str = "A task graph for teams of coding agents: plan, claim, complete, and find it all again in the next session";

/// The tools at whose calls a hook looks: the client's own, and ours by the names that a server has in a plugin and outside.
const TOOLS: &str = "TaskCreate|TaskUpdate|mcp__(plugin_worklist_)?worklist__.*";

/// When a hook is called, on which tools, and how many seconds it may take. Where checks of the user run, they need time.
const EVENTS: &[(&str, Option<&str>, u64)] = &[
    ("SessionStart", None, 5),
    ("PreToolUse", Some(TOOLS), 5),
    ("PostToolUse", Some(TOOLS), 5),
    ("TaskCreated", None, 60),
    ("TaskCompleted", None, 60),
    ("SubagentStop", None, 5),
    ("TeammateIdle", None, 5),
    ("Stop", None, 5),
    ("PreCompact", None, 5),
    ("SessionEnd", None, 5),
];

const README: &str = "README.md";
const MARK: &str = "<!-- worklist:files hash=";

/// The files of the plugin, by their path in its folder; `program` is what the client starts.
pub(super) fn files(program: &str) -> Vec<(&'static str, String)> {
    let mut files = vec![
        (".claude-plugin/plugin.json", pretty(manifest(program))),
        ("hooks/hooks.json", pretty(hooks(program))),
        ("skills/task-manager/SKILL.md", guide::skill()),
        (README, include_str!("plugin.md").to_owned()),
    ];
    let mark = format!("\n{MARK}{:016x} -->\n", number(&files));
    if let Some((_, readme)) = files.last_mut() {
        readme.push_str(&mark);
    }
    files
}

/// Whether files were found as this program, in whatever version, wrote them.
pub(super) fn is_untouched(found: &[(&'static str, String)]) -> bool {
    let mut found = found.to_vec();
    let Some((_, readme)) = found.iter_mut().find(|(path, _)| *path == README) else { return false };
    *readme = readme.replace("\r\n", "\n");
    let Some((text, mark)) = readme.rsplit_once(&format!("\n{MARK}")) else { return false };
    let (text, mark) = (text.to_owned(), mark.to_owned());
    *readme = text;
    mark.trim_end() == format!("{:016x} -->", number(&found))
}

fn number(files: &[(&'static str, String)]) -> u64 {
    let all = files.iter().map(|(path, text)| format!("{path}\n{}\n", text.replace("\r\n", "\n")));
    fingerprint(&all.collect::<String>())
}

fn manifest(program: &str) -> Object {
    let server = Object::new().with("command", program).with("args", Json::strings(["mcp"]));
    Object::new()
        .with("name", NAME)
        .with("version", env!("CARGO_PKG_VERSION"))
        .with("description", ABOUT)
        .with("author", Object::new().with("name", "The Worklist authors"))
        .with("license", "MIT OR Apache-2.0")
        .with("keywords", Json::strings(["tasks", "planning", "agents", "teams"]))
        .with("mcpServers", Object::new().with(NAME, server))
}

fn hooks(program: &str) -> Object {
    let program = quoted(program);
    let mut events = Object::new();
    for (event, tools, seconds) in EVENTS {
        let command = Object::new()
            .with("type", "command")
            .with("command", format!("{program} hook {event}"))
            .with("timeout", *seconds);
        let mut group = Object::new();
        group.set_some("matcher", *tools);
        group.set("hooks", Json::Array(vec![command.into()]));
        events.set(event, Json::Array(vec![group.into()]));
    }
    Object::new().with("hooks", events)
}

/// A program as one word of a shell.
fn quoted(program: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '/' | '.' | '_' | '-');
    if program.chars().all(is_plain) {
        program.to_owned()
    } else {
        format!("'{}'", program.replace('\'', "'\\''"))
    }
}

/// JSON as people read it.
pub(super) fn pretty(object: Object) -> String {
    write(&Json::Object(object), Style::JAVASCRIPT, "") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_by_hand_is_noticed() {
        let ours = files("wl");
        assert!(is_untouched(&ours));
        assert!(is_untouched(&files("/opt/my tools/wl")), "another version of it is ours as well");
        for place in 0..ours.len() {
            let mut changed = ours.clone();
            changed[place].1.insert(3, '~');
            assert!(!is_untouched(&changed), "{}", changed[place].0);
        }
        let with_returns: Vec<_> = ours.iter().map(|(path, it)| (*path, it.replace('\n', "\r\n"))).collect();
        assert!(is_untouched(&with_returns), "git may end lines in another way");
        assert!(!is_untouched(&ours[..3]));
    }

    #[test]
    fn a_program_with_blanks_in_its_name_is_one_word() {
        assert_eq!(quoted("/usr/bin/wl"), "/usr/bin/wl");
        assert_eq!(quoted("/my dir/it's/wl"), "'/my dir/it'\\''s/wl'");
    }
}
