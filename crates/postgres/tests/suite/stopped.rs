//! Workers that are stopped past their lease and go on as if nothing had happened: what they bring is too late.

use crate::{
    audit::{Acknowledged, faults},
    place::{address, fresh_list, open, server},
    tally::{Tally, sized},
};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command as Process, Stdio},
    sync::Arc,
};
use worklist::{
    Actor, Command, TaskId, TaskList,
    conformance::{add, bob, complete},
    rules::NextTask,
    store::Store,
};
use worklist_postgres::{Address, Postgres};

const LEASE_MS: i64 = 150;

fn next(list: &TaskList, actor: &Actor) -> Option<(TaskId, u64)> {
    let wanted = NextTask { lease: Some(LEASE_MS), ..NextTask::default() };
    let taken = list.run(actor, &Command::Next(wanted)).expect("an answer").decision;
    taken.about.first().cloned().zip(taken.token)
}

/// The part of a child process: takes a task when it is told to, finishes it when it is told to.
#[test]
fn child() {
    let Ok(place) = std::env::var("WORKLIST_CHILD") else { return };
    let (url, name) = place.split_once(' ').expect("a place");
    let list = open(&Address::parse(url, &|_| None).expect("an address"), name);
    let actor = Actor::new("stopped", "session-stopped");
    let mut held = None;
    for order in std::io::stdin().lines().map_while(Result::ok) {
        match (order.as_str(), &held) {
            ("take", _) => {
                held = next(&list, &actor);
                let (id, token) = held.as_ref().expect("a task");
                println!("\n@took {id} {token}");
            }
            (_, Some((id, token))) => match complete(&list, &actor, id, Some(*token)) {
                Ok(_) => println!("\n@done"),
                Err(error) => println!("\n@{}", error.code()),
            },
            (_, None) => return,
        }
    }
}

/// A child process and the ways to it.
struct Worker {
    process: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Worker {
    fn start(url: &str, name: &str) -> Worker {
        let mut process = Process::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "stopped::child", "--nocapture", "--test-threads=1"])
            .env("WORKLIST_CHILD", format!("{url} {name}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a child");
        let orders = process.stdin.take().expect("a pipe");
        let answers = BufReader::new(process.stdout.take().expect("a pipe"));
        Worker { process, orders, answers }
    }

    fn order(&mut self, order: &str) {
        writeln!(self.orders, "{order}").expect("an order");
    }

    fn answer(&mut self) -> String {
        let mut lines = (&mut self.answers).lines().map_while(Result::ok);
        lines.find_map(|it| it.strip_prefix('@').map(str::to_owned)).expect("an answer")
    }

    fn signal(&self, signal: Signal) {
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

#[test]
fn what_a_worker_brings_after_its_lease_is_refused() {
    let database = server().database(Some("prepared"));
    let address = address(server(), &database);
    let name = fresh_list(&address);
    let store = Arc::new(Postgres::open(address.clone(), &name).expect("the list"));
    let list = TaskList::of_store(store.clone(), store.clock());
    let mut worker = Worker::start(&server().url(&database), &name);
    let mut tally = Tally::new("workers stopped past their lease");
    let mut told = Vec::new();
    for n in 0..sized(20, 200) {
        let id = add(&list, &format!("task {n}"), &[]);
        worker.order("take");
        let took = worker.answer();
        worker.signal(Signal::STOP);
        // The task is free when the lease is over, and not before.
        let (taken, token) = std::iter::repeat_with(|| next(&list, &bob()))
            .find_map(|it| {
                let nothing = it.is_none();
                nothing.then(|| store.wait(20));
                it
            })
            .expect("a task");
        assert_eq!(taken, id, "{took}");
        worker.order("finish");
        worker.signal(Signal::CONT);
        let said = worker.answer();
        tally.check(said == "stale_token", || format!("{took}: {said}"));
        let done = complete(&list, &bob(), &id, Some(token)).expect("done");
        told.push(Acknowledged { id, token, seq: done.event.expect("an event").seq });
    }
    let faults = faults(&list, &told);
    tally.check(faults.is_empty(), || format!("{faults:?}"));
    tally.end();
}
