//! Answers that are lost on their way: the command still says what really happened, and it happened once.

use crate::{
    place::{address, fresh_list, on_loopback, open, server},
    proxy::{Fate, Proxy},
    tally::{Tally, sized},
};
use std::{thread, time::Duration, time::Instant};
use worklist::{
    Command, NewTask, TaskId, TaskList,
    conformance::{add, bob, claim},
    rules::{ClaimTask, CompleteTask, NextTask, Plan, PlanTask},
};
use worklist_postgres::Address;

const COMMANDS: [&str; 5] = ["claim", "complete", "next", "create", "plan"];

/// A command on a list that has a task for it, with the claim that it needs.
fn prepared(list: &TaskList, name: &str) -> Command {
    let id = add(list, "the task", &[]);
    let new = NewTask { subject: "new".to_owned(), ..NewTask::default() };
    match name {
        "claim" => Command::Claim(ClaimTask::of(id)),
        "complete" => {
            let token = claim(list, &bob(), &id).expect("claimed").decision.token;
            Command::Complete(CompleteTask { id, token, force: false })
        }
        "next" => Command::Next(NextTask::default()),
        "create" => Command::Create(new),
        _ => {
            let task = |n: usize| PlanTask {
                name: Some(format!("p{n}")),
                after: (0..n).map(|it| format!("p{it}")).collect(),
                task: new.clone(),
                ..PlanTask::default()
            };
            Command::Plan(Plan { key: Some("once".to_owned()), tasks: (0..3).map(task).collect() })
        }
    }
}

/// Lets a command meet its fate, and compares what it says with what is there.
fn trial(direct: &Address, proxy: &Proxy, through: &Address, name: &str, fate: Fate) -> Result<(), String> {
    let list_name = fresh_list(direct);
    let list = open(direct, &list_name);
    let command = prepared(&list, name);
    let before = list.seq().expect("a number");
    let doomed = open(through, &list_name);
    let met = proxy.met();
    proxy.expect(fate);
    let said = doomed.run(&bob(), &command).map_err(|error| format!("{name}, {fate:?}: {error}"))?;
    if proxy.met() != met + 1 {
        return Err(format!("{name}, {fate:?}: nothing was cut"));
    }
    let events = list.events_after(before).expect("history");
    let [event] = &events[..] else {
        return Err(format!("{name}, {fate:?}: {} events", events.len()));
    };
    let told = said.event.ok_or_else(|| format!("{name}, {fate:?}: nothing was told"))?;
    let same = told.seq == event.seq && told.seq == before + 1 && told.changes == event.changes;
    let ids: Vec<&TaskId> = event.changes.iter().map(|it| &it.id).collect();
    let stands = list.show(ids[0]).expect("a look").and_then(|it| it.claim).map(|it| it.token);
    let fenced = !matches!(name, "claim" | "next") || (stands.is_some() && stands == said.decision.token);
    if same && fenced { Ok(()) } else { Err(format!("{name}, {fate:?}: told {told:?}, there {event:?}")) }
}

#[test]
fn a_lost_answer_is_found_again() {
    let database = server().database(Some("prepared"));
    let direct = address(server(), &database);
    let proxy = Proxy::to(server().port());
    let through = on_loopback(proxy.port, &database);
    let mut tally = Tally::new("answers lost, ways cut");
    for n in 0..sized(30, 510) {
        let fate = [Fate::AnswerLost, Fate::CutAtOnce, Fate::MessageLost][n / COMMANDS.len() % 3];
        tally.trial(trial(&direct, &proxy, &through, COMMANDS[n % COMMANDS.len()], fate));
    }
    tally.end();
}

/// The answer is lost, and whoever asks again must wait for somebody who holds the list for longer than one waits: that is no
/// reason to say that nothing was changed.
#[test]
fn a_lost_answer_is_waited_for_behind_others() {
    let database = server().database(Some("prepared"));
    let direct = address(server(), &database);
    let proxy = Proxy::to(server().port());
    let through = on_loopback(proxy.port, &database);
    let mut tally = Tally::new("lost answers behind somebody who holds the list");
    for _ in 0..sized(2, 10) {
        let met = proxy.met();
        thread::scope(|scope| {
            let mut other =
                postgres::Client::connect(&server().url(&database), postgres::NoTls).expect("a way");
            let proxy = &proxy;
            scope.spawn(move || {
                while proxy.met() == met {
                    thread::yield_now();
                }
                let hold = "BEGIN; SELECT FROM worklist.lists FOR UPDATE; SELECT pg_sleep(3); COMMIT";
                other.batch_execute(hold).expect("held");
            });
            tally.trial(trial(&direct, proxy, &through, "create", Fate::AnswerLost));
        });
    }
    tally.end();
}

/// A way that swallows everything and is never cut: without a limit on answers whoever asks would wait for ever.
#[test]
fn a_way_that_swallows_everything_is_noticed() {
    let database = server().database(Some("prepared"));
    let direct = address(server(), &database);
    let mut tally = Tally::new("ways that are half open");
    for _ in 0..sized(1, 10) {
        let fates = [Fate::AnswerSwallowed, Fate::MessageSwallowed];
        let trials = fates.into_iter().flat_map(|fate| COMMANDS.map(|name| (name, fate)));
        let outcomes: Vec<Result<(), String>> = thread::scope(|scope| {
            let (direct, database) = (&direct, &database);
            let trial = |(name, fate)| {
                scope.spawn(move || {
                    let proxy = Proxy::to(server().port());
                    let begun = Instant::now();
                    let said = trial(direct, &proxy, &on_loopback(proxy.port, database), name, fate);
                    let took = begun.elapsed();
                    said.and_then(|()| {
                        let soon = took < Duration::from_secs(30);
                        if soon { Ok(()) } else { Err(format!("{name}, {fate:?}: {took:?}")) }
                    })
                })
            };
            let running: Vec<_> = trials.map(trial).collect();
            running.into_iter().map(|it| it.join().expect("an end")).collect()
        });
        for outcome in outcomes {
            tally.trial(outcome);
        }
    }
    tally.end();
}
