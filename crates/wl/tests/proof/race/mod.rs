//! Many want the same at the same moment, through the command line, the tools and the server, each way alone and all of
//! them mixed: one gets it. Not what becomes of it when they are killed: that is `storm`.

mod creates;
mod drains;
mod one;

use crate::{
    gate::{Gate, Held},
    mcp::{Client, Era},
    wl::Wl,
};
use serde_json::{Value, json};
use std::process::Output;

/// How somebody comes to the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Line,
    Tool,
    Server,
}

/// Who is in a race, and under which names: peers are known to have taken all of one name for the same.
#[derive(Debug, Clone, Copy)]
struct Field {
    about: &'static str,
    ways: &'static [Way],
    names: Names,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    Own,
    Shared,
}

const FIELDS: [Field; 5] = [
    Field { about: "command line", ways: &[Way::Line], names: Names::Own },
    Field { about: "tools", ways: &[Way::Tool], names: Names::Own },
    Field { about: "servers", ways: &[Way::Server], names: Names::Own },
    Field { about: "mixed", ways: &[Way::Line, Way::Tool, Way::Server], names: Names::Own },
    Field { about: "mixed, of one name", ways: &[Way::Server, Way::Tool, Way::Line], names: Names::Shared },
];

impl Field {
    /// So many racers of this kind on a list.
    fn racers(self, wl: &Wl, count: usize) -> Vec<Racer> {
        let racer = |(n, way): (usize, &Way)| {
            let agent = if self.names == Names::Own { format!("agent-{n}") } else { "twin".to_owned() };
            let session = format!("session-{n}");
            let wl = wl.by(&agent).with("WORKLIST_SESSION", &session);
            let server = (*way == Way::Server).then(|| Client::start(&wl, Era::Old));
            Racer { wl, way: *way, session, server }
        };
        self.ways.iter().cycle().take(count).enumerate().map(racer).collect()
    }
}

/// One that acts in a session of its own.
struct Racer {
    wl: Wl,
    way: Way,
    session: String,
    server: Option<Client>,
}

/// What is wanted, in the words of each way.
struct Wish {
    line: Vec<String>,
    tool: &'static str,
    input: Value,
}

impl Wish {
    fn claim(id: usize) -> Wish {
        let line = vec!["claim".to_owned(), id.to_string()];
        Wish { line, tool: "TaskUpdate", input: json!({"taskId": id.to_string(), "status": "in_progress"}) }
    }

    fn next() -> Wish {
        Wish { line: vec!["next".to_owned()], tool: "TaskNext", input: json!({}) }
    }

    fn add(subject: &str) -> Wish {
        let line = vec!["add".to_owned(), subject.to_owned()];
        Wish { line, tool: "TaskCreate", input: json!({"subject": subject, "description": "x"}) }
    }

    fn arguments(&self, way: Way) -> Vec<String> {
        let call = || vec!["call".to_owned(), self.tool.to_owned(), self.input.to_string()];
        if way == Way::Line { self.line.clone() } else { call() }
    }
}

/// What somebody was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Said {
    Yes(String),
    /// Another was before it, or nothing is left.
    No,
    /// The list was held too long by others: nothing happened, and it was said.
    Busy,
    /// What nobody may be answered here.
    Wrong(String),
}

impl Said {
    fn of_process(output: &Output) -> Said {
        let text = [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it)).concat();
        match output.status.code() {
            Some(0) if text.contains('#') => Said::Yes(text),
            Some(0 | 3 | 6) if is_no(&text) => Said::No,
            Some(1) if is_busy(&text) => Said::Busy,
            code => Said::Wrong(format!("{code:?}: {text}")),
        }
    }

    fn of_server(answer: &Value) -> Said {
        let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
        match answer["result"]["isError"] == true {
            false if text.contains('#') => Said::Yes(text.to_owned()),
            _ if is_no(text) => Said::No,
            true if is_busy(text) => Said::Busy,
            _ => Said::Wrong(answer.to_string()),
        }
    }

    /// The first id in an answer.
    fn id(&self) -> Option<String> {
        let Said::Yes(text) = self else { return None };
        let digits = text.split('#').nth(1)?.chars().take_while(char::is_ascii_digit);
        Some(digits.collect())
    }
}

fn is_no(text: &str) -> bool {
    text.contains("is claimed by") || text.to_lowercase().contains("nothing is ready")
}

fn is_busy(text: &str) -> bool {
    text.contains("the list is locked by")
}

impl Racer {
    /// Asks alone, and waits.
    fn ask(&self, wish: &Wish) -> Said {
        if let Some(server) = &self.server {
            return Said::of_server(&server.request("tools/call", params(wish)));
        }
        let arguments = wish.arguments(self.way);
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        Said::of_process(&self.wl.command(&words).output().expect("it runs"))
    }
}

fn params(wish: &Wish) -> Value {
    json!({"name": wish.tool, "arguments": wish.input})
}

/// All ask for their wish at once: processes go through one gate, servers are asked the moment it opens.
fn race<'a>(racers: &'a [Racer], wish: impl Fn(usize) -> Wish) -> Vec<Said> {
    let gate = Gate::new();
    let held = |(n, it): (usize, &'a Racer)| {
        let arguments = wish(n).arguments(it.way);
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        it.server.is_none().then(|| gate.hold(&it.wl, &words))
    };
    let mut held: Vec<Option<Held>> = racers.iter().enumerate().map(held).collect();
    gate.open(held.iter_mut().flatten());
    let asked = |(n, it): (usize, &'a Racer)| {
        it.server.as_ref().map(|server| (server, server.send("tools/call", params(&wish(n)))))
    };
    let asked: Vec<_> = racers.iter().enumerate().map(asked).collect();
    let answers = held.into_iter().zip(asked);
    answers
        .map(|(held, asked)| match (held, asked) {
            (Some(held), _) => Said::of_process(&held.end()),
            (None, Some((server, number))) => Said::of_server(&server.answer(&number)),
            (None, None) => Said::Wrong("nobody".to_owned()),
        })
        .collect()
}

/// A list of so many tasks, none of which waits for another.
fn list_of(count: usize) -> Wl {
    let wl = Wl::new();
    wl.ok(&["init"]);
    let tasks: Vec<Value> = (0..count).map(|n| json!({"subject": format!("task {n}")})).collect();
    wl.input(&json!({"tasks": tasks}).to_string()).ok(&["plan", "-"]);
    wl
}
