//! The same list through MCP servers: many of them, each a session of its own.

use super::shared;
use crate::Wl;
use serde_json::{Value, json};
use std::{
    collections::HashSet,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Stdio},
    thread,
};

const TASKS: usize = 30;

/// A server, as its client sees it.
struct Served {
    child: Child,
    /// None once nothing more is said.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    number: u64,
}

impl Served {
    fn start(wl: &Wl) -> Served {
        let mut child =
            wl.command(&["mcp"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let (input, output) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let mut served = Served { child, input: Some(input), output: BufReader::new(output), number: 0 };
        let client = json!({"name": "test", "version": "1"});
        served.ask(
            "initialize",
            &json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}),
        );
        served.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        served
    }

    fn say(&mut self, message: &Value) {
        let mut input = self.input.as_ref().expect("it is still spoken to");
        writeln!(input, "{message}").expect("it listens");
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.number += 1;
        let number = self.number;
        self.say(&json!({"jsonrpc": "2.0", "id": number, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("it answers") > 0, "it went");
            let answer: Value = serde_json::from_str(&line).expect("JSON");
            if answer["id"] == number {
                return answer["result"].clone();
            }
        }
    }

    /// What a tool answers, and whether that is a refusal.
    fn call(&mut self, tool: &str, arguments: &Value) -> (String, bool) {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        let text = answer["content"][0]["text"].as_str().expect("a text").to_owned();
        (text, answer["isError"] == true)
    }

    /// Takes and completes until nothing is left.
    fn drain(&mut self) -> Vec<String> {
        let mut done = Vec::new();
        loop {
            let (text, refused) = self.call("TaskNext", &json!({}));
            let Some(id) =
                text.split('#').nth(1).and_then(|it| it.split(|it: char| !it.is_ascii_digit()).next())
            else {
                return done;
            };
            assert!(!refused, "{text}");
            let (said, refused) = self.call("TaskUpdate", &json!({"taskId": id, "status": "completed"}));
            assert!(!refused, "{said}");
            done.push(id.to_owned());
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

#[test]
fn many_servers_drain_a_list() {
    let wl = shared("served");
    wl.ok(&["init"]);
    for n in 0..TASKS {
        wl.ok(&["add", &format!("t{n}")]);
    }
    let done: Vec<String> = thread::scope(|scope| {
        let threads: Vec<_> = (0..5).map(|_| scope.spawn(|| Served::start(&wl).drain())).collect();
        threads.into_iter().flat_map(|it| it.join().expect("no client panics")).collect()
    });
    assert_eq!((done.len(), done.iter().collect::<HashSet<_>>().len()), (TASKS, TASKS));
    assert_eq!(wl.json(&["list"])["count"], 0);
}

/// A server that goes takes its claims along at once; one that is killed is noticed after its time.
#[test]
fn what_a_server_held_is_free_when_it_goes() {
    let wl = shared("gone");
    wl.ok(&["init"]);
    wl.ok(&["add", "a"]);
    let mut served = Served::start(&wl);
    served.call("TaskNext", &json!({}));
    wl.by("bob").fails(&["next"], 6, "nothing_ready");
    served.input = None;
    served.child.wait().expect("it ends");
    wl.by("bob").ok(&["next"]);
}
