//! A store that writes and then cannot be read any more: what was done is not called a failure, and what was seen on the way
//! is told without another look.
#![expect(clippy::disallowed_methods, reason = "a test writes as another program does")]

use std::{
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use worklist::{
    Actor, Command, Error, History, NewTask, SessionGuard, State, TaskId, TaskList, TaskView, Whole,
    claim::{Claim, Life},
    clock::SystemClock,
    event::Event,
    rules::{ClaimTask, CompleteTask, Edit, Request},
    store::{Decide, Done, Listing, Look, Store, files::Files, memory::Memory},
    vfs::Disk,
};

/// A list whose way is cut the moment after something was written.
struct Cut {
    store: Box<dyn Store>,
    is_cut: AtomicBool,
}

impl Cut {
    fn reach(&self) -> Result<&dyn Store, Error> {
        if self.is_cut.load(Ordering::SeqCst) {
            return Err(Error::Server {
                action: "read",
                server: "it".into(),
                reason: "it is gone".into(),
                away: true,
            });
        }
        Ok(&*self.store)
    }
}

impl Store for Cut {
    fn transact(&self, request: &Request, command: &str, decide: Decide<'_>) -> Result<Done, Error> {
        let done = self.reach()?.transact(request, command, decide);
        self.is_cut.store(matches!(command, "complete" | "edit"), Ordering::SeqCst);
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

/// A list with a task that waits for another, and those two.
fn cut(store: Box<dyn Store>) -> (TaskList, TaskId, TaskId) {
    let list =
        TaskList::of_store(Arc::new(Cut { store, is_cut: AtomicBool::new(false) }), Arc::new(SystemClock));
    let new = |subject: &str, after: Vec<TaskId>| {
        let new = NewTask { subject: subject.to_owned(), blocked_by: after, ..NewTask::default() };
        list.run(&ann(), &Command::Create(new)).expect("made").decision.about[0].clone()
    };
    let first = new("first", vec![]);
    let second = new("second", vec![first.clone()]);
    (list, first, second)
}

fn ann() -> Actor {
    Actor::new("ann", "a")
}

fn files(folder: &Path) -> Box<dyn Store> {
    let disk = Arc::new(Disk::open(folder, false).expect("a folder"));
    Box::new(Files::open(disk, Arc::new(SystemClock), folder, None).expect("a list"))
}

#[test]
fn what_was_seen_on_the_way_is_not_asked_for_again() {
    let keep = tempfile::tempdir().unwrap();
    for store in [Box::new(Memory::new(Arc::new(SystemClock))), files(keep.path())] {
        let (list, first, second) = cut(store);
        list.run(&ann(), &Command::Claim(ClaimTask::of(first.clone()))).expect("claimed");
        let done = CompleteTask { id: first.clone(), token: None, force: false };
        let outcome = list.run(&ann(), &Command::Complete(done)).expect("it is done");
        assert_eq!(outcome.decision.freed, std::slice::from_ref(&second));
        assert!(outcome.problems.is_empty(), "{:?}", outcome.problems);
        let told = |it: &TaskView| (it.task.id.clone(), it.state, it.open_blockers.clone());
        assert_eq!(outcome.tasks.iter().map(told).collect::<Vec<_>>(), [(first, State::Completed, vec![])]);
        assert_eq!(outcome.freed.iter().map(told).collect::<Vec<_>>(), [(second, State::Ready, vec![])]);
        assert!(list.board().is_err(), "the list can still be read");
    }
}

#[test]
fn what_is_done_is_no_failure_if_it_cannot_be_read_again() {
    let keep = tempfile::tempdir().unwrap();
    let (list, _, second) = cut(files(keep.path()));
    // Another program has begun it: nobody has to look at what it waited for.
    let file = keep.path().join(format!("{second}.json"));
    let text = fs::read_to_string(&file).unwrap().replace("\"pending\"", "\"in_progress\"");
    fs::write(&file, text).unwrap();
    let edit = Edit { subject: Some("another".to_owned()), ..Edit::of(second) };
    let outcome = list.run(&ann(), &Command::Edit(edit)).expect("it is done");
    assert_eq!((&*outcome.tasks[0].task.subject, outcome.tasks[0].state), ("another", State::InProgress));
    assert!(
        outcome.problems.iter().any(|it| it.reason.contains("the change is made")),
        "{:?}",
        outcome.problems
    );
}
