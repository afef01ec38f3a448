//! Workers that are processes of their own, to be stopped and killed: told by lines what to do, and telling what came of it.

#![expect(clippy::print_stdout, reason = "a child tells its parent by lines")]

use crate::{audit::Acknowledged, place::open};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command as Process, Stdio},
};
use worklist::{Actor, Command, TaskId, TaskList, conformance::complete, rules::NextTask};
use worklist_postgres::Address;

/// Takes the next task with a lease of so many milliseconds.
pub(crate) fn next(list: &TaskList, actor: &Actor, lease: i64) -> Option<(TaskId, u64)> {
    let wanted = NextTask { lease: Some(lease), ..NextTask::default() };
    let taken = list.run(actor, &Command::Next(wanted)).expect("an answer").decision;
    taken.about.first().cloned().zip(taken.token)
}

/// The part of a child process: takes a task when it is told to, finishes it when it is told to, or works off everything.
#[test]
fn child() {
    let Ok(place) = std::env::var("WORKLIST_CHILD") else { return };
    let words: Vec<&str> = place.split(' ').collect();
    let [url, name, who, lease] = words[..] else { return };
    let list = open(&Address::parse(url, &|_| None).expect("an address"), name);
    let (actor, lease) = (Actor::new(who, format!("session-{who}")), lease.parse().expect("a lease"));
    let mut held = None;
    for order in std::io::stdin().lines().map_while(Result::ok) {
        match order.as_str() {
            "take" => {
                held = next(&list, &actor, lease);
                println!("\n@took {held:?}");
            }
            "finish" => finish(&list, &actor, held.as_ref().expect("a task")),
            _ => {
                while let Some(held) = next(&list, &actor, lease) {
                    finish(&list, &actor, &held);
                }
                println!("\n@nothing");
            }
        }
    }
}

fn finish(list: &TaskList, actor: &Actor, (id, token): &(TaskId, u64)) {
    match complete(list, actor, id, Some(*token)) {
        Ok(done) => println!("\n@done {id} {token} {}", done.event.expect("an event").seq),
        Err(error) => println!("\n@{}", error.code()),
    }
}

/// A child process and the ways to it.
pub(crate) struct Worker {
    process: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Worker {
    pub(crate) fn start(url: &str, name: &str, who: &str, lease: i64) -> Worker {
        let mut process = Process::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "worker::child", "--nocapture", "--test-threads=1"])
            .env("WORKLIST_CHILD", format!("{url} {name} {who} {lease}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a child");
        let orders = process.stdin.take().expect("a pipe");
        let answers = BufReader::new(process.stdout.take().expect("a pipe"));
        Worker { process, orders, answers }
    }

    pub(crate) fn order(&mut self, order: &str) {
        writeln!(self.orders, "{order}").expect("an order");
    }

    /// What it says next; nothing if it is dead.
    pub(crate) fn answer(&mut self) -> Option<String> {
        let mut lines = (&mut self.answers).lines().map_while(Result::ok);
        lines.find_map(|it| it.strip_prefix('@').map(str::to_owned))
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.process.id().cast_signed()).expect("a process");
        kill_process(pid, signal).expect("a signal");
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

/// What a worker says that it finished.
pub(crate) fn acknowledged(said: &str) -> Option<Acknowledged> {
    let words: Vec<&str> = said.split(' ').collect();
    let ["done", id, token, seq] = words[..] else { return None };
    let (token, seq) = (token.parse().expect("a number"), seq.parse().expect("a number"));
    Some(Acknowledged { id: TaskId::found(id), token, seq })
}
