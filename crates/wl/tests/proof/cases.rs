//! Every command that writes, on the list that every place starts with; and every other command, so that none is
//! forgotten. Not what must hold afterwards.

use std::fs;

/// One command that is struck.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    /// The command by its declared name.
    pub(crate) command: &'static str,
    /// What is typed; `{ready}` and the like are the ids of the place's tasks.
    pub(crate) line: &'static str,
    pub(crate) by: &'static str,
    pub(crate) input: &'static str,
    /// What ann did before, a line for each.
    pub(crate) first: &'static [&'static str],
    /// What another program did before, to the file of task `ready`.
    pub(crate) spoilt: Option<fn(&str) -> String>,
    pub(crate) look: Look,
    /// What is done next; without it, adding a task.
    pub(crate) next: Option<&'static str>,
    /// The formats that it makes sense in; empty for all.
    pub(crate) formats: &'static [&'static str],
    pub(crate) home: Home,
    /// Whether another case does much the same: in the short size it is killed everywhere, but not failed.
    pub(crate) again: bool,
}

/// Where a case looks for what became of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// The tasks of the list: all of the change, or nothing.
    List,
    /// The tasks of a list that it makes; made or not, the next command finds it whole.
    Made(&'static str),
    /// These files, each by itself.
    Files(&'static [&'static str]),
}

/// Where the list lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Home {
    /// In the project.
    Project,
    /// In Claude Code's folder, with a second name of the journal outside.
    Client,
}

const fn case(command: &'static str, line: &'static str) -> Case {
    Case {
        command,
        line,
        by: "ann",
        input: "",
        first: &[],
        spoilt: None,
        look: Look::List,
        next: None,
        formats: &[],
        home: Home::Project,
        again: false,
    }
}

const fn hook(line: &'static str, input: &'static str) -> Case {
    Case { input, formats: &["claude"], home: Home::Client, ..case("hook", line) }
}

impl Case {
    const fn by(self, by: &'static str) -> Case {
        Case { by, ..self }
    }

    const fn input(self, input: &'static str) -> Case {
        Case { input, ..self }
    }

    const fn first(self, first: &'static [&'static str]) -> Case {
        Case { first, ..self }
    }

    const fn look(self, look: Look, next: &'static str) -> Case {
        Case { look, next: Some(next), ..self }
    }

    const fn again(self) -> Case {
        Case { again: true, ..self }
    }

    const fn spoilt(self, spoilt: fn(&str) -> String) -> Case {
        Case { spoilt: Some(spoilt), formats: &["claude"], ..self }
    }
}

/// What others do to a file while nobody looks.
fn another_subject(text: &str) -> String {
    text.replace("\"ready\"", "\"theirs\"")
}

fn without_edges(text: &str) -> String {
    let (before, after) = text.split_once("\"blocks\": [").expect("a task of the client");
    format!("{before}\"blocks\": [{}", &after[after.find(']').expect("its end")..])
}

const PLAN: &str = r#"{"key": "k", "tasks": [{"name": "x", "subject": "x"},
    {"name": "y", "subject": "y", "after": ["x"]}, {"name": "z", "subject": "z", "after": ["x", "y"]}]}"#;

/// What writes.
pub(crate) const CASES: &[Case] = &[
    case("init", "init new --format {format}").look(Look::Made("new"), "init new --format {format}"),
    case("add", "add new").again(),
    case("add", "add new --after {ready} --before {blocked} --tag t --description long"),
    Case { formats: &["claude"], home: Home::Client, ..case("add", "add new --after {ready}") }.again(),
    case("plan", "plan -").input(PLAN),
    case("claim", "claim {ready}"),
    case("claim", "claim {held} --force").again(),
    case("next", "next"),
    case("heartbeat", "heartbeat {held} --lease 5h").by("bob"),
    case("release", "release {held} --reason tired").by("bob"),
    case("done", "done {held}").by("bob"),
    case("edit", "edit {ready} --subject other --priority high --tag t").again(),
    case("edit", "edit {ready} --after {held}"),
    case("edit", "edit {blocked} --not-after {ready}").again(),
    case("rm", "rm {ready}"),
    case("undo", "undo").first(&["edit {ready} --subject other"]).again(),
    case("undo", "undo").first(&["rm {ready}"]),
    case("import", "import -").input("{export}"),
    case("convert", "convert {other} --force"),
    case("call", "call TaskUpdate -").input(r#"{"taskId": "{ready}", "status": "in_progress"}"#),
    // Looking writes down what others did.
    case("list", "list --all").spoilt(another_subject),
    case("doctor", "doctor --fix").spoilt(without_edges),
    case("doctor", "doctor --undo").spoilt(without_edges).first(&["doctor --fix"]).again(),
    Case { formats: &["claude"], ..case("trust", "trust --yes") }
        .look(Look::Files(&["home/.local/state/worklist/trusted.jsonl"]), "trust --yes"),
    Case { formats: &["claude"], ..case("setup", "setup cursor") }
        .look(Look::Files(&[".cursor/mcp.json", "AGENTS.md"]), "setup cursor"),
    hook("hook SessionStart", r#"{"session_id": "s1", "cwd": "{place}", "source": "startup"}"#),
    hook(
        "hook PreToolUse",
        r#"{"session_id": "s1", "cwd": "{place}", "tool_name": "TaskUpdate",
            "tool_input": {"taskId": "{ready}", "status": "in_progress"}}"#,
    ),
    hook(
        "hook PostToolUse",
        r#"{"session_id": "s1", "cwd": "{place}", "tool_name": "TaskUpdate",
            "tool_input": {"taskId": "{ready}", "subject": "theirs"},
            "tool_response": {"success": true, "taskId": "{ready}", "updatedFields": ["subject"]}}"#,
    )
    .spoilt(another_subject),
    hook("hook SessionEnd", r#"{"session_id": "bob", "cwd": "{place}", "reason": "exit"}"#),
];

/// What writes no list, or lasts and is attacked in a place of its own: why it is not above.
pub(crate) const OTHERS: &[(&str, &str)] = &[
    ("agent", "calls the tools that `call` calls; killed in tests/agent"),
    ("changes", "looks"),
    ("completions", "prints"),
    ("config", "looks"),
    ("export", "looks"),
    ("graph", "looks"),
    ("help", "prints"),
    ("lists", "looks"),
    ("log", "looks"),
    ("logs", "looks"),
    ("man", "prints"),
    ("mcp", "calls the tools that `call` calls; killed in tests/mcp"),
    ("ready", "looks"),
    ("runs", "looks"),
    ("show", "looks"),
    ("store", "prepares a database, in one transaction; tried in crates/postgres"),
    ("tools", "prints"),
    ("watch", "looks"),
    ("why", "looks"),
    ("work", "claims and completes; killed in tests/work"),
    ("worktrees", "removes folders of git, not of the list; tried in tests/work"),
];

/// The commands as the table in the source declares them.
pub(crate) fn declared() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/commands/mod.rs");
    let text = fs::read_to_string(path).expect("the table of commands");
    let (_, table) = text.split_once("pub(crate) enum Command {").expect("the table");
    let (table, _) = table.split_once("\n}").expect("its end");
    let rows = table.lines().map(str::trim).filter(|it| it.starts_with(char::is_uppercase));
    rows.filter_map(|it| it.split('(').next()).map(str::to_lowercase).filter(|it| it != "guard").collect()
}
