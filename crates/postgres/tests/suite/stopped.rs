//! Workers that are stopped past their lease and go on as if nothing had happened, and workers that are killed: what comes
//! too late is refused, and what was told stays.

use crate::{
    audit::{Acknowledged, faults},
    drain::graph,
    place::{address, fresh_list, open, server},
    tally::{Tally, sized},
    worker::{Worker, acknowledged, next},
};
use rustix::process::Signal;
use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};
use worklist::{
    Command, TaskList,
    conformance::{add, ann, bob, complete},
    rules::ClaimTask,
    store::Store,
};
use worklist_postgres::Postgres;

const LEASE_MS: i64 = 150;

#[test]
fn what_a_worker_brings_after_its_lease_is_refused() {
    let database = server().database(Some("prepared"));
    let address = address(server(), &database);
    let name = fresh_list(&address);
    let store = Arc::new(Postgres::open(address.clone(), &name).expect("the list"));
    let list = TaskList::of_store(store.clone(), store.clock());
    let mut worker = Worker::start(&server().url(&database), &name, "stopped", LEASE_MS);
    let mut tally = Tally::new("workers stopped past their lease");
    let mut told = Vec::new();
    for n in 0..sized(20, 200) {
        let id = add(&list, &format!("task {n}"), &[]);
        worker.order("take");
        let took = worker.answer().expect("an answer");
        worker.signal(Signal::STOP);
        // The task is free when the lease is over, and not before.
        let (taken, token) = std::iter::repeat_with(|| next(&list, &bob(), LEASE_MS))
            .find_map(|it| {
                it.is_none().then(|| store.wait(20));
                it
            })
            .expect("a task");
        assert_eq!(taken, id, "{took}");
        worker.order("finish");
        worker.signal(Signal::CONT);
        let said = worker.answer().expect("an answer");
        tally.check(said == "stale_token", || format!("{took}: {said}"));
        let done = complete(&list, &bob(), &id, Some(token)).expect("done");
        told.push(Acknowledged { id, token, seq: done.event.expect("an event").seq });
    }
    let faults = faults(&list, &told);
    tally.check(faults.is_empty(), || format!("{faults:?}"));
    tally.end();
}

/// Works off a list with a worker that is killed when it was told so often that something is done, and followed by another.
fn killed(url: &str, name: &str, who: usize, kills: usize) -> Vec<Acknowledged> {
    let mut told = Vec::new();
    for life in 0..=kills {
        let mut worker = Worker::start(url, name, &format!("worker-{who}-{life}"), LEASE_MS);
        worker.order("drain");
        let mut lived = 0;
        while let Some(said) = worker.answer() {
            told.extend(acknowledged(&said));
            lived += 1;
            if life < kills && lived == 2 + (who + life) % 3 {
                // Some moment later: between two tasks, within a command, or with a task in its hands. What it says until it
                // is dead still counts.
                thread::sleep(Duration::from_micros((who + 3 * life) as u64 * 1_300 % 9_000));
                worker.signal(Signal::KILL);
            } else if said == "nothing" {
                break;
            }
        }
    }
    told
}

#[test]
fn workers_that_are_killed_lose_and_double_nothing() {
    const WORKERS: usize = 3;
    let kills = sized(5, 100);
    let database = server().database(Some("prepared"));
    let (address, url) = (address(server(), &database), server().url(&database));
    let name = fresh_list(&address);
    let list = open(&address, &name);
    list.run(&ann(), &graph(WORKERS * kills * 4)).expect("a plan");
    let mut told: Vec<Acknowledged> = thread::scope(|scope| {
        let (url, name) = (&url, &name);
        let running: Vec<_> =
            (0..WORKERS).map(|who| scope.spawn(move || killed(url, name, who, kills))).collect();
        running.into_iter().flat_map(|it| it.join().expect("an end")).collect()
    });
    // What the dead held is free when their leases are over, or parked if they died of it too often.
    let until = Instant::now() + Duration::from_mins(1);
    while let Some(left) = list.board().expect("a board").tasks.into_iter().find(|it| it.task.is_open())
        && Instant::now() < until
    {
        let forced = ClaimTask { force: true, ..ClaimTask::of(left.task.id.clone()) };
        let parked = || list.run(&bob(), &Command::Claim(forced)).expect("claimed").decision.token;
        let taken = next(&list, &bob(), LEASE_MS).or_else(|| {
            thread::sleep(Duration::from_millis(20));
            left.parked.then(parked).flatten().map(|token| (left.task.id.clone(), token))
        });
        let Some((id, token)) = taken else { continue };
        let done = complete(&list, &bob(), &id, Some(token)).expect("done");
        told.push(Acknowledged { id, token, seq: done.event.expect("an event").seq });
    }
    let faults = faults(&list, &told);
    let mut tally = Tally::new("workers killed on the way");
    for kill in 0..WORKERS * kills {
        tally.check(kill > 0 || faults.is_empty(), || format!("{faults:?}"));
    }
    tally.end();
}
