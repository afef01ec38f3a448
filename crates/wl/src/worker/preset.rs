//! The coding agents that we know how to run without a person: their command lines, with our server for tasks, and what
//! they are told. Not what they are allowed: what comes after `--` is theirs.

use super::job::Job;
use crate::{failure::Failure, own_files};
use std::path::Path;
use worklist::json::{Json, Object, Style, write};

/// What an agent is told of its task, unless somebody has better words.
const PROMPT: &str = include_str!("prompt.txt");
/// What the server of an agent must know: that it acts for this very worker.
const VARIABLES: [&str; 5] =
    ["WORKLIST_DIR", "WORKLIST_AGENT", "WORKLIST_SESSION", "WORKLIST_TASK_ID", "WORKLIST_TASK_TOKEN"];
/// Where Gemini looks for settings of the whole system; a file of ours takes that place for the run.
const GEMINI: &str = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH";

/// An agent that we know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Preset {
    Claude,
    Codex,
    Gemini,
    Builtin,
}

impl Preset {
    pub(crate) const ALL: [Preset; 4] = [Preset::Claude, Preset::Codex, Preset::Gemini, Preset::Builtin];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Preset::Claude => "claude",
            Preset::Codex => "codex",
            Preset::Gemini => "gemini",
            Preset::Builtin => "builtin",
        }
    }

    /// Makes a job one for this agent. What follows `--` goes to it; the prompt comes on its standard input, where no
    /// limit of command lines holds.
    pub(crate) fn employ(
        self,
        job: &mut Job,
        program: &Path,
        prompt: Option<String>,
        state: Option<&Path>,
    ) -> Result<(), Failure> {
        let wl = program.display().to_string();
        let more = std::mem::take(&mut job.command);
        let line = match self {
            Preset::Claude => claude(&wl),
            Preset::Codex => codex(&wl),
            Preset::Gemini => {
                // In the user's own folder: it does not believe settings where others can write.
                let own = job.folder.join(".worklist");
                let settings = state.unwrap_or(&own).join("gemini-settings.json");
                gemini_settings(&settings, &wl)
                    .map_err(|error| Failure::other(&format!("write {}", settings.display()), &error))?;
                job.variables.push((GEMINI.to_owned(), settings.display().to_string()));
                words(&["gemini", "--approval-mode", "auto_edit", "--skip-trust"])
            }
            Preset::Builtin => words(&[&wl, "agent", "-p", "-"]),
        };
        job.command = [line, more].concat();
        job.input = Some(prompt.unwrap_or_else(|| PROMPT.to_owned()));
        Ok(())
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|it| (*it).to_owned()).collect()
}

/// Its server has the whole environment.
fn claude(wl: &str) -> Vec<String> {
    let servers = write(&Json::Object(servers(server(wl))), Style::COMPACT, "");
    words(&[
        "claude",
        "-p",
        "--permission-mode",
        "acceptEdits",
        "--allowedTools",
        "mcp__worklist",
        "--mcp-config",
        &servers,
    ])
}

/// Its server has only the variables that it is told to hand on.
fn codex(wl: &str) -> Vec<String> {
    let text = |it: &str| write(&Json::from(it), Style::COMPACT, "");
    let variables = VARIABLES.map(text).join(", ");
    words(&[
        "codex",
        "exec",
        "--sandbox",
        "workspace-write",
        "--skip-git-repo-check",
        "-c",
        &format!("mcp_servers.worklist.command={}", text(wl)),
        "-c",
        "mcp_servers.worklist.args=[\"mcp\"]",
        "-c",
        &format!("mcp_servers.worklist.env_vars=[{variables}]"),
        "-c",
        "mcp_servers.worklist.default_tools_approval_mode=\"approve\"",
        "-",
    ])
}

/// It keeps what looks like a secret from its servers, unless it is named.
fn gemini_settings(path: &Path, wl: &str) -> std::io::Result<()> {
    let handed = VARIABLES.iter().fold(Object::new(), |it, name| it.with(name, format!("${name}")));
    let own = server(wl).with("env", handed).with("trust", true);
    let text = write(&Json::Object(servers(own)), Style::COMPACT, "") + "\n";
    path.parent().map_or(Ok(()), own_files::make_folder)?;
    own_files::write(path, &text)
}

fn server(wl: &str) -> Object {
    Object::new().with("command", wl).with("args", Json::Array(vec!["mcp".into()]))
}

fn servers(own: Object) -> Object {
    Object::new().with("mcpServers", Object::new().with("worklist", own))
}
