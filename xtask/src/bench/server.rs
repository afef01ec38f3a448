//! The MCP server on its standard streams: how long until it says what it can do, and how many calls it answers one after
//! the other. Not a client for use: it sends a line and waits for the line that answers it.

use super::{
    Bench, Measured,
    figures::{Figure, Unit},
    limits::Limit,
    lists::List,
    program::{self, Program},
};
use std::{
    io::{self, BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Stdio},
    time::Instant,
};
use worklist::json::{self, Json, Object, Style};

const SIZE: usize = 1_000;
const VERSION: &str = "2025-06-18";

/// A tool with its arguments for the nth call.
struct Call {
    name: &'static str,
    tool: &'static str,
    arguments: fn(&List, usize) -> Object,
}

const CALLS: [Call; 3] = [
    Call { name: "TaskGet", tool: "TaskGet", arguments: |list, n| of_task(list, n) },
    Call {
        name: "TaskUpdate",
        tool: "TaskUpdate",
        arguments: |list, n| of_task(list, n).with("activeForm", format!("Doing it for the {n}. time")),
    },
    Call {
        name: "TaskCreate",
        tool: "TaskCreate",
        arguments: |_, n| Object::new().with("subject", format!("New {n}")).with("description", "As told."),
    },
];

/// A server that runs.
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    number: usize,
}

pub(super) fn run(bench: &mut Bench) -> io::Result<Vec<Measured>> {
    let list = List::make(&bench.place.join("served"), SIZE)?;
    let (mut versions, mut starts) = (Vec::new(), Vec::new());
    for _ in 0..bench.repeats(40, 8) {
        versions.push(program::time(&mut bench.program.command(&["--version"]))?.as_secs_f64());
        starts.push(start(&bench.program, &list.folder)?);
    }
    let row = |name, samples| Measured::new(name, SIZE, Figure::median(samples, Unit::Seconds));
    let mut rows = vec![row("wl --version", versions), row("start to tools/list", starts)];
    rows.extend(calls(bench, &list)?.into_iter().map(|(name, samples)| row(name, samples)));
    Ok(rows)
}

/// Seconds from nothing to the first answer about tools.
fn start(program: &Program, folder: &Path) -> io::Result<f64> {
    let started = Instant::now();
    let mut server = Server::greeted(program, folder)?;
    server.ask("tools/list", Object::new())?;
    let took = started.elapsed().as_secs_f64();
    server.end()?;
    Ok(took)
}

/// Calls of each kind in turn, with a flush of the disk between them, over one connection.
fn calls(bench: &mut Bench, list: &List) -> io::Result<Vec<(&'static str, Vec<f64>)>> {
    let mut server = Server::greeted(&bench.program, &list.folder)?;
    let mut times: Vec<(&str, Vec<f64>)> = CALLS.iter().map(|it| (it.name, Vec::new())).collect();
    let mut flushes = Vec::new();
    for round in 0..bench.repeats(300, 60) {
        flushes.push(bench.limit(Limit::Append, SIZE)?.as_secs_f64());
        for (call, (_, times)) in CALLS.iter().zip(&mut times) {
            let arguments = (call.arguments)(list, round);
            let started = Instant::now();
            let parameters = Object::new().with("name", call.tool).with("arguments", arguments);
            server.ask("tools/call", parameters)?;
            times.push(started.elapsed().as_secs_f64());
        }
    }
    server.end()?;
    times.push(("append and fdatasync", flushes));
    Ok(times)
}

fn of_task(list: &List, round: usize) -> Object {
    Object::new().with("taskId", list.id(round))
}

impl Server {
    fn greeted(program: &Program, folder: &Path) -> io::Result<Server> {
        let mut command = program.command(&["mcp", "--dir", &folder.display().to_string()]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let streams = child.stdin.take().zip(child.stdout.take());
        let (input, output) = streams.ok_or(io::ErrorKind::BrokenPipe)?;
        let mut server = Server { child, input, output: BufReader::new(output), number: 0 };
        let client = Object::new().with("name", "bench").with("version", "1");
        let hello = Object::new().with("protocolVersion", VERSION).with("capabilities", Object::new());
        server.ask("initialize", hello.with("clientInfo", client))?;
        server.send(Object::new().with("method", "notifications/initialized"))?;
        Ok(server)
    }

    fn send(&mut self, message: Object) -> io::Result<()> {
        let text = json::write(&message.with("jsonrpc", "2.0").into(), Style::COMPACT, "") + "\n";
        self.input.write_all(text.as_bytes())
    }

    /// Sends a request and reads up to its answer, which must be a good one.
    fn ask(&mut self, method: &str, parameters: Object) -> io::Result<()> {
        self.number += 1;
        let number = self.number;
        self.send(Object::new().with("id", number).with("method", method).with("params", parameters))?;
        let mut line = String::new();
        loop {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                return Err(io::Error::other(format!("the server ended at {method}")));
            }
            let answer = json::parse(&line).map_err(io::Error::other)?;
            let Some(answer) = answer.as_object() else { continue };
            if answer.get("id").and_then(Json::as_u64) == u64::try_from(number).ok() {
                return if is_good(answer) {
                    Ok(())
                } else {
                    Err(io::Error::other(format!("{method}: {line}")))
                };
            }
        }
    }

    fn end(mut self) -> io::Result<()> {
        drop(self.input);
        self.child.wait().map(drop)
    }
}

fn is_good(answer: &Object) -> bool {
    let result = answer.get("result").and_then(Json::as_object);
    result.is_some_and(|it| it.get("isError") != Some(&Json::Bool(true)))
}
