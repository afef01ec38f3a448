//! Hooks are asked before and told after, with no lock held.

use std::sync::{Arc, Mutex};
use worklist::{
    Actor, Command, Error, NewTask, Refusal, TaskList,
    hooks::{Hooks, Moment, Notice},
    rules::{ClaimTask, CompleteTask, ReleaseTask},
};

#[derive(Default)]
struct Ear {
    heard: Mutex<Vec<String>>,
    refuses: Option<Moment>,
}

impl Ear {
    fn note(&self, when: &str, notice: &Notice) {
        let line = format!("{when} {} {}", notice.moment.name(), notice.task.id);
        self.heard.lock().expect("no panic").push(line);
    }
}

impl Hooks for Ear {
    fn asks_before(&self) -> bool {
        true
    }

    fn before(&self, notice: &Notice) -> Result<(), String> {
        self.note("before", notice);
        if self.refuses == Some(notice.moment) { Err("not today".to_owned()) } else { Ok(()) }
    }

    fn after(&self, notice: &Notice) {
        assert!(notice.seq.is_some());
        self.note("after", notice);
    }
}

fn new(subject: &str, after: &[&str]) -> Command {
    let blocked_by = after.iter().map(|it| worklist::TaskId::found(it)).collect();
    Command::Create(NewTask { subject: subject.into(), blocked_by, ..NewTask::default() })
}

#[test]
fn every_moment_is_heard_of() {
    let ear = Arc::new(Ear::default());
    let keep = tempfile::tempdir().expect("a folder");
    let list =
        TaskList::create(keep.path(), &worklist::Options::default()).expect("a list").hooked(ear.clone());
    let ann = Actor::new("ann", "s");
    let id = worklist::TaskId::found("1");
    let claim = || Command::Claim(ClaimTask::of(id.clone()));
    list.run(&ann, &new("a", &[])).expect("made");
    list.run(&ann, &new("b", &["1"])).expect("made");
    list.run(&ann, &claim()).expect("claimed");
    let release = ReleaseTask { id: id.clone(), token: None, reason: None, force: false };
    list.run(&ann, &Command::Release(release)).expect("released");
    list.run(&ann, &claim()).expect("claimed");
    let done = CompleteTask { id: id.clone(), token: None, force: false };
    list.run(&ann, &Command::Complete(done.clone())).expect("done");
    list.run(&ann, &Command::Complete(done)).expect_err("what is refused is not asked about");
    let heard = ear.heard.lock().expect("no panic").clone();
    assert_eq!(
        heard,
        [
            "before created 1",
            "after created 1",
            "before created 2",
            "after created 2",
            "after claimed 1",
            "after released 1",
            "after claimed 1",
            "before completed 1",
            "after completed 1",
            "after unblocked 2",
        ]
    );
}

#[test]
fn a_hook_can_refuse_and_then_nothing_happens() {
    let ear = Arc::new(Ear { refuses: Some(Moment::Completed), ..Ear::default() });
    let list = TaskList::in_memory().hooked(ear);
    let ann = Actor::new("ann", "s");
    let id = list.run(&ann, &new("a", &[])).expect("made").decision.about[0].clone();
    let done = CompleteTask { id: id.clone(), token: None, force: false };
    let refused = list.run(&ann, &Command::Complete(done)).expect_err("refused");
    let denied = Refusal::Denied { id: id.clone(), moment: "completed", reason: "not today".into() };
    assert!(matches!(refused, Error::Refused(it) if it == denied));
    assert!(list.show(&id).expect("a look").expect("there").task.is_open());
    assert_eq!(list.events_after(0).expect("history").len(), 1);
}
