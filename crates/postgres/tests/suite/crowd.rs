//! Many at once on one list, who plan, link, take, finish and give back: nobody is turned away, and no two wait for each
//! other. Not what each is given: the conformance suite has that.

use crate::{
    audit::faults_on_the_way,
    place::{address, fresh_list, open, server},
    tally::{Tally, sized},
};
use std::thread;
use worklist::{
    Actor, Command, Error, NewTask, TaskList,
    conformance::{add, complete, release},
    rules::{Edit, NextTask},
};

const CROWD: u64 = 10;

/// One step of somebody, by chance.
fn step(list: &TaskList, actor: &Actor, chance: u64) -> Result<(), Error> {
    match chance % 8 {
        0 => {
            let new = NewTask { subject: "new".to_owned(), ..NewTask::default() };
            list.run(actor, &Command::Create(new)).map(|_| ())
        }
        1 => {
            // Two that are there; a circle is refused, and that is an answer.
            let tasks = list.board()?.tasks;
            let any = |n: u64| tasks[usize::try_from(n).unwrap_or(0) % tasks.len()].task.id.clone();
            let edit = Edit { add_blocked_by: vec![any(chance >> 8)], ..Edit::of(any(chance >> 20)) };
            list.run(actor, &Command::Edit(edit)).map(|_| ())
        }
        what => {
            let taken = list.run(actor, &Command::Next(NextTask::default()))?.decision;
            let (Some(id), token) = (taken.about.first(), taken.token) else { return Ok(()) };
            let ended = if what == 2 { release(list, actor, id) } else { complete(list, actor, id, token) };
            ended.map(|_| ())
        }
    }
}

#[test]
fn nobody_in_a_crowd_is_turned_away() {
    let database = server().database(Some("prepared"));
    let address = address(server(), &database);
    let name = fresh_list(&address);
    let list = open(&address, &name);
    for n in 0..20 {
        add(&list, &format!("task {n}"), &[]);
    }
    let mut tally = Tally::new("steps of 10 at once");
    let outcomes: Vec<Result<(), Error>> = thread::scope(|scope| {
        let (address, name) = (&address, &name);
        let run = |who: u64| {
            scope.spawn(move || {
                let list = open(address, name);
                let actor = Actor::new(format!("agent-{who}"), format!("session-{who}"));
                let mut chance = who;
                let mut next = || {
                    chance = chance
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    chance >> 20
                };
                (0..sized(30, 600)).map(|_| step(&list, &actor, next())).collect::<Vec<_>>()
            })
        };
        let running: Vec<_> = (0..CROWD).map(run).collect();
        running.into_iter().flat_map(|it| it.join().expect("an end")).collect()
    });
    for outcome in outcomes {
        tally.trial(match outcome {
            Err(error) if !matches!(error, Error::Refused(_)) => Err(error.to_string()),
            _ => Ok(()),
        });
    }
    let circles = format!("SELECT deadlocks FROM pg_stat_database WHERE datname = '{database}'");
    let circles = server().sql("postgres", &circles);
    tally.check(circles == "0", || format!("two waited for each other {circles} times"));
    let faults = faults_on_the_way(&list);
    tally.check(faults.is_empty(), || format!("{faults:?}"));
    tally.end();
}
