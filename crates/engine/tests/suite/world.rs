//! A small list on a simulated disk, every verb that can be done to it, and what can be seen of it from outside.

use std::{path::Path, sync::Arc};
use worklist::{
    Actor, Command, Error, NewTask, Outcome, TaskId, TaskList,
    conformance::{add, ann, bob, claim},
    format::{Format, Put, Writing, named},
    rules::{ClaimTask, CompleteTask, Edit, Holder, NextTask, Plan, PlanTask, ReleaseTask},
    store::files::Files,
    task::Task,
    vfs::sim::{SimClock, SimDisk},
};

pub(crate) const FORMATS: [&str; 6] = ["claude", "s12", "s07", "java", "v6", "tasks-json"];

/// A disk with a list on it.
pub(crate) struct World {
    pub(crate) disk: SimDisk,
    pub(crate) clock: SimClock,
    pub(crate) format: &'static dyn Format,
    /// Whether what a look finds is remembered for the next, as it is in lists that are large enough.
    remembers: bool,
}

/// The tasks that every world starts with: `done` is completed and freed `held`, which bob has; `ready` is free;
/// `blocked` waits for `held` and `ready`.
pub(crate) struct Ids {
    pub(crate) done: TaskId,
    pub(crate) held: TaskId,
    pub(crate) ready: TaskId,
    pub(crate) blocked: TaskId,
}

impl World {
    pub(crate) fn new(format: &str, seed: u64) -> World {
        let clock = SimClock::new(seed);
        let format = named(format).expect("a format");
        World { disk: SimDisk::new(clock.clone()), clock, format, remembers: seed % 2 == 1 }
    }

    /// Opens the list as a new process does.
    pub(crate) fn open(&self) -> Result<TaskList, Error> {
        Ok(TaskList::of_files(self.files()?, Arc::new(self.clock.clone())))
    }

    /// The same, as what threads of one process share.
    pub(crate) fn files(&self) -> Result<Files, Error> {
        let (disk, clock) = (Arc::new(self.disk.clone()), Arc::new(self.clock.clone()));
        let files = Files::open(disk, clock, Path::new("list"), Some(self.format))?;
        Ok(if self.remembers { files.remembering_all() } else { files })
    }

    pub(crate) fn list(&self) -> TaskList {
        self.open().expect("the list opens")
    }

    pub(crate) fn populate(&self) -> Ids {
        let list = self.list();
        let done = add(&list, "done", &[]);
        let held = add(&list, "held", &[&done]);
        let ready = add(&list, "ready", &[]);
        let blocked = add(&list, "blocked", &[&held, &ready]);
        let complete = CompleteTask { id: done.clone(), token: None, force: false };
        list.run(&ann(), &Command::Complete(complete)).expect("complete");
        claim(&list, &bob(), &held).expect("claim");
        Ids { done, held, ready, blocked }
    }

    /// What can be seen of the list: the fields that matter, in the order of ids.
    pub(crate) fn seen(&self) -> Vec<String> {
        let board = self.list().board().expect("the list can be read");
        assert!(board.problems.is_empty(), "{:?}", board.problems);
        let mut seen: Vec<String> =
            board.tasks.iter().map(|it| line(&it.task, it.claim.as_ref().map(|it| it.token))).collect();
        seen.sort();
        seen
    }

    /// Every task file can be read by its format, whoever wrote it last; except some that others left half written.
    pub(crate) fn check_files(&self, broken: &[String]) {
        let names = self.disk.all_names();
        for name in names.iter().filter(|it| self.format.is_task_file(it) && !broken.contains(it)) {
            let bytes = self.disk.peek(name).expect("there");
            let text = String::from_utf8(bytes).expect("UTF-8");
            let found =
                self.format.decode(name, &text).unwrap_or_else(|fault| panic!("{name}: {fault}\n{text}"));
            assert!(found.iter().all(|it| it.task.is_ok()), "{name}: {text}");
        }
    }

    /// Nothing is left locked or pinned, and events are numbered without a gap.
    pub(crate) fn check_order(&self) {
        let locks: Vec<String> = self
            .disk
            .all_names()
            .into_iter()
            .filter(|it| {
                !it.starts_with(".worklist") && Path::new(it).extension().is_some_and(|it| it == "lock")
            })
            .collect();
        assert!(locks.is_empty(), "left behind: {locks:?}");
        let seqs: Vec<u64> = self.list().events_after(0).expect("history").iter().map(|it| it.seq).collect();
        assert!(seqs.is_sorted_by(|a, b| a < b), "{seqs:?}");
    }
}

/// Changes a task as another program would: in place, without asking anyone.
pub(crate) fn foreign_edit(
    disk: &SimDisk,
    format: &dyn Format,
    id: &TaskId,
    change: &dyn Fn(&mut Task),
) -> bool {
    let name = format.file_of(id);
    let Some(text) = disk.peek(&name).and_then(|it| String::from_utf8(it).ok()) else { return false };
    let Ok(found) = format.decode(&name, &text) else { return false };
    let Some(mut task) = found.into_iter().filter_map(|it| it.task.ok()).find(|it| it.id == *id) else {
        return false;
    };
    change(&mut task);
    let writing = Writing { finished: &|_| false, now: worklist::time::Time(1_770_000_000_000) };
    let new = format.encode(Some(&text), &[Put::Task(&task)], &writing).expect("encode").expect("a text");
    disk.foreign_write(&name, Some(new.as_bytes()));
    true
}

fn line(task: &Task, token: Option<u64>) -> String {
    let ids = |ids: &[TaskId]| {
        let mut ids: Vec<&str> = ids.iter().map(TaskId::as_str).collect();
        ids.sort_unstable();
        ids.join(",")
    };
    let (blocks, blocked_by) = (ids(&task.blocks), ids(&task.blocked_by));
    let Task { id, subject, description, status, owner, tags, .. } = task;
    format!("{id} {subject} {description:?} {status:?} {owner:?} {tags:?} <{blocks} >{blocked_by} {token:?}")
}

/// A verb: its name, who does it, what.
pub(crate) type Verb = (&'static str, fn(&Ids) -> (Actor, Command));

/// Every command that writes.
pub(crate) const VERBS: [Verb; 16] = [
    ("create", |_| (ann(), Command::Create(new("new")))),
    ("create with edges", |ids| {
        let (blocked_by, blocks) = (vec![ids.ready.clone()], vec![ids.blocked.clone()]);
        (ann(), Command::Create(NewTask { blocked_by, blocks, ..new("new") }))
    }),
    ("plan", |_| (ann(), planned(3))),
    ("large plan", |_| (ann(), planned(LARGE_PLAN))),
    ("edit", |ids| {
        let edit = Edit {
            subject: Some("changed".into()),
            add_tags: vec!["t".into()],
            ..Edit::of(ids.ready.clone())
        };
        (ann(), Command::Edit(edit))
    }),
    ("edge", |ids| {
        let add_blocked_by = vec![ids.ready.clone()];
        (ann(), Command::Edit(Edit { add_blocked_by, ..Edit::of(ids.held.clone()) }))
    }),
    ("claim", |ids| (ann(), Command::Claim(ClaimTask::of(ids.ready.clone())))),
    ("next", |_| (ann(), Command::Next(NextTask::default()))),
    ("heartbeat", |ids| {
        (bob(), Command::Heartbeat { id: ids.held.clone(), token: None, lease: Some(7_200_000) })
    }),
    ("complete", |ids| {
        (bob(), Command::Complete(CompleteTask { id: ids.held.clone(), token: None, force: false }))
    }),
    ("release", |ids| {
        let reason = Some("why".into());
        (bob(), Command::Release(ReleaseTask { id: ids.held.clone(), token: None, reason, force: false }))
    }),
    ("release all", |_| (ann(), Command::ReleaseAll(Holder::Agent("bob".into())))),
    ("reopen", |ids| (ann(), Command::Reopen { id: ids.done.clone(), force: false })),
    ("delete", |ids| (ann(), Command::Delete { id: ids.ready.clone(), force: false })),
    ("reap", |_| (ann(), Command::Reap)),
    ("import", |ids| {
        let mut first = Task::new(TaskId::found("from/elsewhere"), "from elsewhere");
        first.blocked_by = vec![ids.ready.clone()];
        let mut second = Task::new(TaskId::found("from/elsewhere-2"), "and another");
        second.blocked_by = vec![first.id.clone()];
        (ann(), Command::Import(vec![first, second]))
    }),
];

/// So many tasks that their files are made in one step each.
pub(crate) const LARGE_PLAN: usize = 20;

/// A plan of so many tasks, each of which waits for the two before it. What it is called is also its subject.
fn planned(count: usize) -> Command {
    let name = |n: usize| format!("planned {n}");
    let task = |n: usize| PlanTask {
        name: Some(name(n)),
        after: (n.saturating_sub(2)..n).map(name).collect(),
        task: new(&name(n)),
        ..PlanTask::default()
    };
    Command::Plan(Plan { key: Some("k".into()), tasks: (0..count).map(task).collect() })
}

fn new(subject: &str) -> NewTask {
    NewTask { subject: subject.to_owned(), description: "text".to_owned(), ..NewTask::default() }
}

/// Runs a verb as a new process.
pub(crate) fn run(world: &World, ids: &Ids, verb: &Verb) -> Result<Outcome, Error> {
    let (actor, command) = (verb.1)(ids);
    world.open()?.run(&actor, &command)
}
