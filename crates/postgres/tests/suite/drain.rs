//! A graph that is worked off by several at once while the server crashes under them.

use crate::{
    audit::{Acknowledged, faults},
    place::{address, fresh_list, open, prepared},
    tally::{Tally, sized},
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use worklist::{
    Actor, Command, Error, NewTask, TaskList,
    conformance::{ann, complete},
    rules::{NextTask, Plan, PlanTask},
    store::Store,
};
use worklist_postgres::{Address, Postgres};

const TASKS: usize = 300;
const WORKERS: usize = 4;

/// Tasks of which each waits for two before it, a few levels deep.
pub(crate) fn graph(tasks: usize) -> Command {
    let name = |n: usize| format!("t{n}");
    let task = |n: usize| PlanTask {
        name: Some(name(n)),
        after: if n < 10 { vec![] } else { vec![name(n - 10), name(n - 7)] },
        task: NewTask { subject: name(n), ..NewTask::default() },
        ..PlanTask::default()
    };
    Command::Plan(Plan { key: None, tasks: (0..tasks).map(task).collect() })
}

/// So long it may take: what is lost or held by nobody would be waited for in vain.
const ENOUGH: Duration = Duration::from_mins(2);

/// How far the workers are.
struct Progress {
    begun: Instant,
    done: AtomicUsize,
    /// Somebody was told something that nobody should be told: the others need not wait for it.
    failed: AtomicBool,
}

impl Progress {
    fn new() -> Progress {
        Progress { begun: Instant::now(), done: AtomicUsize::new(0), failed: AtomicBool::new(false) }
    }

    fn is_over(&self, done: usize) -> bool {
        let failed = self.failed.load(Ordering::SeqCst) || self.begun.elapsed() > ENOUGH;
        failed || self.done.load(Ordering::SeqCst) >= done
    }
}

/// One worker: takes and finishes until everything is done. What it was told.
fn work(
    address: &Address,
    name: &str,
    number: usize,
    progress: &Progress,
) -> Result<Vec<Acknowledged>, Error> {
    let store = Arc::new(Postgres::open(address.clone(), name)?);
    let list = TaskList::of_store(store.clone(), store.clock());
    let actor = Actor::new(format!("worker-{number}"), format!("session-{number}"));
    let mut told = Vec::new();
    while !progress.is_over(TASKS) {
        let taken = list.run(&actor, &Command::Next(NextTask::default()))?.decision;
        let (Some(id), Some(token)) = (taken.about.first(), taken.token) else {
            store.wait(50);
            continue;
        };
        let seq = complete(&list, &actor, id, Some(token))?.event.map_or(0, |it| it.seq);
        told.push(Acknowledged { id: id.clone(), token, seq });
        progress.done.fetch_add(1, Ordering::SeqCst);
    }
    Ok(told)
}

#[test]
fn a_server_that_crashes_under_workers_loses_and_doubles_nothing() {
    let crashes = sized(3, 20);
    let mut tally = Tally::new("crashes of the server while 4 workers drain 300 tasks");
    // So many in one graph; each crash costs a worker its answer and the server a recovery.
    for at_once in std::iter::repeat_n(sized(3, 4), crashes / sized(3, 4)) {
        let server = prepared(&[]);
        let address = address(&server, "prepared");
        let name = fresh_list(&address);
        let list = open(&address, &name);
        list.run(&ann(), &graph(TASKS)).expect("a plan");
        let progress = Progress::new();
        let outcomes: Vec<Result<Vec<Acknowledged>, Error>> = thread::scope(|scope| {
            let (address, name, progress) = (&address, name.as_str(), &progress);
            let run = |n| {
                let outcome = work(address, name, n, progress);
                progress.failed.fetch_or(outcome.is_err(), Ordering::SeqCst);
                outcome
            };
            let workers: Vec<_> = (0..WORKERS).map(|n| scope.spawn(move || run(n))).collect();
            for crash in 1..=at_once {
                while !progress.is_over(TASKS * crash / (at_once + 1)) {
                    thread::sleep(Duration::from_millis(1));
                }
                server.crash();
                server.up();
            }
            workers.into_iter().map(|it| it.join().expect("an end")).collect()
        });
        let told: Vec<_> = outcomes.into_iter().flat_map(|it| it.expect("an answer")).collect();
        let faults = faults(&list, &told);
        for crash in 0..at_once {
            tally.check(crash > 0 || faults.is_empty(), || format!("{faults:?}"));
        }
    }
    tally.end();
}
