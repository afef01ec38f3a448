//! Somebody who comes to a list: by the command line, the tools or the server, in a session of its own. Not what it wants
//! there, nor when.

use crate::{
    mcp::{Client, Era},
    wl::Wl,
};
use serde_json::{Value, json};
use std::process::Output;

/// How somebody comes to the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Line,
    Tool,
    Server,
}

/// One that acts in a session of its own.
pub(crate) struct Racer {
    pub(crate) wl: Wl,
    pub(crate) way: Way,
    pub(crate) session: String,
    pub(crate) server: Option<Client>,
}

/// What is wanted, in the words of each way.
pub(crate) struct Wish {
    pub(crate) line: Vec<String>,
    pub(crate) tool: &'static str,
    pub(crate) input: Value,
}

impl Wish {
    pub(crate) fn claim(id: usize) -> Wish {
        let line = vec!["claim".to_owned(), id.to_string()];
        Wish { line, tool: "TaskUpdate", input: json!({"taskId": id.to_string(), "status": "in_progress"}) }
    }

    pub(crate) fn next() -> Wish {
        Wish { line: vec!["next".to_owned()], tool: "TaskNext", input: json!({}) }
    }

    pub(crate) fn add(subject: &str) -> Wish {
        let line = vec!["add".to_owned(), subject.to_owned()];
        Wish { line, tool: "TaskCreate", input: json!({"subject": subject, "description": "x"}) }
    }

    pub(crate) fn arguments(&self, way: Way) -> Vec<String> {
        let call = || vec!["call".to_owned(), self.tool.to_owned(), self.input.to_string()];
        if way == Way::Line { self.line.clone() } else { call() }
    }
}

/// What somebody was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    Yes(String),
    /// Another was before it, or nothing is left.
    No,
    /// The list was held too long by others: nothing happened, and it was said.
    Busy,
    /// What nobody may be answered here.
    Wrong(String),
}

impl Said {
    pub(crate) fn of_process(output: &Output) -> Said {
        let text = [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it)).concat();
        match output.status.code() {
            Some(0) if text.contains('#') => Said::Yes(text),
            Some(0 | 3 | 5 | 6) if is_no(&text) => Said::No,
            Some(1) if is_busy(&text) => Said::Busy,
            code => Said::Wrong(format!("{code:?}: {text}")),
        }
    }

    pub(crate) fn of_server(answer: &Value) -> Said {
        let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
        match answer["result"]["isError"] == true {
            false if text.contains('#') => Said::Yes(text.to_owned()),
            _ if is_no(text) => Said::No,
            true if is_busy(text) => Said::Busy,
            _ => Said::Wrong(answer.to_string()),
        }
    }

    /// The first id in an answer.
    pub(crate) fn id(&self) -> Option<String> {
        let Said::Yes(text) = self else { return None };
        let digits = text.split('#').nth(1)?.chars().take_while(char::is_ascii_digit);
        Some(digits.collect())
    }
}

fn is_no(text: &str) -> bool {
    text.contains("is claimed by")
        || text.contains("is not yours")
        || text.to_lowercase().contains("nothing is ready")
}

fn is_busy(text: &str) -> bool {
    text.contains("the list is locked by")
}

impl Racer {
    /// Comes under a name, in a session of its own.
    pub(crate) fn new(wl: &Wl, way: Way, agent: &str, session: String) -> Racer {
        let wl = wl.by(agent).with("WORKLIST_SESSION", &session);
        let server = (way == Way::Server).then(|| Client::start(&wl, Era::Old));
        Racer { wl, way, session, server }
    }

    /// Asks alone, and waits.
    pub(crate) fn ask(&self, wish: &Wish) -> Said {
        if let Some(server) = &self.server {
            return Said::of_server(&server.request("tools/call", params(wish)));
        }
        let arguments = wish.arguments(self.way);
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        Said::of_process(&self.wl.command(&words).output().expect("it runs"))
    }
}

pub(crate) fn params(wish: &Wish) -> Value {
    json!({"name": wish.tool, "arguments": wish.input})
}
