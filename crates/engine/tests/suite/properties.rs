//! Rules against a simple reference: random commands on a list in memory, and beside it a model of a few lines that
//! knows what a list must look like. Also the text of files under random changes.

use proptest::{prelude::*, test_runner::Config};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use worklist::{
    Actor, Command, Error, NewTask, Status, TaskId, TaskList,
    claim::DEFAULT_LEASE,
    format::{FORMATS, Put, Writing},
    graph::Graph,
    json::{Json, Object, parse, write},
    rules::{ClaimTask, CompleteTask, Edit, NextTask, ReleaseTask},
    store::memory::Memory,
    task::Task,
    time::Time,
    vfs::sim::SimClock,
};

/// What the reference knows of a task.
#[derive(Debug, Clone, Default, PartialEq)]
struct Known {
    done: bool,
    waits_for: BTreeSet<u64>,
    holder: Option<usize>,
}

#[derive(Debug, Clone)]
enum Step {
    Create(Vec<u8>),
    Link(u8, u8),
    Unlink(u8, u8),
    Claim(u8, usize),
    Next(usize),
    Complete(u8, usize),
    Release(u8, usize),
    Reopen(u8, usize),
    Delete(u8, usize),
    Undo,
    Silence,
}

impl Step {
    fn who(&self) -> Option<usize> {
        match self {
            Step::Create(_) | Step::Link(..) | Step::Unlink(..) => Some(0),
            Step::Next(who)
            | Step::Claim(_, who)
            | Step::Complete(_, who)
            | Step::Release(_, who)
            | Step::Reopen(_, who)
            | Step::Delete(_, who) => Some(*who),
            Step::Undo | Step::Silence => None,
        }
    }
}

fn step() -> impl Strategy<Value = Step> {
    let (id, who) = (0..12_u8, 0..3_usize);
    prop_oneof![
        4 => prop::collection::vec(0..12_u8, 0..3).prop_map(Step::Create),
        3 => (id.clone(), id.clone()).prop_map(|(a, b)| Step::Link(a, b)),
        1 => (id.clone(), id.clone()).prop_map(|(a, b)| Step::Unlink(a, b)),
        4 => (id.clone(), who.clone()).prop_map(|(a, b)| Step::Claim(a, b)),
        2 => who.clone().prop_map(Step::Next),
        4 => (id.clone(), who.clone()).prop_map(|(a, b)| Step::Complete(a, b)),
        2 => (id.clone(), who.clone()).prop_map(|(a, b)| Step::Release(a, b)),
        1 => (id.clone(), who.clone()).prop_map(|(a, b)| Step::Reopen(a, b)),
        1 => (id, who).prop_map(|(a, b)| Step::Delete(a, b)),
        1 => Just(Step::Undo),
        1 => Just(Step::Silence),
    ]
}

/// The list and its reference.
struct Pair {
    list: TaskList,
    clock: SimClock,
    known: BTreeMap<u64, Known>,
    /// Who was heard since the last long silence.
    heard: BTreeSet<usize>,
}

impl Pair {
    fn new() -> Pair {
        let clock = SimClock::new(1);
        let store = Arc::new(Memory::new(Arc::new(clock.clone())));
        let list = TaskList::of_store(store, Arc::new(clock.clone()));
        Pair { list, clock, known: BTreeMap::new(), heard: BTreeSet::new() }
    }

    fn open(&self, id: u64) -> bool {
        self.known.get(&id).is_none_or(|it| !it.done)
    }

    fn blocked(&self, id: u64) -> bool {
        self.known[&id].waits_for.iter().any(|it| self.open(*it))
    }

    /// Whether `to` is reached from `from` along "waits for".
    fn reaches(&self, from: u64, to: u64) -> bool {
        let mut open = vec![from];
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            if id == to {
                return true;
            }
            if seen.insert(id) {
                open.extend(self.known.get(&id).iter().flat_map(|it| it.waits_for.iter().copied()));
            }
        }
        false
    }

    fn run(&mut self, who: usize, command: &Command) -> Result<worklist::Outcome, Error> {
        let outcome = self.list.run(&Actor::new(format!("agent-{who}"), format!("session-{who}")), command);
        assert!(matches!(outcome, Ok(_) | Err(Error::Refused(_))), "{outcome:?}");
        outcome
    }

    /// Whether somebody other than `who` holds a task and lives.
    fn taken(&self, id: u64, who: usize) -> bool {
        self.known[&id].holder.is_some_and(|it| it != who && self.heard.contains(&it))
    }

    /// Plays one step on both, and compares what came out.
    fn play(&mut self, step: &Step) {
        let id = |n: u8| u64::from(n) + 1;
        let task = |n: u8| TaskId::from(id(n));
        // Whoever asks is alive, whatever the answer.
        self.heard.extend(step.who());
        match step {
            Step::Create(after) => {
                let blocked_by: Vec<TaskId> = after.iter().map(|it| task(*it)).collect();
                let fine = after.iter().all(|it| self.known.contains_key(&id(*it)));
                let new = NewTask { subject: "task".into(), blocked_by, ..NewTask::default() };
                let made = self.run(0, &Command::Create(new));
                assert_eq!(made.is_ok(), fine);
                if let Ok(made) = made {
                    let number = made.decision.about[0].number().expect("a number");
                    let waits_for = after.iter().map(|it| id(*it)).collect();
                    assert!(self.known.insert(number, Known { waits_for, ..Known::default() }).is_none());
                }
            }
            Step::Link(blocker, waiting) => {
                let (a, b) = (id(*blocker), id(*waiting));
                let there = self.known.contains_key(&a) && self.known.contains_key(&b);
                let fine = there && a != b && (self.known[&b].waits_for.contains(&a) || !self.reaches(a, b));
                let edit = Edit { add_blocked_by: vec![task(*blocker)], ..Edit::of(task(*waiting)) };
                assert_eq!(self.run(0, &Command::Edit(edit)).is_ok(), fine);
                if fine {
                    self.known.get_mut(&b).expect("there").waits_for.insert(a);
                }
            }
            Step::Unlink(blocker, waiting) => {
                let edit = Edit { remove_blocked_by: vec![task(*blocker)], ..Edit::of(task(*waiting)) };
                let fine = self.known.contains_key(&id(*waiting));
                assert_eq!(self.run(0, &Command::Edit(edit)).is_ok(), fine);
                if let Some(known) = self.known.get_mut(&id(*waiting)) {
                    known.waits_for.remove(&id(*blocker));
                }
            }
            Step::Claim(n, who) => {
                let known = self.known.get(&id(*n)).cloned();
                let fine = known.is_some_and(|it| {
                    let free = it.holder.is_none_or(|holder| !self.heard.contains(&holder));
                    !it.done && free && !self.blocked(id(*n))
                });
                let parked = self.list.show(&task(*n)).expect("a look").is_some_and(|it| it.parked);
                let result = self.run(*who, &Command::Claim(ClaimTask::of(task(*n))));
                // A task that lost its worker three times may be parked: the reference does not count.
                if let (Err(error), true) = (&result, fine) {
                    assert!(parked || error.code() == "parked", "{error}");
                } else {
                    assert_eq!(result.is_ok(), fine);
                }
                if let (Ok(_), Some(known)) = (result, self.known.get_mut(&id(*n))) {
                    known.holder = Some(*who);
                }
            }
            Step::Next(who) => {
                let outcome = self.run(*who, &Command::Next(NextTask::default())).expect("never refused");
                self.forget_the_silent();
                if let Some(id) = outcome.decision.about.first().and_then(TaskId::number) {
                    assert!(!self.blocked(id) && !self.known[&id].done && self.known[&id].holder.is_none());
                    self.known.get_mut(&id).expect("there").holder = Some(*who);
                }
            }
            Step::Complete(n, who) => self.complete(id(*n), *who),
            Step::Release(n, who) => {
                let mine = self.known.get(&id(*n)).is_some_and(|it| !it.done && it.holder == Some(*who));
                let release = ReleaseTask { id: task(*n), token: None, reason: None, force: false };
                let result = self.run(*who, &Command::Release(release));
                assert!(result.is_ok() || !mine);
                if let (true, Some(known)) = (result.is_ok(), self.known.get_mut(&id(*n))) {
                    known.holder = None;
                }
            }
            Step::Reopen(n, who) => {
                let fine = self.known.contains_key(&id(*n)) && !self.taken(id(*n), *who);
                let result = self.run(*who, &Command::Reopen { id: task(*n), force: false });
                assert_eq!(result.is_ok(), fine);
                if let (true, Some(known)) = (fine, self.known.get_mut(&id(*n))) {
                    (known.done, known.holder) = (false, None);
                }
            }
            Step::Delete(n, who) => {
                let fine = self.known.contains_key(&id(*n)) && !self.taken(id(*n), *who);
                let result = self.run(*who, &Command::Delete { id: task(*n), force: false });
                assert_eq!(result.is_ok(), fine);
                if fine {
                    self.known.remove(&id(*n));
                    for known in self.known.values_mut() {
                        known.waits_for.remove(&id(*n));
                    }
                }
            }
            Step::Undo => self.undo_and_redo(),
            Step::Silence => {
                self.clock.pass(DEFAULT_LEASE.unsigned_abs() + 1);
                self.heard.clear();
            }
        }
    }

    fn complete(&mut self, id: u64, who: usize) {
        let complete = CompleteTask { id: TaskId::from(id), token: None, force: false };
        let result = self.run(who, &Command::Complete(complete));
        let fine = self
            .known
            .get(&id)
            .is_some_and(|it| !it.done && it.holder.is_none_or(|holder| holder == who) && !self.blocked(id));
        assert_eq!(result.is_ok(), fine, "{:?}", self.known.get(&id));
        let Ok(outcome) = result else { return };
        let blocked: Vec<u64> = self.known.keys().copied().filter(|it| self.blocked(*it)).collect();
        let known = self.known.get_mut(&id).expect("there");
        (known.done, known.holder) = (true, None);
        let freed: Vec<u64> =
            blocked.into_iter().filter(|it| !self.known[it].done && !self.blocked(*it)).collect();
        let told: Vec<u64> = outcome.decision.freed.iter().filter_map(TaskId::number).collect();
        let pending = |it: &u64| {
            self.list
                .show(&TaskId::from(*it))
                .expect("a look")
                .is_some_and(|it| it.task.status == Status::Pending)
        };
        assert_eq!(told, freed.into_iter().filter(|it| pending(it)).collect::<Vec<_>>());
    }

    /// Taking back the last event and taking that back again changes nothing but claims.
    fn undo_and_redo(&mut self) {
        let state = |list: &TaskList| -> Vec<(TaskId, bool, Vec<TaskId>)> {
            let board = list.board().expect("a look");
            board
                .tasks
                .into_iter()
                .map(|it| {
                    (it.task.id.clone(), it.task.status == Status::Completed, it.task.blocked_by.clone())
                })
                .collect()
        };
        let before = state(&self.list);
        let Some(last) = self.list.events_after(0).expect("history").pop() else { return };
        let claims = last.changes.iter().any(|it| {
            [&it.before, &it.after].iter().any(|it| {
                it.as_ref()
                    .is_some_and(|it| it.standing.claim.is_some() || it.task.status == Status::InProgress)
            })
        });
        if claims {
            return;
        }
        let actor = Actor::new("agent-0", "session-0");
        let undone = self.list.undo(&actor, last.seq).expect("the last event can be undone");
        let Some(event) = undone.event else { return };
        self.list.undo(&actor, event.seq).expect("and the undoing, too");
        self.heard.insert(0);
        assert_eq!(state(&self.list), before);
    }

    /// The list takes back what silent workers held.
    fn forget_the_silent(&mut self) {
        let heard = self.heard.clone();
        for known in self.known.values_mut() {
            known.holder = known.holder.filter(|it| heard.contains(it));
        }
    }

    /// What must be true of any list.
    fn check(&self) {
        let board = self.list.board().expect("a look");
        let tasks: Vec<&Task> = board.tasks.iter().map(|it| &*it.task).collect();
        assert_eq!(Graph::new(tasks.iter().copied()).cycle(), None);
        assert_eq!(tasks.len(), self.known.len());
        for view in &board.tasks {
            let known = &self.known[&view.task.id.number().expect("a number")];
            let waits: BTreeSet<u64> = view.task.blocked_by.iter().filter_map(TaskId::number).collect();
            assert_eq!((view.task.status == Status::Completed, waits), (known.done, known.waits_for.clone()));
            for blocker in &view.task.blocked_by {
                let other = tasks.iter().find(|it| it.id == *blocker).expect("no edge leads nowhere");
                assert!(other.blocks.contains(&view.task.id), "an edge has two ends");
            }
        }
    }
}

fn cases() -> u32 {
    if crate::is_long() { 200_000 } else { 10_000 }
}

proptest! {
    #![proptest_config(Config { cases: cases(), failure_persistence: None, ..Config::default() })]

    #[test]
    fn rules_agree_with_the_reference(steps in prop::collection::vec(step(), 1..50)) {
        let mut pair = Pair::new();
        for step in &steps {
            pair.play(step);
        }
        pair.check();
    }

    #[test]
    fn json_survives_reading_and_writing(value in json()) {
        for style in [worklist::json::Style::PYTHON, worklist::json::Style::JAVASCRIPT, worklist::json::Style::JACKSON, worklist::json::Style::COMPACT] {
            let text = write(&value, style, "");
            prop_assert_eq!(&parse(&text).expect("what we write can be read"), &value);
        }
    }

    #[test]
    fn reading_never_panics(text in "\\PC*", cut in 0..40_usize) {
        let task = r#"{"id":"1","subject":"s","description":"d","status":"pending","blocks":[],"blockedBy":[]}"#;
        let torn: String = task.chars().take(cut).chain(text.chars()).collect();
        for format in FORMATS {
            for name in ["1.json", "task_1.json", "tasks.json"] {
                let _ = format.decode(name, &text);
                let _ = format.decode(name, &torn);
            }
        }
    }

    #[test]
    fn any_task_comes_back_from_any_format(subject in "[^\\n\\r]{1,20}", description in "\\PC*", owner in prop::option::of("[a-z]{1,5}")) {
        for format in FORMATS {
            let mut task = Task::new(TaskId::from(1), subject.clone());
            task.description.clone_from(&description);
            task.owner.clone_from(&owner);
            let writing = Writing { finished: &|_| false, now: Time(1_770_000_000_000) };
            let text = format.encode(None, &[Put::Task(&task)], &writing).expect("encode").expect("a text");
            let found = format.decode(&format.file_of(&task.id), &text).expect("decode").remove(0).task.expect("a task");
            prop_assert_eq!((&found.subject, &found.description, &found.owner), (&task.subject, &task.description, &task.owner));
        }
    }
}

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        "-?[1-9][0-9]{0,25}(\\.[0-9]{1,5})?(e[+-]?[0-9]{1,2})?".prop_map(Json::Number),
        "\\PC*".prop_map(Json::from),
        prop::collection::vec(any::<char>(), 0..8)
            .prop_map(|it| Json::from(it.into_iter().collect::<String>())),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::Array),
            prop::collection::vec(("\\PC{0,6}", inner), 0..4)
                .prop_map(|it| Json::Object(it.into_iter().collect::<Object>())),
        ]
    })
}
