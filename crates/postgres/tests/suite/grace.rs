//! A server that was away: nobody could give it a sign of life, so nobody is thought dead for that.

use crate::place::{address, database, fresh_list, open, prepared};
use rustix::process::{Pid, Signal, kill_process};
use std::{thread, time::Duration};
use worklist::{
    Actor, Command, TaskId, TaskList,
    conformance::{add, ann, bob, claim, refusal},
    rules::{ClaimTask, NextTask},
};

/// Long enough for a server to come back, and for a test to wait for its end.
const LEASE_MS: i64 = 5_000;

/// As if the last signs had been given so long before a server that was away for an hour.
const AN_HOUR_AGO: &str = "UPDATE worklist.sessions SET seen = worklist.now_ms() - 3600000";

#[test]
fn a_server_that_comes_back_thinks_nobody_dead_before_a_lease_is_over() {
    let server = prepared(&[]);
    let address = address(&server, "prepared");
    let name = fresh_list(&address);
    let (list, other) = (open(&address, &name), open(&address, &name));
    let (held, leased) = (add(&list, "held by a process", &[]), add(&list, "held by a lease", &[]));
    let carl = Actor::new("carl", "session-carl");
    let guard = list.hold_session(&ann()).expect("an answer").expect("held");
    claim(&list, &ann(), &held).expect("claimed");
    let lease = ClaimTask { lease: Some(LEASE_MS), ..ClaimTask::of(leased.clone()) };
    list.run(&carl, &Command::Claim(lease)).expect("claimed");

    server.sql("prepared", AN_HOUR_AGO);
    server.crash();
    server.up();
    for id in [&held, &leased] {
        assert_eq!(refusal(claim(&other, &bob(), id)).code(), "already_claimed", "{id}");
    }
    assert_eq!(taken(&other), [], "everything is held");
    // Its own next command does not make a session one without a process.
    for _ in 0..2 {
        let another = other.hold_session(&ann()).expect("an answer");
        assert!(another.is_none(), "another process is ann's session");
        server.sql("prepared", AN_HOUR_AGO);
        list.renew(&ann()).expect("a sign of life");
    }
    assert!(guard.stands());

    // From then on a lease runs as ever.
    assert_eq!(freed(&other), [leased]);
}

/// A process of the server dies: the others start again with it, and what is known of the server's start is of long ago.
#[test]
fn a_server_of_which_one_process_died_thinks_nobody_dead_either() {
    let server = prepared(&[]);
    let address = address(&server, "prepared");
    let name = fresh_list(&address);
    let (list, other) = (open(&address, &name), open(&address, &name));
    let id = add(&list, "held by a lease", &[]);
    let claim_it = ClaimTask { lease: Some(LEASE_MS), ..ClaimTask::of(id.clone()) };
    list.run(&ann(), &Command::Claim(claim_it)).expect("claimed");
    let age = "SELECT clock_timestamp() - pg_postmaster_start_time() > interval '6 s'";
    while server.sql("prepared", age) != "t" {
        thread::sleep(Duration::from_millis(100));
    }
    server.sql("prepared", AN_HOUR_AGO);
    let mut doomed =
        postgres::Client::connect(&server.url("prepared"), postgres::NoTls).expect("a connection");
    let pid: i32 = doomed.query_one("SELECT pg_backend_pid()", &[]).expect("a process").get(0);
    kill_process(Pid::from_raw(pid).expect("a process"), Signal::KILL).expect("a kill");
    while doomed.simple_query("SELECT 1").is_ok() {
        thread::yield_now();
    }
    assert_eq!(taken(&other), [], "nobody could give a sign of life");
    assert_eq!(freed(&other), [id]);
}

#[test]
fn without_a_crash_silence_means_what_it_says() {
    let address = database();
    let name = fresh_list(&address);
    let list = open(&address, &name);
    let id = add(&list, "held by a lease", &[]);
    let short = ClaimTask { lease: Some(300), ..ClaimTask::of(id.clone()) };
    list.run(&ann(), &Command::Claim(short)).expect("claimed");
    assert_eq!(freed(&open(&address, &name)), [id]);
}

/// What bob is given.
fn taken(list: &TaskList) -> Vec<TaskId> {
    list.run(&bob(), &Command::Next(NextTask::default())).expect("an answer").decision.about
}

/// What bob is given in the end.
fn freed(list: &TaskList) -> Vec<TaskId> {
    let tries = std::iter::repeat_with(|| {
        thread::sleep(Duration::from_millis(50));
        taken(list)
    });
    tries.take(400).find(|it| !it.is_empty()).unwrap_or_default()
}
