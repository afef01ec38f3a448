//! Programs and schemas of different ages, and servers that do not keep what they promise.

use crate::place::{address, server};
use std::thread;
use worklist::{
    Command, Error,
    conformance::{add, ann, complete},
    rules::NextTask,
};
use worklist_postgres::{Admin, Postgres, VERSION};

fn open(database: &str) -> Error {
    Postgres::open(address(server(), database), "list").err().expect("not opened")
}

#[test]
fn a_newer_schema_stops_an_older_program() {
    let name = server().database(Some("prepared"));
    Postgres::create(address(server(), &name), "list").expect("a list");
    server().sql(&name, "INSERT INTO worklist.migrations (number, name) VALUES (99, 'to come')");
    let error = open(&name);
    assert_eq!(error.code(), "newer");
    assert!(error.to_string().contains("99"), "{error}");
    let error = Admin::new(address(server(), &name)).migrate().expect_err("not ours to change");
    assert_eq!(error.code(), "newer");
    assert_eq!(server().sql(&name, "SELECT max(number) FROM worklist.migrations"), "99");
}

#[test]
fn an_older_schema_is_named_and_brought_up_only_by_its_owner() {
    let name = server().database(Some("prepared"));
    server().sql(&name, &format!("DELETE FROM worklist.migrations WHERE number = {VERSION}"));
    match open(&name) {
        Error::Older { found, needed, .. } => assert_eq!((found, needed), (VERSION - 1, VERSION)),
        other => panic!("{other}"),
    }
    match open(&server().database(None)) {
        Error::Older { found, needed, .. } => assert_eq!((found, needed), (0, VERSION)),
        other => panic!("{other}"),
    }
}

/// The steps as they were shipped.
const STEPS: [&str; 5] = [
    include_str!("../../migrations/0001_lists.sql"),
    include_str!("../../migrations/0002_reading.sql"),
    include_str!("../../migrations/0003_writing.sql"),
    include_str!("../../migrations/0004_roles.sql"),
    include_str!("../../migrations/0005_plans.sql"),
];

#[test]
fn every_older_schema_is_brought_up_with_what_is_in_it() {
    for (steps, number) in (1..=STEPS.len()).zip(1..) {
        let name = server().database(None);
        server().sql(
            &name,
            "CREATE SCHEMA worklist; CREATE TABLE worklist.migrations
                (number integer PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now())",
        );
        for (number, step) in (1..).zip(&STEPS[..steps]) {
            server().sql(&name, step);
            server()
                .sql(&name, &format!("INSERT INTO worklist.migrations (number, name) VALUES ({number}, '')"));
        }
        server().sql(
            &name,
            r#"INSERT INTO worklist.lists (name, highest) VALUES ('list', 1);
            INSERT INTO worklist.heads (list) VALUES (1);
            INSERT INTO worklist.tasks (list, id, rev, entry, blocks, blocked_by, startable, urgency, made, place) VALUES
                (1, '1', 1, '{"task":{"id":"1","subject":"old","description":"","status":"pending","blocks":[],"blockedBy":[]},
                "standing":{"fence":0}}', '{}', '{}', true, 1, -1, 1)"#,
        );
        let brought = Admin::new(address(server(), &name)).migrate().expect("brought up");
        assert_eq!(brought, (number, VERSION));
        let list = Postgres::open(address(server(), &name), "list").expect("a list").into_list();
        let taken = list.run(&ann(), &Command::Next(NextTask::default())).expect("an answer").decision;
        complete(&list, &ann(), &taken.about[0], taken.token).expect("done");
        assert_eq!(server().sql(&name, "SELECT max(seq), count(*) FROM worklist.events"), "2|2");
    }
}

#[test]
fn migrations_at_once_all_succeed() {
    let name = server().database(None);
    let migrate = |_| {
        let admin = Admin::new(address(server(), &name));
        thread::spawn(move || admin.migrate())
    };
    let running: Vec<_> = (0..4).map(migrate).collect();
    let found: Vec<(i32, i32)> =
        running.into_iter().map(|it| it.join().expect("an end").expect("prepared")).collect();
    assert!(found.iter().all(|it| it.1 == VERSION), "{found:?}");
    assert_eq!(found.iter().filter(|it| it.0 == 0).count(), 1, "{found:?}");
    let list = Postgres::create(address(server(), &name), "list").expect("a list").into_list();
    add(&list, "a task", &[]);
}

#[test]
fn a_server_that_answers_before_it_wrote_is_refused() {
    let name = server().database(Some("prepared"));
    Postgres::create(address(server(), &name), "list").expect("a list");
    server().sql(&name, &format!("ALTER DATABASE {name} SET synchronous_commit = off"));
    let error = open(&name);
    assert!(error.to_string().contains("synchronous_commit"), "{error}");
}

/// A server may end sessions that were quiet for long; the next command finds another way in.
#[test]
fn a_session_that_the_server_ended_is_begun_anew() {
    let name = server().database(Some("prepared"));
    server().sql(&name, &format!("ALTER DATABASE {name} SET idle_session_timeout = '50ms'"));
    let list = Postgres::create(address(server(), &name), "list").expect("a list").into_list();
    let quiet = format!("SELECT count(*) FROM pg_stat_activity WHERE datname = '{name}'");
    for n in 0..10 {
        add(&list, &format!("task {n}"), &[]);
        while server().sql("postgres", &quiet) != "0" {
            thread::yield_now();
        }
    }
    assert_eq!(list.seq().expect("a number"), 10);
}
