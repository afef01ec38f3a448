//! A list that its owner removes from the database by hand, while others work on it: all of it goes, and nothing comes after.

use crate::place::{address, fresh_list, open, server};
use std::thread;
use worklist::{
    Actor, Command,
    conformance::{add, complete},
    rules::NextTask,
};

const TABLES: [&str; 6] = ["lists", "heads", "tasks", "events", "touched", "sessions"];

#[test]
fn nothing_is_left_of_a_list_that_goes() {
    let database = server().database(Some("prepared"));
    let address = address(server(), &database);
    for round in 0..5 {
        let name = fresh_list(&address);
        let list = open(&address, &name);
        for n in 0..40 {
            add(&list, &format!("task {n}"), &[]);
        }
        thread::scope(|scope| {
            let (address, name) = (&address, &name);
            for who in 0..4 {
                let (list, actor) = (open(address, name), Actor::new(format!("w{who}"), format!("s{who}")));
                scope.spawn(move || {
                    // Until the list is gone.
                    while let Ok(next) = list.run(&actor, &Command::Next(NextTask::default())) {
                        let Some(id) = next.decision.about.first() else { return };
                        if complete(&list, &actor, id, next.decision.token).is_err() {
                            return;
                        }
                    }
                });
            }
            let begun = format!("SELECT count(*) > {} FROM worklist.events", 40 + round);
            while server().sql(&database, &begun) != "t" {
                thread::yield_now();
            }
            server().sql(&database, &format!("DELETE FROM worklist.lists WHERE name = '{name}'"));
        });
        for table in TABLES {
            let left = server().sql(&database, &format!("SELECT count(*) FROM worklist.{table}"));
            assert_eq!(left, "0", "round {round}: {table}");
        }
    }
}
