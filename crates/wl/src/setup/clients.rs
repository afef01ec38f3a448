//! The clients that agents run in: which files each reads, by scope, and how an entry looks there. Only what differs;
//! how entries get into files is said in `entry.rs`, `table.rs` and `block.rs`.

use super::{Part, Scope, What, entry::Entry, plugin, table::Table};
use crate::{context::Homes, guide};
use std::path::{Path, PathBuf};
use worklist::json::{Json, Object};

/// One client.
pub(crate) struct Client {
    /// As it is typed.
    pub(crate) name: &'static str,
    /// As it calls itself.
    pub(crate) title: &'static str,
    /// The program by which it is known to be there.
    pub(super) program: &'static str,
    /// What it leaves in a project by which it is known to be used there.
    pub(super) trace: &'static str,
    /// The file in a project.
    pub(super) project: &'static str,
    /// The file for all projects of a user.
    pub(super) user: Option<fn(&Homes, &Path) -> PathBuf>,
    pub(super) shape: Shape,
    /// The file in a project whose text it hands to its model.
    pub(super) reads: Option<&'static str>,
    /// What is left for the user to do in a project.
    pub(crate) then: &'static str,
}

/// How a server is entered.
pub(super) enum Shape {
    /// A plugin of our own, in a folder of its own.
    Plugin,
    /// A table in TOML.
    Toml,
    /// An object in JSON under a key.
    Json { under: &'static str, server: fn(&str) -> Object },
}

/// Every client that can be set up.
pub(crate) const CLIENTS: &[Client] = &[
    Client {
        name: "claude",
        title: "Claude Code",
        program: "claude",
        trace: ".claude",
        project: ".claude/skills/worklist",
        user: Some(|_, claude| claude.join("skills/worklist")),
        shape: Shape::Plugin,
        reads: None,
        then: "Start `claude` here: it asks once whether you trust this folder, and once about the server.",
    },
    Client {
        name: "codex",
        title: "Codex",
        program: "codex",
        trace: ".codex",
        project: ".codex/config.toml",
        user: Some(|homes, _| homes.codex.join("config.toml")),
        shape: Shape::Toml,
        reads: Some("AGENTS.md"),
        then: "Start `codex` here: it reads a project's settings only if you trust the folder.",
    },
    Client {
        name: "gemini",
        title: "Gemini CLI",
        program: "gemini",
        trace: ".gemini",
        project: ".gemini/settings.json",
        user: Some(|homes, _| homes.home.join(".gemini/settings.json")),
        shape: Shape::Json { under: "mcpServers", server: words },
        reads: Some("GEMINI.md"),
        then: "Start `gemini` here: it starts a project's servers only if you trust the folder.",
    },
    Client {
        name: "cursor",
        title: "Cursor",
        program: "cursor",
        trace: ".cursor",
        project: ".cursor/mcp.json",
        user: Some(|homes, _| homes.home.join(".cursor/mcp.json")),
        shape: Shape::Json { under: "mcpServers", server: words },
        reads: Some("AGENTS.md"),
        then: "Open the project in Cursor: its settings show the server, to be switched on there.",
    },
    Client {
        name: "vscode",
        title: "VS Code",
        program: "code",
        trace: ".vscode",
        project: ".vscode/mcp.json",
        user: None,
        shape: Shape::Json { under: "servers", server: typed_words },
        reads: Some("AGENTS.md"),
        then: "Open the project in VS Code: it asks whether you trust the server before it starts it.",
    },
    Client {
        name: "opencode",
        title: "opencode",
        program: "opencode",
        trace: "opencode.json",
        project: "opencode.json",
        user: Some(|homes, _| homes.config.join("opencode/opencode.json")),
        shape: Shape::Json { under: "mcp", server: local_words },
        reads: Some("AGENTS.md"),
        then: "Start `opencode` here; `opencode mcp list` shows the server.",
    },
];

fn words(program: &str) -> Object {
    Object::new().with("command", program).with("args", Json::strings(["mcp"]))
}

fn typed_words(program: &str) -> Object {
    Object::new().with("type", "stdio").with("command", program).with("args", Json::strings(["mcp"]))
}

fn local_words(program: &str) -> Object {
    Object::new().with("type", "local").with("command", Json::strings([program, "mcp"]))
}

/// Codex hands a server nothing of the environment but what is named here or on a short list of its own.
const PASSED_ON: [&str; 5] =
    ["WORKLIST_DIR", "WORKLIST_AGENT", "WORKLIST_SESSION", "XDG_CONFIG_HOME", "XDG_STATE_HOME"];

/// Where a client is set up.
pub(super) struct Site<'a> {
    pub(super) scope: Scope,
    /// The project's root.
    pub(super) project: &'a Path,
    pub(super) homes: Option<&'a Homes>,
    /// Claude Code's own folder.
    pub(super) claude: &'a Path,
    /// What the client starts.
    pub(super) program: &'a str,
}

impl Client {
    /// The client of a name.
    pub(crate) fn named(name: &str) -> Option<&'static Client> {
        CLIENTS.iter().find(|it| it.name == name)
    }

    /// The file or folder of the entry; none if this client has none in this scope.
    pub(super) fn place(&self, site: &Site) -> Option<PathBuf> {
        match site.scope {
            Scope::Project => Some(site.project.join(self.project)),
            Scope::User => self.user.zip(site.homes).map(|(place, homes)| place(homes, site.claude)),
        }
    }

    /// What is put where. The entry itself comes first.
    pub(super) fn parts(&self, site: &Site) -> Vec<Part> {
        let Some(place) = self.place(site) else { return Vec::new() };
        let mut parts = match &self.shape {
            Shape::Plugin => {
                let files = plugin::files(site.program).into_iter();
                files
                    .map(|(path, text)| Part { path: place.join(path), what: What::Whole(path, text) })
                    .collect()
            }
            Shape::Toml => vec![Part { path: place, what: What::Table(codex(site.program)) }],
            Shape::Json { under, server } => {
                let entry = Entry::new(&[under, plugin::NAME], server(site.program));
                vec![Part { path: place, what: What::Entries(vec![entry]) }]
            }
        };
        if site.scope == Scope::Project {
            parts.extend(self.text_file(site).map(|path| Part { path, what: What::Block(guide::block()) }));
        }
        parts
    }

    /// The file whose text the client hands to its model.
    pub(super) fn text_file(&self, site: &Site) -> Option<PathBuf> {
        let usual = self.reads?;
        let named = if self.name == "gemini" { geminis_file(site) } else { None };
        Some(site.project.join(named.as_deref().unwrap_or(usual)))
    }
}

fn codex(program: &str) -> Table {
    let quoted = |it: &str| worklist::json::write(&Json::from(it), worklist::json::Style::COMPACT, "");
    let passed: Vec<String> = PASSED_ON.iter().map(|it| quoted(it)).collect();
    let lines = vec![
        ("command", quoted(program)),
        ("args", "[\"mcp\"]".to_owned()),
        ("env_vars", format!("[{}]", passed.join(", "))),
    ];
    Table { outer: "mcp_servers", name: plugin::NAME, lines }
}

/// Gemini CLI can be told to read another file than its own, or several: then AGENTS.md if it is among them.
#[expect(clippy::disallowed_methods, reason = "a look into the settings of another program")]
fn geminis_file(site: &Site) -> Option<String> {
    let files = [Some(site.project), site.homes.map(|it| it.home.as_path())];
    let mut texts = files.into_iter().flatten().map(|it| it.join(".gemini/settings.json"));
    let names = |path: PathBuf| {
        let text = std::fs::read_to_string(path).ok()?;
        let entry = |keys: &[&str]| Entry::new(keys, "").found(&text).ok().flatten();
        entry(&["context", "fileName"]).or_else(|| entry(&["contextFileName"]))
    };
    let first = texts.find_map(names)?;
    let names: Vec<&str> = match &first {
        Json::String(name) => vec![name.as_str()],
        Json::Array(names) => names.iter().filter_map(Json::as_str).collect(),
        _ => return None,
    };
    // A path that leads elsewhere is not a file of this project's root.
    let mut plain = names.into_iter().filter(|it| !it.is_empty() && !it.contains(['/', '\\']) && *it != "..");
    let first = plain.next()?;
    Some(
        if first == "AGENTS.md" { first } else { plain.find(|it| *it == "AGENTS.md").unwrap_or(first) }
            .to_owned(),
    )
}

/// The extension for Gemini CLI, by the paths of its files.
pub(super) fn extension() -> Vec<(&'static str, String)> {
    let manifest = Object::new()
        .with("name", plugin::NAME)
        .with("version", env!("CARGO_PKG_VERSION"))
        .with("description", plugin::ABOUT)
        .with("mcpServers", Object::new().with(plugin::NAME, words("wl")))
        .with("contextFileName", "GEMINI.md");
    vec![("gemini-extension.json", plugin::pretty(manifest)), ("GEMINI.md", guide::block())]
}

/// The catalogue that leads to the plugin of this repository.
pub(super) fn marketplace() -> String {
    let listed = Object::new()
        .with("name", plugin::NAME)
        .with("source", "./plugins/worklist")
        .with("description", plugin::ABOUT)
        .with("version", env!("CARGO_PKG_VERSION"));
    plugin::pretty(
        Object::new()
            .with("name", plugin::NAME)
            .with("owner", Object::new().with("name", "The Worklist authors"))
            .with("metadata", Object::new().with("description", plugin::ABOUT))
            .with("plugins", Json::Array(vec![listed.into()])),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use worklist::json::parse;

    #[test]
    fn what_is_published_is_json() {
        assert!(parse(&marketplace()).is_ok());
        assert!(parse(&extension()[0].1).is_ok());
    }
}
