//! A store that writes and then cannot be read any more: what was done is not called a failure.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use worklist::{
    Actor, Command, Error, History, NewTask, SessionGuard, TaskId, TaskList, Whole,
    claim::{Claim, Life},
    clock::SystemClock,
    event::Event,
    rules::{ClaimTask, CompleteTask, Request},
    store::{Decide, Done, Listing, Look, Store, memory::Memory},
};

/// A list whose way is cut the moment after something was written.
struct Cut {
    store: Memory,
    is_cut: AtomicBool,
}

impl Cut {
    fn reach(&self) -> Result<&Memory, Error> {
        if self.is_cut.load(Ordering::SeqCst) {
            return Err(Error::Server {
                action: "read",
                server: "it".into(),
                reason: "it is gone".into(),
                away: true,
            });
        }
        Ok(&self.store)
    }
}

impl Store for Cut {
    fn transact(&self, request: &Request, command: &str, decide: Decide<'_>) -> Result<Done, Error> {
        let done = self.reach()?.transact(request, command, decide);
        self.is_cut.store(command == "complete", Ordering::SeqCst);
        done
    }
    fn read(&self, id: &TaskId) -> Result<Look, Error> {
        self.reach()?.read(id)
    }
    fn list(&self) -> Result<Listing, Error> {
        self.reach()?.list()
    }
    fn events_after(&self, seq: u64) -> Result<Vec<Event>, Error> {
        self.reach()?.events_after(seq)
    }
    fn seq(&self) -> Result<u64, Error> {
        self.reach()?.seq()
    }
    fn history(&self, id: &TaskId, latest: usize) -> Result<History, Error> {
        self.reach()?.history(id, latest)
    }
    fn whole(&self) -> Result<Whole, Error> {
        self.reach()?.whole()
    }
    fn found(&self, whole: &Whole) -> Result<(), Error> {
        self.reach()?.found(whole)
    }
    fn renew(&self, actor: &Actor) -> Result<(), Error> {
        self.reach()?.renew(actor)
    }
    fn hold_session(&self, actor: &Actor) -> Result<Option<SessionGuard>, Error> {
        self.reach()?.hold_session(actor)
    }
    fn life(&self, claim: &Claim) -> Life {
        self.store.life(claim)
    }
    fn wait(&self, milliseconds: u64) -> bool {
        self.store.wait(milliseconds)
    }
}

#[test]
fn what_is_done_is_no_failure_if_it_cannot_be_read_again() {
    let clock = Arc::new(SystemClock);
    let store = Cut { store: Memory::new(clock.clone()), is_cut: AtomicBool::new(false) };
    let list = TaskList::of_store(Arc::new(store), clock);
    let ann = Actor::new("ann", "a");
    let new = |subject: &str, after: Vec<TaskId>| {
        Command::Create(NewTask { subject: subject.to_owned(), blocked_by: after, ..NewTask::default() })
    };
    let first = list.run(&ann, &new("first", vec![])).expect("made").decision.about[0].clone();
    let second = list.run(&ann, &new("second", vec![first.clone()])).expect("made").decision.about[0].clone();
    list.run(&ann, &Command::Claim(ClaimTask::of(first.clone()))).expect("claimed");
    let done = CompleteTask { id: first, token: None, force: false };
    let outcome = list.run(&ann, &Command::Complete(done)).expect("it is done");
    assert_eq!(outcome.decision.freed, [second]);
    assert!(
        outcome.problems.iter().any(|it| it.reason.contains("the change is made")),
        "{:?}",
        outcome.problems
    );
}
