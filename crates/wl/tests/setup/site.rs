//! A project and a home to set clients up in, and everything that lies in them. What is right is said by the tests.

use crate::wl::{Run, Wl};
use std::{collections::BTreeMap, fs, path::PathBuf};

/// A client in a scope: what is typed, and the file of its entry beneath the place of the test.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case {
    pub(crate) client: &'static str,
    pub(crate) flag: &'static str,
    pub(crate) file: &'static str,
}

const fn case(client: &'static str, flag: &'static str, file: &'static str) -> Case {
    Case { client, flag, file }
}

/// Every client whose entry goes into a file that it shares with others.
pub(crate) const SHARED: [Case; 9] = [
    case("codex", "--project", ".codex/config.toml"),
    case("gemini", "--project", ".gemini/settings.json"),
    case("cursor", "--project", ".cursor/mcp.json"),
    case("vscode", "--project", ".vscode/mcp.json"),
    case("opencode", "--project", "opencode.json"),
    case("codex", "--user", "home/.codex/config.toml"),
    case("gemini", "--user", "home/.gemini/settings.json"),
    case("cursor", "--user", "home/.cursor/mcp.json"),
    case("opencode", "--user", "home/.config/opencode/opencode.json"),
];

/// Claude Code has a folder that is ours alone.
pub(crate) const OWN: [Case; 2] = [
    case("claude", "--project", ".claude/skills/worklist/.claude-plugin/plugin.json"),
    case("claude", "--user", "home/.claude/skills/worklist/.claude-plugin/plugin.json"),
];

impl Case {
    pub(crate) fn is_toml(self) -> bool {
        self.client == "codex"
    }

    /// The key that servers stand under.
    pub(crate) fn key(self) -> &'static str {
        match self.client {
            "vscode" => "servers",
            "opencode" => "mcp",
            _ => "mcpServers",
        }
    }

    #[track_caller]
    pub(crate) fn ok(self, wl: &Wl, more: &[&str]) -> Run {
        wl.ok(&[&["setup", self.client, self.flag], more].concat())
    }

    /// Sets up, and checks that this stands then.
    #[track_caller]
    pub(crate) fn install(self, wl: &Wl) {
        self.ok(wl, &[]);
        self.ok(wl, &["--check"]);
    }
}

/// A project with a home in it that is no part of it.
pub(crate) fn project() -> Wl {
    let wl = Wl::new();
    fs::create_dir_all(wl.path(".git")).expect("a file");
    fs::create_dir_all(wl.path("home")).expect("a file");
    wl
}

/// Every file and folder with what is in it, except what this program keeps for itself.
pub(crate) fn everything(wl: &Wl) -> BTreeMap<PathBuf, Option<String>> {
    let root = wl.path("");
    let mut found = BTreeMap::new();
    let mut open = vec![root.clone()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a file") {
            let path = entry.expect("a file").path();
            let name = path.strip_prefix(&root).expect("a file").to_owned();
            if name.starts_with("home/.local") {
                continue;
            }
            if path.is_dir() && !path.is_symlink() {
                open.push(path);
                found.insert(name, None);
            } else {
                found.insert(
                    name,
                    Some(String::from_utf8_lossy(&fs::read(&path).expect("a file")).into_owned()),
                );
            }
        }
    }
    found
}
