//! Claude Code as its hooks see it: sessions and subagents that call its task tools, and how those write. Not its
//! interface.

use crate::wl::{Run, Running, Wl};
use serde_json::{Value, json};
use std::{fs, path::PathBuf};

/// The session of the recorded inputs.
pub(crate) const SESSION: &str = "23b0c38b-fb36-4044-8c2a-e0f0e1bac54e";

/// An input as the real client sent it.
pub(crate) fn recorded(name: &str) -> Value {
    let path = format!("{}/tests/fixtures/hook-inputs/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).expect("JSON")
}

/// The names of all recorded inputs.
pub(crate) fn all_recorded() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/hook-inputs");
    let entries = fs::read_dir(folder).expect("the recorded inputs");
    let names = entries.map(|it| it.expect("an entry").file_name().into_string().expect("a name"));
    names.map(|it| it.trim_end_matches(".json").to_owned()).collect()
}

/// A session of the client, or an agent within it. All of them share one list.
#[derive(Clone)]
pub(crate) struct Session {
    pub(crate) wl: Wl,
    id: String,
    agent: Option<String>,
}

impl Session {
    /// The first session, whose list is named, with a folder for it.
    pub(crate) fn new() -> Session {
        let wl = Wl::new().with("CLAUDE_CODE_TASK_LIST_ID", "shared");
        fs::create_dir_all(wl.path("home/.claude/tasks/shared")).expect("a folder");
        Session { wl, id: "session-one".to_owned(), agent: None }
    }

    /// Another session on the same list.
    pub(crate) fn other(&self, id: &str) -> Session {
        Session { id: id.to_owned(), ..self.clone() }
    }

    /// A subagent of this session.
    pub(crate) fn subagent(&self, agent: &str) -> Session {
        Session { agent: Some(agent.to_owned()), ..self.clone() }
    }

    /// The same with another environment.
    pub(crate) fn with(&self, name: &str, value: &str) -> Session {
        Session { wl: self.wl.with(name, value), ..self.clone() }
    }

    /// An input of this session.
    pub(crate) fn input(&self, more: Value) -> Value {
        let mut input = json!({"session_id": self.id, "cwd": self.wl.path("").display().to_string()});
        if let Some(agent) = &self.agent {
            input["agent_id"] = json!(agent);
            input["agent_type"] = json!("worker");
        }
        let Value::Object(more) = more else { panic!("an object") };
        input.as_object_mut().expect("an object").extend(more);
        input
    }

    #[track_caller]
    pub(crate) fn hook(&self, event: &str, more: Value) -> Run {
        self.start_hook(event, more).end()
    }

    pub(crate) fn start_hook(&self, event: &str, more: Value) -> Running {
        self.wl.input(&self.input(more).to_string()).start(&["hook", event])
    }

    /// The hook before a `TaskUpdate`.
    #[track_caller]
    pub(crate) fn before(&self, input: &Value) -> Run {
        self.hook("PreToolUse", json!({"tool_name": "TaskUpdate", "tool_input": input}))
    }

    /// The hook after one that went well.
    #[track_caller]
    pub(crate) fn after(&self, input: &Value) -> Run {
        let response = json!({"success": true, "taskId": input["taskId"], "updatedFields": []});
        let call = json!({"tool_name": "TaskUpdate", "tool_input": input, "tool_response": response});
        self.hook("PostToolUse", call).code(0)
    }

    /// What the model is told by a hook.
    #[track_caller]
    pub(crate) fn told(run: &Run) -> String {
        run.json()["hookSpecificOutput"]["additionalContext"].as_str().expect("a text").to_owned()
    }

    pub(crate) fn file(&self, id: &str) -> PathBuf {
        self.wl.path(&format!("home/.claude/tasks/shared/{id}.json"))
    }

    /// A task as the client makes it.
    pub(crate) fn create(&self, id: &str, subject: &str) {
        self.create_after(id, subject, &[], &[]);
    }

    pub(crate) fn create_after(&self, id: &str, subject: &str, blocked_by: &[&str], blocks: &[&str]) {
        let task = json!({
            "id": id, "subject": subject, "description": "", "status": "pending",
            "blocks": blocks, "blockedBy": blocked_by,
        });
        fs::write(self.file(id), format!("{task:#}")).expect("a file");
    }

    /// An update as the client writes it: fields laid over what is there, in place.
    pub(crate) fn write(&self, id: &str, fields: Value) {
        let mut task = self.read(id);
        let Value::Object(fields) = fields else { panic!("an object") };
        task.as_object_mut().expect("an object").extend(fields);
        fs::write(self.file(id), format!("{task:#}")).expect("a file");
    }

    /// What is in a task's file.
    pub(crate) fn read(&self, id: &str) -> Value {
        serde_json::from_str(&fs::read_to_string(self.file(id)).expect("a file")).expect("JSON")
    }

    /// A task as `wl` shows it.
    pub(crate) fn task(&self, id: &str) -> Value {
        self.wl.json(&["show", id])["task"].clone()
    }
}
