//! Many at once. Luck finds few races, so the first case makes its own: it holds a decision open and looks for company.

use super::{Setup, add, ann, claim, refusal};
use crate::{
    claim::Actor,
    clock::Clock,
    id::TaskId,
    rules::{Command, Decision, Edit, Request},
};
use std::{
    collections::HashSet,
    sync::{
        Barrier, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

const WORKERS: usize = 4;

/// While one decision is open, no other begins.
pub fn decisions_never_overlap(setup: &Setup) {
    add(&setup.list(), "task", &[]);
    let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let barrier = Barrier::new(WORKERS);
    let request = Request { actor: ann(), now: setup.clock.now(), lenient: false };
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                let store = (setup.open)();
                barrier.wait();
                for _ in 0..8 {
                    let result = store.transact(&request, "hold", &mut |_| {
                        most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        for _ in 0..200 {
                            thread::yield_now();
                        }
                        inside.fetch_sub(1, Ordering::SeqCst);
                        Ok(Decision::default())
                    });
                    assert!(result.is_ok(), "{result:?}");
                }
            });
        }
    });
    assert_eq!(most.load(Ordering::SeqCst), 1, "decisions overlapped");
}

/// Runs something in every worker at once and gives back what came out.
fn at_once<T: Send>(setup: &Setup, work: impl Fn(&crate::TaskList, &Actor) -> T + Sync) -> Vec<T> {
    let results = Mutex::new(Vec::new());
    let barrier = Barrier::new(WORKERS);
    thread::scope(|scope| {
        for n in 0..WORKERS {
            let (results, barrier, work) = (&results, &barrier, &work);
            scope.spawn(move || {
                let (list, actor) = (setup.list(), Actor::new("worker", format!("session-{n}")));
                barrier.wait();
                let result = work(&list, &actor);
                results.lock().expect("no worker panics").push(result);
            });
        }
    });
    results.into_inner().expect("no worker panics")
}

/// Of many claims of one task exactly one wins.
pub fn of_many_claims_one_wins(setup: &Setup) {
    let list = setup.list();
    for n in 0..8 {
        let id = add(&list, &format!("task {n}"), &[]);
        let won = at_once(setup, |list, actor| match claim(list, actor, &id) {
            Ok(_) => 1,
            refused => {
                assert_eq!(refusal(refused).code(), "already_claimed");
                0
            }
        });
        assert_eq!(won.iter().sum::<usize>(), 1);
    }
}

/// Tasks made at once have different ids, and all of them are there.
pub fn ids_differ_under_load(setup: &Setup) {
    let made = at_once(setup, |list, actor| {
        let new = |n| crate::NewTask { subject: format!("{n}"), ..crate::NewTask::default() };
        let make = |n| list.run(actor, &Command::Create(new(n))).unwrap().decision.about[0].clone();
        (0..5).map(make).collect::<Vec<TaskId>>()
    });
    let ids: HashSet<TaskId> = made.into_iter().flatten().collect();
    assert_eq!(ids.len(), WORKERS * 5);
    assert_eq!(setup.list().board().unwrap().tasks.len(), WORKERS * 5);
}

/// Two that add the two halves of a circle at once: one is refused.
pub fn two_cannot_close_a_circle(setup: &Setup) {
    let list = setup.list();
    for n in 0..4 {
        let (a, b) = (add(&list, &format!("a{n}"), &[]), add(&list, &format!("b{n}"), &[]));
        at_once(setup, |list, actor| {
            let (from, to) = if actor.session.ends_with(['0', '2']) { (&a, &b) } else { (&b, &a) };
            let edit = Edit { add_blocked_by: vec![from.clone()], ..Edit::of(to.clone()) };
            list.run(actor, &Command::Edit(edit.clone())).is_ok()
        });
        let board = list.board().unwrap();
        let tasks = board.tasks.iter().map(|it| &*it.task);
        assert_eq!(crate::graph::Graph::new(tasks).cycle(), None);
    }
}
