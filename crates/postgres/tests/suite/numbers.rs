//! Numbers of claims, which all lists of a database share: never twice, whatever is laid down meanwhile.

use crate::{
    place::{address, server},
    tally::{Tally, sized},
};
use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};
use worklist::{
    Whole,
    conformance::{add, ann, claim},
};
use worklist_postgres::Postgres;

/// A list as it comes from elsewhere, with a claim in it.
fn whole() -> Whole {
    let list = worklist::TaskList::in_memory();
    let id = add(&list, "from elsewhere", &[]);
    claim(&list, &ann(), &id).expect("claimed");
    list.whole().expect("all of it")
}

#[test]
fn a_list_that_is_laid_down_does_not_turn_numbers_back() {
    let database = server().database(Some("prepared"));
    let address = address(server(), &database);
    let (whole, stop) = (whole(), AtomicBool::new(false));
    let drawn: Vec<i64> = thread::scope(|scope| {
        let drawing = scope.spawn(|| {
            let mut client =
                postgres::Client::connect(&server().url(&database), postgres::NoTls).expect("a way");
            let mut drawn = Vec::new();
            while !stop.load(Ordering::SeqCst) {
                let rows =
                    client.query("SELECT nextval('worklist.tokens') FROM generate_series(1, 100)", &[]);
                drawn.extend(rows.expect("numbers").iter().map(|it| it.get::<_, i64>(0)));
            }
            drawn
        });
        for n in 0..sized(40, 1_000) {
            let list = Postgres::create(address.clone(), &format!("laid {n}")).expect("a list").into_list();
            list.found(&whole).expect("laid down");
        }
        stop.store(true, Ordering::SeqCst);
        drawing.join().expect("an end")
    });
    let mut tally = Tally::new("numbers drawn while lists are laid down");
    let mut seen = BTreeSet::new();
    for number in drawn {
        tally.check(seen.insert(number), || format!("{number} was given twice"));
    }
    tally.end();
}

#[test]
fn claims_go_on_from_the_highest_number_that_came() {
    let database = server().database(Some("prepared"));
    let address = address(server(), &database);
    let mut whole = whole();
    let high = 5_000_000;
    whole.entries[0].standing.fence = high;
    let list = Postgres::create(address.clone(), "laid").expect("a list").into_list();
    list.found(&whole).expect("laid down");
    let id = add(&list, "new", &[]);
    let token = claim(&list, &ann(), &id).expect("claimed").decision.token;
    assert!(token > Some(high), "{token:?}");
    whole.entries[0].standing.fence = u64::MAX;
    let other = Postgres::create(address, "too high").expect("a list").into_list();
    assert!(other.found(&whole).is_err(), "nobody could claim anything any more");
    assert_eq!(other.board().expect("a board").tasks.len(), 0);
}
