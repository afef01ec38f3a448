//! Our writers in the storm: loops of commands, and servers that are asked again and again. Not what was promised to them.

use super::ledger::{Claimed, Lease, Ledger, Told};
use crate::{
    victims::{Talk, Victim},
    wl::Wl,
};
use serde_json::{Value, json};
use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// So short that a pause outlasts it.
const LEASE: Duration = Duration::from_secs(1);

/// A writer, its task to write into, and the process that stands for it at the moment.
pub(crate) struct Writer<'a> {
    pub(crate) wl: &'a Wl,
    pub(crate) name: String,
    pub(crate) board: String,
    pub(crate) victim: Victim,
    pub(crate) session: Mutex<String>,
    pub(crate) ledger: &'a Mutex<Ledger>,
    pub(crate) over: &'a AtomicBool,
}

/// What came of a request.
enum Answer {
    Yes(String),
    No,
    Dead,
}

/// How a writer asks.
trait Ask {
    const LEASE: Lease;
    fn edit(&mut self, board: &str, text: &str) -> Answer;
    /// The answer is the id.
    fn add(&mut self, subject: &str) -> Answer;
    fn next(&mut self) -> Answer;
    fn done(&mut self, id: &str) -> Answer;
}

impl Writer<'_> {
    /// Kills the process of the moment; false if there is none.
    pub(crate) fn kill(&self) -> bool {
        self.victim.kill(|_| self.bury())
    }

    fn bury(&self) {
        let session = self.session.lock().expect("a session").clone();
        self.ledger.lock().expect("the ledger").bury(&session);
    }

    /// Works by single commands, as a new session after each death.
    pub(crate) fn work_by_commands(&self) {
        self.work(|session| Commands { writer: self, session, token: None });
    }

    /// Works through a server, and a new one after each death.
    pub(crate) fn work_by_server(&self) {
        self.work(|session| Server::start(self, &session));
    }

    fn work<A: Ask>(&self, start: impl Fn(String) -> A) {
        let mut n = 0;
        for life in 0.. {
            let session = format!("{}-{life}", self.name);
            self.session.lock().expect("a session").clone_from(&session);
            let mut ask = start(session.clone());
            while self.turn(&mut ask, &session, n) {
                n += 1;
                if self.over.load(Ordering::SeqCst) {
                    self.bury();
                    return;
                }
            }
            n += 1;
        }
    }

    /// One thing or another; false if that was the end.
    fn turn<A: Ask>(&self, ask: &mut A, session: &str, n: u64) -> bool {
        let note = |told| self.ledger.lock().expect("the ledger").note(told);
        let (id, text) = (self.board.clone(), format!("{} {n}", self.name));
        match n % 8 {
            0 => match ask.add(&text) {
                Answer::Yes(id) => note(Told::Created { id, subject: text }),
                Answer::No => {}
                Answer::Dead => return false,
            },
            1 => return self.job(ask, session),
            _ => match ask.edit(&id, &text) {
                Answer::Yes(_) => note(Told::Edited { id, text }),
                Answer::No => {}
                Answer::Dead => return false,
            },
        }
        true
    }

    /// A task from claim to end.
    fn job<A: Ask>(&self, ask: &mut A, session: &str) -> bool {
        let note = |told| self.ledger.lock().expect("the ledger").note(told);
        let began = Instant::now();
        let id = match ask.next() {
            Answer::Yes(id) => id,
            Answer::No => return true,
            Answer::Dead => return false,
        };
        let (session, at) = (session.to_owned(), Instant::now());
        note(Told::Claimed(Claimed { id: id.clone(), session, began, at, lease: A::LEASE }));
        match ask.done(&id) {
            Answer::Yes(_) => note(Told::Done { id }),
            Answer::No => {}
            Answer::Dead => return false,
        }
        true
    }
}

/// A loop of commands.
struct Commands<'a> {
    writer: &'a Writer<'a>,
    session: String,
    token: Option<String>,
}

impl Commands<'_> {
    fn run(&self, arguments: &[&str]) -> Result<Value, Answer> {
        let Writer { wl, name, ledger, victim, .. } = self.writer;
        let who = ["--json", "--as", name, "--session", &self.session];
        let began = Instant::now();
        let (status, out, err) = victim.run(&mut wl.command(&[arguments, &who].concat()));
        let mut ledger = ledger.lock().expect("the ledger");
        match status.code() {
            Some(0) => ledger.hear(&self.session, began),
            // Refused, or nothing to do: a sign of life all the same.
            Some(3 | 5 | 6) => {
                ledger.hear(&self.session, began);
                return Err(Answer::No);
            }
            // A lock that others held for too long.
            Some(1) if out.contains("locked") => return Err(Answer::No),
            Some(code) => {
                ledger.wrong.push(format!("wl {arguments:?}: exit code {code}: {out}{err}"));
                return Err(Answer::No);
            }
            None => return Err(Answer::Dead),
        }
        serde_json::from_str(&out).map_err(|_| {
            ledger.wrong.push(format!("wl {arguments:?} said {out}"));
            Answer::No
        })
    }

    fn id_of(&self, arguments: &[&str]) -> Answer {
        let id = |it: Value| it["task"]["id"].as_str().expect("an id").to_owned();
        self.run(arguments).map_or_else(|answer| answer, |it| Answer::Yes(id(it)))
    }
}

impl Ask for Commands<'_> {
    const LEASE: Lease = Lease::For(LEASE);

    fn edit(&mut self, board: &str, text: &str) -> Answer {
        self.id_of(&["edit", board, "-d", text])
    }

    fn add(&mut self, subject: &str) -> Answer {
        self.id_of(&["add", subject, "--tag", "job"])
    }

    fn next(&mut self) -> Answer {
        match self.run(&["next", "--tag", "job", "--lease", "1s"]) {
            Ok(claimed) => {
                self.token = Some(claimed["token"].to_string());
                Answer::Yes(claimed["task"]["id"].as_str().expect("an id").to_owned())
            }
            Err(answer) => answer,
        }
    }

    fn done(&mut self, id: &str) -> Answer {
        let token = self.token.take().expect("a token");
        self.id_of(&["done", id, "--token", &token])
    }
}

/// A server that is asked one thing after the other.
struct Server {
    talk: Talk,
    number: u64,
}

impl Server {
    fn start(writer: &Writer<'_>, session: &str) -> Server {
        let wl = writer.wl.with("WORKLIST_SESSION", session).by(&writer.name);
        let mut server = Server { talk: Talk::start(&writer.victim, &mut wl.command(&["mcp"])), number: 0 };
        let about = json!({"name": "storm", "version": "1"});
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about});
        if server.request("initialize", &hello).is_some() {
            server.talk.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        }
        server
    }

    /// The answer to a request; none if the server is dead.
    fn request(&mut self, method: &str, params: &Value) -> Option<Value> {
        self.number += 1;
        let request = json!({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params});
        if !self.talk.say(&request.to_string()) {
            return None;
        }
        loop {
            let answer: Value = serde_json::from_str(&self.talk.hear()?).expect("a message");
            if answer["id"] == self.number {
                return Some(answer);
            }
        }
    }

    /// Calls a tool. The answer is the id behind the verb that says that it was done.
    fn call(&mut self, tool: &str, arguments: &Value, verb: &str) -> Answer {
        let Some(answer) = self.request("tools/call", &json!({"name": tool, "arguments": arguments})) else {
            return Answer::Dead;
        };
        let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
        match text.strip_prefix(verb).and_then(|it| it.strip_prefix(" #")) {
            Some(rest) => Answer::Yes(rest.split_whitespace().next().unwrap_or_default().to_owned()),
            None => Answer::No,
        }
    }
}

impl Ask for Server {
    const LEASE: Lease = Lease::Process;

    fn edit(&mut self, board: &str, text: &str) -> Answer {
        self.call("TaskUpdate", &json!({"taskId": board, "description": text}), "Updated")
    }

    fn add(&mut self, subject: &str) -> Answer {
        self.call("TaskCreate", &json!({"subject": subject, "tags": ["job"]}), "Created")
    }

    fn next(&mut self) -> Answer {
        self.call("TaskNext", &json!({"tag": "job"}), "Claimed")
    }

    fn done(&mut self, id: &str) -> Answer {
        self.call("TaskUpdate", &json!({"taskId": id, "status": "completed"}), "Completed")
    }
}
