//! A verb of which nothing is known may look at everything: nobody else writes meanwhile, not even who only takes a task.

use crate::place::{address, fresh_list, open, server};
use std::{sync::Barrier, thread};
use worklist::{
    Actor, Command,
    claim::Entry,
    conformance::{add, ann},
    rules::{ClaimTask, Decision, Request},
    store::Store,
    time::Time,
};
use worklist_postgres::Postgres;

#[test]
fn an_unknown_verb_keeps_a_list_from_everybody() {
    let database = server().database(Some("prepared"));
    let address = address(server(), &database);
    let name = fresh_list(&address);
    let list = open(&address, &name);
    let id = add(&list, "a task", &[]);
    let store = Postgres::open(address.clone(), &name).expect("the list");
    let request = Request { actor: ann(), now: Time(0), lenient: false };
    let begun = Barrier::new(2);
    thread::scope(|scope| {
        scope.spawn(|| {
            begun.wait();
            let bob = Actor::new("bob", "bob");
            list.run(&bob, &Command::Claim(ClaimTask::of(id.clone()))).expect("a claim");
        });
        let looked = store.transact(&request, "unheard-of", &mut |tasks| {
            let is_claimed = |it: &Entry| it.standing.claim.is_some();
            assert!(!tasks.all().iter().any(|it| is_claimed(it)), "nobody has it yet");
            begun.wait();
            // Until the other has taken it, or waits for us.
            let waits = format!(
                "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = '{database}' AND wait_event_type = 'Lock')"
            );
            let taken = "SELECT EXISTS (SELECT FROM worklist.tasks WHERE session IS NOT NULL)";
            while server().sql("postgres", &waits) != "t" && server().sql(&database, taken) != "t" {
                thread::yield_now();
            }
            assert_eq!(server().sql(&database, taken), "f", "it was taken while everything was looked at");
            Ok(Decision::default())
        });
        looked.expect("looked at");
    });
    assert!(list.show(&id).expect("a look").is_some_and(|it| it.claim.is_some()), "it was taken afterwards");
}
