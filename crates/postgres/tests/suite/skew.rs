//! Two decisions at once, each of them right alone: together they would make a circle, a second task for one agent, or the
//! same id twice. Not one after the other: the conformance suite has that.

use crate::{
    place::{database, fresh_list, open},
    tally::{Tally, sized},
};
use std::{
    collections::BTreeSet,
    sync::{Arc, Barrier},
    thread,
};
use worklist::{
    Actor, Command, Error, NewTask, Outcome, TaskId, TaskList,
    conformance::{add, ann, bob, claim, refusal},
    rules::{self, ClaimTask, Edit, NextTask, Request},
    store::Store,
};
use worklist_postgres::{Address, Postgres};

/// What one of two does.
type Act<T> = Box<dyn Fn(&TaskList) -> T + Send>;

/// What came of two that began at the same moment, each on its own connections.
fn at_once<T: Send + 'static>(address: &Address, name: &str, acts: [Act<T>; 2]) -> [T; 2] {
    let begin = Arc::new(Barrier::new(2));
    acts.map(|act| {
        let (list, begin) = (open(address, name), begin.clone());
        // A connection that is made only now would let the other go first.
        list.seq().expect("a connection");
        thread::spawn(move || {
            begin.wait();
            act(&list)
        })
    })
    .map(|it| it.join().expect("an end"))
}

fn run(actor: Actor, command: Command) -> Act<Result<Outcome, Error>> {
    Box::new(move |list| list.run(&actor, &command))
}

/// Whether one went through and the other was refused for the right reason.
fn one_of(outcomes: [Result<Outcome, Error>; 2], code: &str) -> Result<(), String> {
    let said = outcomes.map(|it| match it {
        Ok(_) => "yes".to_owned(),
        Err(error) => error.code().to_owned(),
    });
    let mut sorted = said.to_vec();
    sorted.sort_by_key(|it| it == "yes");
    if sorted == [code, "yes"] { Ok(()) } else { Err(format!("{said:?}")) }
}

#[test]
fn two_edges_never_make_a_circle() {
    let address = database();
    let mut tally = Tally::new("circles");
    for _ in 0..sized(50, 1_000) {
        let name = fresh_list(&address);
        let list = open(&address, &name);
        // Two chains, joined at both ends at once: neither touches a task that the other does.
        let (a, c) = (add(&list, "a", &[]), add(&list, "c", &[]));
        let (b, d) = (add(&list, "b", &[&a]), add(&list, "d", &[&c]));
        let after = |one: &TaskId, other: &TaskId| {
            let edit = Edit { add_blocked_by: vec![other.clone()], ..Edit::of(one.clone()) };
            run(ann(), Command::Edit(edit))
        };
        tally.trial(one_of(at_once(&address, &name, [after(&c, &b), after(&a, &d)]), "cycle"));
    }
    tally.end();
}

#[test]
fn an_agent_has_one_task_at_a_time_in_all_its_sessions() {
    let address = database();
    let mut tally = Tally::new("one task for each agent");
    for n in 0..sized(50, 1_000) {
        let name = fresh_list(&address);
        let list = open(&address, &name);
        let tasks = [add(&list, "a", &[]), add(&list, "b", &[])];
        let mut session = 0;
        let acts = tasks.map(|id| {
            session += 1;
            let actor = Actor::new("ann", format!("session-{session}"));
            let claim = Command::Claim(ClaimTask { one_at_a_time: true, ..ClaimTask::of(id) });
            let next = Command::Next(NextTask { one_at_a_time: true, ..NextTask::default() });
            run(actor, if n % 2 == 0 { claim } else { next })
        });
        tally.trial(one_of(at_once(&address, &name, acts), "agent_busy"));
    }
    tally.end();
}

#[test]
fn no_id_is_given_twice() {
    let address = database();
    let mut tally = Tally::new("ids");
    let new = || NewTask { subject: "new".to_owned(), ..NewTask::default() };
    for _ in 0..sized(50, 1_000) {
        let name = fresh_list(&address);
        let create = move |list: &TaskList| -> Vec<TaskId> {
            let made = |_| list.run(&ann(), &Command::Create(new())).expect("made").decision.about;
            (0..3).flat_map(made).collect()
        };
        let ids = at_once(&address, &name, [Box::new(create), Box::new(create)]).concat();
        let wanted: BTreeSet<TaskId> = (1..=6).map(TaskId::from).collect();
        tally.check(ids.iter().cloned().collect::<BTreeSet<_>>() == wanted, || format!("{ids:?}"));
        let chosen = || run(bob(), Command::Create(NewTask { id: Some(TaskId::found("own")), ..new() }));
        tally.trial(one_of(at_once(&address, &name, [chosen(), chosen()]), "exists"));
    }
    tally.end();
}

/// What a decision reads twice may have changed in between. It was made on the first look, so the first one counts.
#[test]
fn a_task_that_was_read_twice_is_not_claimed_twice() {
    let address = database();
    let name = fresh_list(&address);
    let (list, other) = (open(&address, &name), open(&address, &name));
    let id = add(&list, "wanted by two", &[]);
    let store = Postgres::open(address, &name).expect("the list");
    let request = Request { actor: ann(), now: list.now(), lenient: false };
    let wanted = Command::Claim(ClaimTask { one_at_a_time: true, ..ClaimTask::of(id.clone()) });
    let mut rounds = 0;
    let done = store.transact(&request, "edit", &mut |tasks| {
        rounds += 1;
        let late =
            Late { tasks, between: &|| _ = claim(&other, &bob(), &id).expect("nobody keeps bob from it") };
        rules::decide(&late, &wanted, &request)
    });
    assert_eq!(refusal(done).code(), "already_claimed");
    assert_eq!(rounds, 2, "the first decision was made on what had changed meanwhile");
}

/// A view of a list in which something happens before all of it is looked at.
struct Late<'a> {
    tasks: &'a dyn rules::Tasks,
    between: &'a dyn Fn(),
}

impl rules::Tasks for Late<'_> {
    fn all(&self) -> Vec<Arc<worklist::claim::Entry>> {
        (self.between)();
        self.tasks.all()
    }
    fn get(&self, id: &TaskId) -> Option<Arc<worklist::claim::Entry>> {
        self.tasks.get(id)
    }
    fn dependents(&self, id: &TaskId) -> Vec<TaskId> {
        self.tasks.dependents(id)
    }
    fn life(&self, claim: &worklist::claim::Claim) -> worklist::claim::Life {
        self.tasks.life(claim)
    }
    fn fresh_ids(&self, count: usize) -> Vec<TaskId> {
        self.tasks.fresh_ids(count)
    }
    fn fits(&self, id: &TaskId) -> bool {
        self.tasks.fits(id)
    }
    fn next_token(&self) -> u64 {
        self.tasks.next_token()
    }
    fn planned(&self, key: &str) -> Option<rules::PlanNote> {
        self.tasks.planned(key)
    }
}
