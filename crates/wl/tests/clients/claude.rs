//! The real Claude Code, run in print mode in the place of a test: its own home, a key that opens nothing, and a scripted
//! model in place of the service. Not the full-screen interface: that is `terminal.rs`.
//!
//! ```text
//! let wl = Wl::new();
//! let model = Model::playing([Script::of("go").turn(Turn::calls("TaskCreate", json!({…})))]);
//! let said = Claude::new(&wl, &model)
//!     .list("team")                                                    // its own task tools, on a list with this name
//!     .server("worklist", env!("CARGO_BIN_EXE_wl"), &["mcp"])          // an MCP server; its tools are allowed
//!     .hook("PreToolUse", "TaskUpdate", "wl hook PreToolUse")          // a line for the shell, where `wl` is the program
//!     .run("go");
//! ```
//!
//! The client does not leave the machine: every variable it documents against traffic is set, and what it would still
//! ask of other hosts goes to the model as a proxy, which refuses it and fails the test.

use crate::{kit::tool, model::Model, wl::Wl};
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};
use std::{
    fs::{self, File},
    io::Read,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

/// How long a run may take. A run of a dozen turns takes some five seconds.
const LIMIT: Duration = Duration::from_secs(90);

/// Always set. What belongs to the place is added to it.
const VARIABLES: [(&str, &str); 13] = [
    ("ANTHROPIC_API_KEY", "sk-ant-none"),
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("DISABLE_TELEMETRY", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL", "1"),
    ("NO_PROXY", "127.0.0.1,localhost"),
    // Schemas in the request instead of a search for them: a turn less for each tool.
    ("ENABLE_TOOL_SEARCH", "false"),
    // A server that is not ready in time is left out of the first request; tests want it there.
    ("MCP_TIMEOUT", "30000"),
    ("USER", "me"),
    ("SHELL", "/bin/bash"),
    ("LANG", "C.UTF-8"),
    ("TZ", "UTC"),
];

/// How the client is started.
#[derive(Clone)]
pub(crate) struct Claude {
    folder: PathBuf,
    model: Model,
    variables: Vec<(String, String)>,
    settings: Value,
    servers: Value,
    /// Whether servers that plugins and files of the project name count, too.
    open: bool,
}

impl Claude {
    /// The client in the folder and home of a place, without task tools, servers or hooks.
    pub(crate) fn new(wl: &Wl, model: &Model) -> Claude {
        let folder = wl.path(".").canonicalize().expect("a folder");
        let set = |name: &str, value: String| (name.to_owned(), value);
        let home = folder.join("home");
        let mut variables: Vec<(String, String)> =
            VARIABLES.map(|(name, value)| set(name, value.to_owned())).into();
        variables.extend([
            set("HOME", home.display().to_string()),
            set("CLAUDE_CONFIG_DIR", home.join(".claude").display().to_string()),
            set("ANTHROPIC_BASE_URL", model.url()),
            set("HTTPS_PROXY", model.url()),
            set("HTTP_PROXY", model.url()),
            set("PATH", path_with_wl()),
        ]);
        let settings = json!({"permissions": {"allow": []}, "hooks": {}});
        Claude { folder, model: model.clone(), variables, settings, servers: json!({}), open: false }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Claude {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With its own task tools, on a list with this name.
    pub(crate) fn list(self, name: &str) -> Claude {
        self.with("CLAUDE_CODE_ENABLE_TODO_TOOLS", "1").with("CLAUDE_CODE_TASK_LIST_ID", name)
    }

    /// With an MCP server, whose tools it may use.
    pub(crate) fn server(mut self, name: &str, program: &str, arguments: &[&str]) -> Claude {
        self.servers[name] = json!({"type": "stdio", "command": program, "args": arguments, "env": {}});
        self.allowing(&format!("mcp__{name}"))
    }

    /// With the servers that plugins and files of the project name, too.
    pub(crate) fn open(self) -> Claude {
        Claude { open: true, ..self }
    }

    /// With a rule of what it may do without asking, such as `Bash(wl:*)`.
    pub(crate) fn allowing(mut self, rule: &str) -> Claude {
        self.settings["permissions"]["allow"].as_array_mut().expect("rules").push(json!(rule));
        self
    }

    /// With a hook: a line for the shell, at an event, for the tools that match.
    pub(crate) fn hook(mut self, event: &str, matcher: &str, line: &str) -> Claude {
        let hook = json!({"matcher": matcher, "hooks": [{"type": "command", "command": line}]});
        match self.settings["hooks"][event].as_array_mut() {
            Some(hooks) => hooks.push(hook),
            None => self.settings["hooks"][event] = json!([hook]),
        }
        self
    }

    /// Asks it something, and waits until it has answered.
    #[track_caller]
    pub(crate) fn run(&self, prompt: &str) -> Said {
        self.start(prompt).end()
    }

    /// Asks it something.
    pub(crate) fn start(&self, prompt: &str) -> Session {
        let mut command = self.command();
        command.args(["-p", prompt, "--output-format", "stream-json", "--verbose"]);
        let errors = self.folder.join("home/stderr");
        let file = File::create(&errors).expect("a file");
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::from(file))
            .spawn()
            .expect("the client starts");
        let mut pipe = child.stdout.take().expect("a pipe");
        let (sender, said) = channel();
        thread::spawn(move || {
            let mut text = Vec::new();
            _ = pipe.read_to_end(&mut text);
            _ = sender.send(String::from_utf8_lossy(&text).into_owned());
        });
        println!("claude -p {prompt:?}");
        Session { child, said, errors, model: self.model.clone(), began: Instant::now() }
    }

    /// The client with everything that a test set, in a group of its own; without what it is asked.
    pub(crate) fn command(&self) -> Command {
        let home = self.folder.join("home/.claude");
        fs::create_dir_all(&home).expect("a folder");
        self.introduce(&home);
        let write = |name: &str, value: &Value| {
            let path = home.join(name);
            fs::write(&path, value.to_string()).expect("a file");
            path
        };
        write("settings.json", &self.settings);
        let servers = write("servers.json", &json!({"mcpServers": self.servers}));
        let mut command = self.program();
        if !self.open {
            command.arg("--strict-mcp-config");
        }
        command.arg("--mcp-config").arg(servers);
        command
    }

    /// The client without any argument, for what it does without a model.
    pub(crate) fn program(&self) -> Command {
        let mut command = Command::new(tool("npm/node_modules/.bin/claude"));
        command.env_clear().envs(self.variables.iter().cloned()).current_dir(&self.folder).process_group(0);
        command
    }

    /// Another program in the same place, which finds the client in a folder of programs.
    pub(crate) fn beside(&self, program: &str, programs: &Path) -> Command {
        let home = self.folder.join("home/.claude");
        fs::create_dir_all(&home).expect("a folder");
        self.introduce(&home);
        let mut command = Command::new(program);
        command.env_clear().envs(self.variables.iter().cloned()).current_dir(&self.folder);
        command.env("PATH", format!("{}:{}", programs.display(), path_with_wl()));
        command
    }

    /// Answers what the client would ask a new user at a terminal: theme, key, and whether the folder is trusted.
    fn introduce(&self, home: &Path) {
        let path = home.join(".claude.json");
        if path.exists() {
            return;
        }
        let folder = self.folder.display().to_string();
        let known = json!({
            "hasCompletedOnboarding": true,
            "theme": "dark",
            "customApiKeyResponses": {"approved": ["sk-ant-none"], "rejected": []},
            "projects": {folder: {"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}},
        });
        fs::write(path, known.to_string()).expect("a file");
    }
}

/// The path of the tests with the program under test in front.
fn path_with_wl() -> String {
    let wl = Path::new(env!("CARGO_BIN_EXE_wl")).parent().expect("a folder");
    format!("{}:{}", wl.display(), std::env::var("PATH").expect("a path"))
}

/// A client at work.
pub(crate) struct Session {
    child: Child,
    said: Receiver<String>,
    errors: PathBuf,
    model: Model,
    began: Instant,
}

impl Session {
    /// Waits until it has answered, and checks that all went by the script.
    #[track_caller]
    pub(crate) fn end(mut self) -> Said {
        let text = self.said.recv_timeout(LIMIT);
        if text.is_err() {
            self.kill();
        }
        let errors = fs::read_to_string(&self.errors).unwrap_or_default();
        let text = text.unwrap_or_else(|_| panic!("the client did not answer within {LIMIT:?}: {errors}"));
        let status = self.child.wait().expect("it ends");
        self.model.check();
        assert!(status.success(), "the client ended with {status}: {errors}\n{text}");
        println!("  answered after {:.1} s", self.began.elapsed().as_secs_f64());
        let lines =
            text.lines().map(|it| serde_json::from_str(it).unwrap_or_else(|_| panic!("no JSON: {it}")));
        Said { events: lines.collect() }
    }

    /// Kills it with all that it started, as a crash would.
    pub(crate) fn kill(&mut self) {
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).expect("a process");
        // It may have gone by itself in the meantime.
        _ = kill_process_group(group, Signal::KILL);
        _ = self.child.wait();
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.kill();
    }
}

/// What the client printed: one document for each event.
pub(crate) struct Said {
    pub(crate) events: Vec<Value>,
}

impl Said {
    /// The last words of the model.
    #[track_caller]
    pub(crate) fn result(&self) -> &str {
        let last = self.events.iter().rfind(|it| it["type"] == "result").expect("a result");
        last["result"].as_str().unwrap_or_else(|| panic!("no text in {last}"))
    }

    /// The first document: tools, servers and their state.
    #[track_caller]
    pub(crate) fn init(&self) -> &Value {
        self.events.iter().find(|it| it["subtype"] == "init").expect("an introduction")
    }
}
