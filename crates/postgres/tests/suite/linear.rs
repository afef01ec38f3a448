//! Histories of several on one list whose connections are cut again and again: for each there must be an order of single
//! steps that explains every answer.

use crate::{
    place::{address, fresh_list, open, server},
    tally::{Tally, sized},
};
use stateright::semantics::{ConsistencyTester, LinearizabilityTester, SequentialSpec};
use std::{
    sync::{
        Arc, Barrier,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};
use worklist::{
    Actor, Error, TaskId, TaskList,
    conformance::{add, claim, complete, release},
};
use worklist_postgres::Address;

const WHO: usize = 3;
const ASKS: u64 = 8;

/// What is asked of the one task, and by whom.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Ask {
    Claim(usize),
    Release(usize),
    Complete(usize),
    Look,
}

/// What was answered. A look tells who is the owner and whether the task is done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Said {
    Yes,
    No(&'static str),
    Seen(Option<String>, bool),
}

/// The task as one thing that does one step at a time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Reference {
    holder: Option<usize>,
    done: bool,
}

impl SequentialSpec for Reference {
    type Op = Ask;
    type Ret = Said;

    fn invoke(&mut self, ask: &Ask) -> Said {
        match ask {
            Ask::Look => return Said::Seen(self.holder.map(name), self.done),
            _ if self.done => return Said::No("already_resolved"),
            Ask::Claim(_) if self.holder.is_some() => return Said::No("already_claimed"),
            Ask::Claim(who) => self.holder = Some(*who),
            Ask::Release(who) if self.holder == Some(*who) => self.holder = None,
            Ask::Complete(who) if self.holder == Some(*who) => self.done = true,
            Ask::Release(_) | Ask::Complete(_) => return Said::No("stale_token"),
        }
        Said::Yes
    }
}

fn name(who: usize) -> String {
    format!("agent-{who}")
}

fn chosen(who: usize, chance: u64) -> Ask {
    match chance % 8 {
        0..=3 => Ask::Claim(who),
        4 | 5 => Ask::Release(who),
        6 if who == 0 => Ask::Complete(who),
        _ => Ask::Look,
    }
}

fn ask(list: &TaskList, id: &TaskId, ask: &Ask) -> Said {
    let actor = |who: &usize| Actor::new(name(*who), format!("session-{who}"));
    let result = match ask {
        Ask::Claim(who) => claim(list, &actor(who), id),
        Ask::Release(who) => release(list, &actor(who), id),
        // Without a number one who holds nothing could finish what nobody holds.
        Ask::Complete(who) => {
            let held =
                list.show(id).expect("a look").and_then(|it| it.claim).filter(|it| it.by == actor(who));
            complete(list, &actor(who), id, Some(held.map_or(u64::MAX, |it| it.token)))
        }
        Ask::Look => {
            let task = list.show(id).expect("a look").expect("there").task;
            return Said::Seen(task.owner.clone(), !task.is_open());
        }
    };
    match result {
        Ok(_) => Said::Yes,
        Err(Error::Refused(refusal)) => Said::No(refusal.code()),
        Err(other) => panic!("{other}"),
    }
}

/// One thing that happened: when, to whom, and an ask or an answer.
type Happened = (u64, usize, Result<Ask, Said>);

/// Lets some loose on one task at the same moment.
fn history(address: &Address, seed: u64) -> Vec<Happened> {
    let list_name = fresh_list(address);
    let id = add(&open(address, &list_name), "the task", &[]);
    let (step, begin) = (AtomicU64::new(0), Barrier::new(WHO));
    let mut happened: Vec<Happened> = thread::scope(|scope| {
        let (list_name, id, step, begin) = (&list_name, &id, &step, &begin);
        let run = |who: usize| {
            scope.spawn(move || {
                let list = open(address, list_name);
                let mut chance = seed * 1_000 + who as u64;
                begin.wait();
                let mut happened = Vec::new();
                for _ in 0..ASKS {
                    chance = chance
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    let asked = chosen(who, chance >> 33);
                    happened.push((step.fetch_add(1, Ordering::SeqCst), who, Ok(asked.clone())));
                    let said = ask(&list, id, &asked);
                    happened.push((step.fetch_add(1, Ordering::SeqCst), who, Err(said)));
                }
                happened
            })
        };
        let running: Vec<_> = (0..WHO).map(run).collect();
        running.into_iter().flat_map(|it| it.join().expect("an end")).collect()
    });
    happened.sort_by_key(|it| it.0);
    happened
}

fn is_explained(happened: &[Happened]) -> bool {
    let mut tester = LinearizabilityTester::new(Reference::default());
    let noted = happened.iter().all(|(_, who, what)| match what {
        Ok(ask) => tester.on_invoke(*who, ask.clone()).is_ok(),
        Err(said) => tester.on_return(*who, said.clone()).is_ok(),
    });
    noted && tester.is_consistent()
}

/// Cuts every connection of a database again and again, until it is told to stop: how often one was cut.
fn cut(database: String, stop: Arc<AtomicBool>) -> thread::JoinHandle<u64> {
    thread::spawn(move || {
        let url = server().url("postgres");
        let mut client = postgres::Client::connect(&url, postgres::NoTls).expect("a connection");
        let question = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = $1";
        let mut cuts = 0;
        while !stop.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(25));
            let row = client.query_one(question, &[&database]).expect("cut");
            cuts += row.get::<_, i64>(0).unsigned_abs();
        }
        cuts
    })
}

#[test]
fn every_history_has_an_order_while_connections_are_cut() {
    let database = server().database(Some("prepared"));
    let address = address(server(), &database);
    let stop = Arc::<AtomicBool>::default();
    let cutting = cut(database, stop.clone());
    let mut tally = Tally::new("histories of 3 whose connections are cut");
    for seed in 0..sized(40, 1_000) {
        let happened = history(&address, seed);
        tally.check(is_explained(&happened), || format!("seed {seed}: {happened:?}"));
    }
    stop.store(true, Ordering::SeqCst);
    let cuts = cutting.join().expect("an end");
    println!("{cuts} connections were cut");
    assert!(cuts > 20, "only {cuts} connections were cut");
    tally.end();
}

/// The checker itself: what cannot have happened is found out.
#[test]
fn two_who_both_have_the_task_are_found_out() {
    let both = [
        (0, 0, Ok(Ask::Claim(0))),
        (1, 1, Ok(Ask::Claim(1))),
        (2, 0, Err(Said::Yes)),
        (3, 1, Err(Said::Yes)),
    ];
    assert!(!is_explained(&both));
    let mut one = both.clone();
    one[3].2 = Err(Said::No("already_claimed"));
    assert!(is_explained(&one));
}
