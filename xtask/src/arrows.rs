//! Who may import whom: the drawing in ARCHITECTURE.md as tables, and the imports found in a text.
//! Not a parser of Rust: it reads paths that begin at a root, alone or in braces.

/// Part → the parts it may import, in the engine.
pub(crate) const ENGINE: &[(&str, &[&str])] = &[
    ("id", &[]),
    ("time", &[]),
    ("json", &[]),
    ("task", &["id", "json", "time"]),
    ("claim", &["task", "time"]),
    ("graph", &["id", "task", "time"]),
    ("event", &["claim", "id", "rules", "time"]),
    ("rules", &["claim", "event", "graph", "id", "json", "task", "time"]),
    ("format", &["id", "json", "portable", "task", "time"]),
    ("portable", &["claim", "event", "id", "json", "rules", "task", "time"]),
    ("nearest", &[]),
    ("spread", &[]),
    ("plan", &["graph", "id", "json", "nearest", "rules", "task"]),
    ("clock", &["time"]),
    ("vfs", &["clock", "time"]),
    (
        "store",
        &[
            "claim", "clock", "event", "format", "graph", "id", "json", "portable", "rules", "spread",
            "task", "time", "vfs",
        ],
    ),
    (
        "transfer",
        &[
            "claim", "event", "format", "id", "json", "list", "portable", "rules", "store", "task", "time",
            "vfs",
        ],
    ),
    (
        "tools",
        &[
            "claim", "format", "id", "json", "list", "nearest", "plan", "rules", "store", "task", "time",
            "view",
        ],
    ),
    ("view", &["claim", "graph", "id", "store", "task", "time"]),
    ("hooks", &["claim", "id", "rules", "task"]),
    ("why", &["id", "view"]),
    (
        "list",
        &[
            "claim", "clock", "event", "format", "hooks", "id", "rules", "store", "task", "time", "vfs",
            "view",
        ],
    ),
    (
        "conformance",
        &[
            ROOT, "claim", "clock", "event", "format", "graph", "id", "json", "list", "portable", "rules",
            "store", "task", "time", "vfs", "view",
        ],
    ),
];

/// The same in the program. Surfaces never import each other.
pub(crate) const PROGRAM: &[(&str, &[&str])] = &[
    ("args", &["commands", "complete"]),
    ("complete", &["args", "commands", "context", "output"]),
    ("failure", &["args", "context", "output"]),
    ("output", &["args", "context", "failure"]),
    ("settings", &["failure", "own_files"]),
    ("fingerprint", &[]),
    ("guide", &[]),
    ("own_files", &[]),
    ("callers", &["own_files"]),
    ("processes", &["own_files"]),
    ("own_hooks", &["output", "processes", "settings"]),
    ("shared", &["failure"]),
    ("context", &["args", "failure", "fingerprint", "own_hooks", "output", "settings", "shared"]),
    ("setup", &["context", "failure", "fingerprint", "guide", "output", "own_files"]),
    ("picture", &["output"]),
    ("mcp", &["callers", "context", "failure", "guide", "output", "own_files", "picture", "settings"]),
    ("worktrees", &["failure", "fingerprint"]),
    ("worker", &["context", "failure", "output", "own_files", "own_hooks", "processes", "worktrees"]),
    ("agent", &["context", "failure", "guide", "output", "picture", "processes", "settings"]),
    ("hook", &["args", "callers", "context", "failure", "output", "own_hooks"]),
    (
        "commands",
        &[
            "agent",
            "args",
            "complete",
            "context",
            "failure",
            "guide",
            "hook",
            "mcp",
            "output",
            "picture",
            "processes",
            "settings",
            "setup",
            "shared",
            "worker",
            "worktrees",
        ],
    ),
];

/// What a path imports that names a thing of the crate's root, not a part.
const ROOT: &str = "the root";

/// What the program may name of the engine's stores: its errors, and what could not be read.
const OF_STORES: [&str; 3] = ["error", "Error", "Problem"];

/// Imports that no table allows. `file` is the path beneath `src/`.
pub(crate) fn forbidden(table: &[(&str, &[&str])], file: &str, text: &str) -> Vec<String> {
    let module = file.trim_end_matches(".rs").trim_end_matches("/mod");
    let part = module.split('/').next().unwrap_or(module);
    if matches!(part, "lib" | "main") {
        return Vec::new();
    }
    let Some((_, allowed)) = table.iter().find(|(it, _)| *it == part) else {
        return vec![format!("the part {part} has no row in the table of arrows")];
    };
    let up = "super::".repeat(module.split('/').count());
    let mut faults = Vec::new();
    for path in paths(text, "crate::").into_iter().chain(paths(text, &up)) {
        let first = path.split("::").next().unwrap_or_default();
        let is_part = first.starts_with(|it: char| it.is_ascii_lowercase());
        let wanted = if is_part { first } else { ROOT };
        if wanted != part && !allowed.contains(&wanted) {
            faults.push(format!("{part} may not import {wanted} ({path})"));
        }
    }
    faults
}

/// Names of the engine's stores that are no business of the program.
pub(crate) fn of_stores(text: &str) -> Vec<String> {
    let paths = paths(text, "worklist::").into_iter();
    let inner = paths.filter(|path| {
        let mut names = path.split("::");
        names.next() == Some("store") && !names.next().is_some_and(|it| OF_STORES.contains(&it))
    });
    inner.map(|it| format!("the program may not use worklist::{it}")).collect()
}

/// Every path that begins at a root, groups in braces taken apart. Comments do not count.
pub(crate) fn paths(text: &str, root: &str) -> Vec<String> {
    let code: Vec<&str> = text.lines().filter(|it| !it.trim_start().starts_with("//")).collect();
    let code = code.join("\n");
    let mut found = Vec::new();
    for (at, _) in code.match_indices(root) {
        let before = code[..at].chars().next_back();
        if !before.is_some_and(|it| is_word(it) || it == '$' || it == ':') {
            tree(&code[at + root.len()..], "", &mut found);
        }
    }
    found
}

/// Reads one tree of paths and returns what stands behind it.
fn tree<'a>(text: &'a str, prefix: &str, found: &mut Vec<String>) -> &'a str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = rest.trim_start_matches([',', ' ', '\n']);
            if let Some(behind) = rest.strip_prefix('}') {
                return behind;
            }
            let behind = tree(rest, prefix, found);
            if behind.len() == rest.len() {
                return behind;
            }
            rest = behind;
        }
    }
    let end = text.find(|it| !is_word(it) && it != '*').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if name.is_empty() {
        return rest;
    }
    let path = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}::{name}") };
    if let Some(inner) = rest.strip_prefix("::") {
        return tree(inner, &path, found);
    }
    found.push(path);
    rest
}

fn is_word(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_taken_apart() {
        let text = "use crate::{\n    claim::{Actor, Claim},\n    id::TaskId,\n    rules::{self, *},\n};\nlet x = crate::json::parse(a);\n";
        let wanted = ["claim::Actor", "claim::Claim", "id::TaskId", "rules::self", "rules::*", "json::parse"];
        assert_eq!(paths(text, "crate::"), wanted);
        assert_eq!(paths("// crate::store\n$crate::store::x", "crate::"), [""; 0]);
    }

    #[test]
    fn a_rule_may_not_know_a_store() {
        let rules = |text| forbidden(ENGINE, "rules/claim.rs", text);
        assert_eq!(
            rules("use super::{Decision, draft::Draft};\nuse crate::{id::TaskId, rules::Refusal};"),
            [""; 0]
        );
        assert_eq!(rules("use crate::store::Error;"), ["rules may not import store (store::Error)"]);
        assert_eq!(rules("use crate::{\n    id::TaskId,\n    vfs::Vfs,\n};").len(), 1);
        assert_eq!(rules("use super::super::clock::Clock;").len(), 1);
        assert_eq!(rules("fn f() -> Result<(), crate::Error> {}").len(), 1);
        assert_eq!(forbidden(ENGINE, "task.rs", "use super::rules::Change;").len(), 1);
        assert_eq!(forbidden(ENGINE, "shelf.rs", "").len(), 1);
        assert_eq!(forbidden(ENGINE, "lib.rs", "use crate::store::Error;"), [""; 0]);
    }

    #[test]
    fn the_program_comes_in_by_the_door() {
        assert_eq!(forbidden(PROGRAM, "output.rs", "use crate::commands::add;").len(), 1);
        assert_eq!(forbidden(PROGRAM, "commands/add.rs", "use crate::{context::Context, output};"), [""; 0]);
        assert_eq!(of_stores("use worklist::{Error, TaskList, store::error::Error as E};"), [""; 0]);
        assert_eq!(
            of_stores("use worklist::{\n    TaskList,\n    store::{Error, files::Files},\n};").len(),
            1
        );
    }
}
