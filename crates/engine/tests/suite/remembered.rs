//! What is remembered from one look to the next changes nothing but the time that a look takes: beside every look that
//! may remember stands one that reads everything, and finds the same and nothing more.

use crate::world::{FORMATS, World, foreign_edit};
use std::{
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};
use worklist::{
    Actor, Command, NewTask, TaskId, TaskList,
    clock::Clock,
    format::{Put, Writing},
    rules::{ClaimTask, CompleteTask, Edit, NextTask, Plan, PlanTask, ReleaseTask},
    store::files::Files,
    task::{Status, Task},
    vfs::{Vfs, sim::SimDisk},
};

pub(crate) const SNAPSHOT: &str = ".worklist/snapshot";
pub(crate) const TEXTS: &str = ".worklist/texts";

/// What a step may be made of.
struct Chance<'a>(&'a World);

impl Chance<'_> {
    fn below(&self, end: u64) -> u64 {
        self.0.clock.random() % end.max(1)
    }

    fn one_of<'i>(&self, ids: &'i [TaskId]) -> Option<&'i TaskId> {
        ids.get(usize::try_from(self.below(ids.len() as u64)).unwrap_or(0))
    }
}

fn files(world: &World) -> Files {
    let (disk, clock) = (Arc::new(world.disk.clone()), Arc::new(world.clock.clone()));
    Files::open(disk, clock, Path::new("list"), Some(world.format)).expect("the list opens")
}

pub(crate) fn remembering(world: &World) -> TaskList {
    TaskList::of_files(files(world).remembering_all(), Arc::new(world.clock.clone()))
}

pub(crate) fn reading(world: &World) -> TaskList {
    TaskList::of_files(files(world).remembering_nothing(), Arc::new(world.clock.clone()))
}

/// Whatever ours and others do, in every format.
#[test]
fn a_look_that_remembers_finds_what_a_full_one_finds() {
    let lives = if crate::is_long() { 60_000 } else { 600 };
    let (mut looks, mut used) = (0_u64, 0_u64);
    for seed in crate::number_from("WORKLIST_SEED").map_or(0..lives, |it| it..it + 1) {
        // Every format, and twice as often the one that others write, too.
        let format = FORMATS[(usize::try_from(seed).unwrap_or(0) % (FORMATS.len() + 2)).saturating_sub(2)];
        let world = World::new(format, seed.wrapping_mul(0x9E37_79B9).wrapping_add(1));
        start(&world);
        // One that lives long keeps what it saw in its memory.
        let keeper = remembering(&world);
        for step in 0..20 {
            act(&world);
            let before = world.disk.peek(SNAPSHOT);
            let list = remembering(&world);
            // Whoever looks first has the news to tell.
            let early = (step % 2 == 1).then(|| keeper.board().expect("a look"));
            let seen = list.board().expect("a look");
            let kept = early.unwrap_or_else(|| keeper.board().expect("a look"));
            let told = list.seq().expect("a number");
            let full = reading(&world);
            let all = full.board().expect("a full look");
            let at = format!("seed {seed} ({format}), step {step}");
            assert_eq!(format!("{:?}", seen.tasks), format!("{:?}", all.tasks), "{at}");
            assert_eq!(format!("{:?}", kept.tasks), format!("{:?}", all.tasks), "{at}, in memory");
            assert_eq!(seen.problems, all.problems, "{at}");
            for (who, list) in
                [("from the disk", &remembering(&world)), ("in memory", &keeper), ("anew", &full)]
            {
                let ready = list.ready().expect("what is ready");
                assert_eq!(format!("{:?}", ready.tasks), format!("{:?}", all.ready()), "{at}, {who}");
                assert_eq!((ready.total, &ready.problems), (all.tasks.len(), &all.problems), "{at}, {who}");
            }
            assert_eq!(told, full.seq().expect("a number"), "{at}: a full look found more");
            looks += 1;
            used += u64::from(before.is_some() && before == world.disk.peek(SNAPSHOT));
        }
        let best = reading(&world).ready().expect("what is ready").tasks.first().map(|it| it.task.id.clone());
        let next = Command::Next(NextTask::default());
        let taken = remembering(&world).run(&Actor::new("zoe", "z"), &next).expect("an answer");
        assert_eq!(taken.decision.about, Vec::from_iter(best), "seed {seed} ({format})");
    }
    println!("{looks} looks, {used} of them by what was remembered: 0 different");
    assert!(lives < 10 || used > looks / 10, "it was remembered too seldom to show anything: {used}");
}

/// Two writes of one length so soon after each other that the file's times are the same: the second is seen, too.
#[test]
fn a_second_write_within_one_tick_is_seen() {
    let world = World::new("claude", 1);
    start(&world);
    let id = TaskId::from(1);
    for text in ["one", "two", "six"] {
        foreign_edit(&world.disk, world.format, &id, &|task| text.clone_into(&mut task.description));
        let seen = remembering(&world).show(&id).expect("a look").expect("a task").task.description.clone();
        let listed = remembering(&world).board().expect("a look").tasks.remove(0).task.description.clone();
        assert_eq!((seen.as_str(), listed.as_str()), (text, text));
        // What is remembered now was read within the tick in which it was written.
        remembering(&world).board().expect("a look that remembers");
        assert!(world.disk.peek(SNAPSHOT).is_some());
    }
}

/// What is too much to be written at once is remembered, too.
#[test]
fn a_large_look_is_remembered() {
    let world = World::new("claude", 1);
    let description = "many words ".repeat(900);
    let task =
        |n| NewTask { subject: format!("task {n}"), description: description.clone(), ..NewTask::default() };
    let tasks = (0..250).map(|n| PlanTask { task: task(n), ..PlanTask::default() });
    let plan = Command::Plan(Plan { key: None, tasks: tasks.collect() });
    remembering(&world).run(&Actor::new("ann", "s"), &plan).expect("a plan");
    look_until_remembered(&world);
    let before = world.disk.peek(TEXTS).expect("what is remembered");
    assert!(before.len() > 2 * 1024 * 1024);
    let calls = world.disk.calls();
    let seen = remembering(&world).board().expect("a look");
    // Each file is asked, and none is read.
    assert!(world.disk.calls() - calls < 300, "{} calls", world.disk.calls() - calls);
    let all = reading(&world).board().expect("a full look");
    assert!(format!("{:?}", seen.tasks) == format!("{:?}", all.tasks), "the same tasks");
}

/// Tasks speak of each other by where they stood: when one before them goes, the others are still found by what is
/// remembered, and none of them is read.
#[test]
fn what_stood_behind_a_removed_task_is_not_read_again() {
    let world = World::new("claude", 1);
    let tasks = (0..100).map(|n| PlanTask {
        name: Some(format!("t{n}")),
        task: NewTask { subject: format!("task {n}"), ..NewTask::default() },
        after: if n > 1 { vec![format!("t{}", n - 1)] } else { Vec::new() },
        ..PlanTask::default()
    });
    let (ann, list) = (Actor::new("ann", "s"), remembering(&world));
    list.run(&ann, &Command::Plan(Plan { key: None, tasks: tasks.collect() })).expect("a plan");
    look_until_remembered(&world);
    list.run(&ann, &Command::Delete { id: TaskId::from(1), force: true }).expect("a removal");
    let calls = world.disk.calls();
    let ready = remembering(&world).ready().expect("what is ready");
    let calls = world.disk.calls() - calls;
    assert_eq!(ready.tasks.iter().map(|it| it.task.id.as_str()).collect::<Vec<_>>(), ["2"]);
    assert!(calls < 150, "99 files were asked, and some were read: {calls} calls");
}

/// What is remembered has a sum for every part of it: not a byte can be another without being noticed, whether all tasks are
/// asked for, or some, or one is to be taken; and what is not what it was is not asked a second time.
#[test]
fn not_a_byte_of_it_can_be_another() {
    for (file, least) in [(SNAPSHOT, 300), (TEXTS, 200)] {
        let bytes = hurt_byte_by_byte(file);
        println!("{bytes} bytes of {file}, each another once: 0 believed");
        assert!(bytes > least, "{file}: {bytes}");
    }
}

fn hurt_byte_by_byte(file: &str) -> usize {
    let world = |at: usize| {
        let world = World::new("claude", 1);
        start(&world);
        look_until_remembered(&world);
        let mut bytes = world.disk.peek(file).expect("what is remembered");
        let end = bytes.len();
        bytes[at] ^= 0x20;
        world.disk.foreign_write(file, Some(&bytes));
        (world, bytes, end)
    };
    let (mut at, mut end) = (0, 1);
    while at < end {
        let (world, hurt, length) = world(at);
        end = length;
        let all = reading(&world).board().expect("a full look");
        match at % 3 {
            0 => {
                let seen = remembering(&world).board().expect("a look");
                assert_eq!(format!("{:?}", seen.tasks), format!("{:?}", all.tasks), "byte {at}");
                assert!(world.disk.peek(file).as_ref() != Some(&hurt), "byte {at} of {file}");
            }
            1 => {
                let ready = remembering(&world).ready().expect("what is ready");
                assert_eq!(format!("{:?}", ready.tasks), format!("{:?}", all.ready()), "byte {at}");
            }
            _ => {
                let next = Command::Next(NextTask::default());
                let taken = remembering(&world).run(&Actor::new("zoe", "z"), &next).expect("an answer");
                assert_eq!(taken.tasks[0].task.subject, "task 0", "byte {at}");
            }
        }
        at += 1;
    }
    end
}

/// What another program laid over ours is remembered by nobody as it lies there: as long as it cannot be put right, every
/// look finds it again.
#[test]
fn what_could_not_be_put_right_is_found_again() {
    let world = World::new("claude", 1);
    // More than a look may find changed without being remembered anew.
    let tasks = (0..24).map(|n| NewTask { subject: format!("task {n}"), ..NewTask::default() });
    let (ann, list) = (Actor::new("ann", "s"), remembering(&world));
    let ids: Vec<TaskId> = tasks
        .map(|it| list.run(&ann, &Command::Create(it)).expect("a task").tasks[0].task.id.clone())
        .collect();
    let names: Vec<String> = ids.iter().map(|it| world.format.file_of(it)).collect();
    let old: Vec<_> = names.iter().map(|it| world.disk.peek(it).expect("a file")).collect();
    for id in &ids {
        let edit = Edit { subject: Some("ours".to_owned()), ..Edit::of(id.clone()) };
        list.run(&ann, &Command::Edit(edit)).expect("an edit");
    }
    let ours: Vec<_> = names.iter().map(|it| world.disk.peek(it).expect("a file")).collect();
    list.board().expect("a look that remembers");
    names.iter().zip(&old).for_each(|(name, it)| world.disk.foreign_write(name, Some(it)));
    assert!(world.disk.foreign_lock("1.json.lock"));
    let before = world.disk.peek(SNAPSHOT);
    list.board().expect("a look that cannot put anything right");
    assert!(world.disk.peek(SNAPSHOT) != before, "it was to be remembered");
    assert!(world.disk.peek(&names[0]).as_ref() == Some(&old[0]), "it was to be held up");
    world.disk.foreign_unlock("1.json.lock");
    world.clock.pass(1_000);
    list.board().expect("a look");
    let now: Vec<_> = names.iter().map(|it| world.disk.peek(it).expect("a file")).collect();
    assert!(now == ours, "what was laid over ours stands");
}

/// `next` looks at most of the list before it has the lock. Another program opens the blocker again at any moment until
/// then: what waits for it is not begun.
#[test]
fn what_came_back_before_our_turn_is_waited_for() {
    let (mut early, mut late) = (0, 0);
    for (format, call) in ["claude", "s12"].into_iter().flat_map(|it| (1..=120).map(move |call| (it, call))) {
        let world = World::new(format, call);
        start(&world);
        let [first, second] = [named(&world, "task 0"), named(&world, "task 1")];
        let done = CompleteTask { id: first.clone(), token: None, force: true };
        remembering(&world).run(&Actor::new("ann", "s"), &Command::Complete(done)).expect("done");
        look_until_remembered(&world);
        let (its, came, mut turn) = (world.format, Arc::new(AtomicBool::new(false)), Turn::at(call));
        let (came_back, blocker) = (came.clone(), first.clone());
        world.disk.set_gap(Some(Box::new(move |disk, _| {
            if turn.is_now(disk) {
                let reopen = |task: &mut Task| task.status = Status::Pending;
                came_back.store(foreign_edit(disk, its, &blocker, &reopen), Ordering::Relaxed);
            }
        })));
        let next = remembering(&world).run(&Actor::new("bob", "b"), &Command::Next(NextTask::default()));
        world.disk.set_gap(None);
        let is_early = came.load(Ordering::Relaxed);
        let wanted = if is_early { first } else { second };
        assert_eq!(next.expect("an answer").decision.about, [wanted], "{format}, gap {call}");
        *(if is_early { &mut early } else { &mut late }) += 1;
    }
    println!("a blocker came back in {early} gaps before the lock: 0 begun behind it");
    assert!(early > 20 && late > 20, "{early} and {late}");
}

/// The same with another process of ours, which takes a task: nobody else is given it.
#[test]
fn what_another_took_before_our_turn_is_not_given_again() {
    let mut early = 0;
    for (format, call) in ["claude", "s12"].into_iter().flat_map(|it| (1..=40).map(move |call| (it, call))) {
        let world = Arc::new(World::new(format, call));
        let tasks = (0..6).map(|n| PlanTask {
            task: NewTask { subject: format!("task {n}"), ..NewTask::default() },
            ..PlanTask::default()
        });
        let plan = Command::Plan(Plan { key: None, tasks: tasks.collect() });
        remembering(&world).run(&Actor::new("ann", "s"), &plan).expect("a plan");
        look_until_remembered(&world);
        let next = |world: &World, who: &str| {
            let outcome = remembering(world).run(&Actor::new(who, who), &Command::Next(NextTask::default()));
            outcome.expect("an answer").decision.about
        };
        let (taken, mut turn) = (Arc::new(Mutex::new(Vec::new())), Turn::at(call));
        let (other, others) = (world.clone(), taken.clone());
        world.disk.set_gap(Some(Box::new(move |disk, _| {
            if turn.is_now(disk) {
                *others.lock().expect("whole") = next(&other, "bob");
            }
        })));
        let own = next(&world, "ann");
        world.disk.set_gap(None);
        let taken = taken.lock().expect("whole");
        assert!(own.len() == 1 && *taken != own, "{format}, gap {call}: {own:?} twice");
        early += usize::from(!taken.is_empty());
    }
    println!("another process took a task in {early} gaps before the lock: 0 given twice");
    assert!(early > 20, "{early}");
}

fn named(world: &World, subject: &str) -> TaskId {
    let tasks = remembering(world).board().expect("a look").tasks;
    tasks.into_iter().find(|it| it.task.subject == subject).expect("planned").task.id.clone()
}

/// A gap between two calls of a command that does not have the lock yet.
struct Turn {
    left: u64,
    was_locked: bool,
}

impl Turn {
    fn at(call: u64) -> Turn {
        Turn { left: call, was_locked: false }
    }

    fn is_now(&mut self, disk: &SimDisk) -> bool {
        self.left = self.left.saturating_sub(1);
        self.was_locked |= disk.try_lock(None).is_ok_and(|it| it.is_none());
        let is_now = self.left == 0 && !self.was_locked;
        self.was_locked |= is_now;
        is_now
    }
}

/// Later than a relapse of another program is noticed, with everything remembered as it was long ago.
pub(crate) fn look_until_remembered(world: &World) {
    world.clock.pass(31_000);
    world.disk.foreign_write(SNAPSHOT, None);
    remembering(world).board().expect("a look");
    assert!(world.disk.peek(SNAPSHOT).is_some());
}

fn start(world: &World) {
    let tasks = (0..6).map(|n| PlanTask {
        name: Some(format!("t{n}")),
        task: NewTask { subject: format!("task {n}"), ..NewTask::default() },
        after: if n > 0 { vec![format!("t{}", n - 1)] } else { Vec::new() },
        ..PlanTask::default()
    });
    let plan = Command::Plan(Plan { key: None, tasks: tasks.collect() });
    remembering(world).run(&Actor::new("ann", "s"), &plan).expect("a plan");
    world.clock.pass(1_000);
}

/// Some steps of ours or of others, close together or far apart.
fn act(world: &World) {
    let chance = Chance(world);
    for _ in 0..=chance.below(2) {
        let ids: Vec<TaskId> = remembering(world)
            .board()
            .expect("a look")
            .tasks
            .into_iter()
            .map(|it| it.task.id.clone())
            .collect();
        world.clock.pass([0, 0, 1, 30, 5_000, 90_000][usize::try_from(chance.below(6)).unwrap_or(0)]);
        match chance.below(3) {
            0 => intrude(world, &chance, &ids),
            _ => {
                let actor = Actor::new(format!("agent-{}", chance.below(2)), format!("s{}", chance.below(2)));
                // Refusals are answers, too.
                _ = remembering(world).run(&actor, &command(&chance, &ids));
            }
        }
    }
}

fn command(chance: &Chance<'_>, ids: &[TaskId]) -> Command {
    let new = NewTask { subject: format!("task {}", chance.below(1000)), ..NewTask::default() };
    let (Some(id), Some(other)) = (chance.one_of(ids).cloned(), chance.one_of(ids).cloned()) else {
        return Command::Create(new);
    };
    let token = None;
    match chance.below(11) {
        0 => Command::Create(NewTask { blocked_by: vec![other], ..new }),
        1 => Command::Create(NewTask { blocks: vec![other], ..new }),
        2 => Command::Claim(ClaimTask::of(id)),
        3 => Command::Next(NextTask::default()),
        4 => Command::Complete(CompleteTask { id, token, force: true }),
        5 => Command::Release(ReleaseTask { id, token, reason: None, force: true }),
        6 => Command::Edit(Edit { subject: Some(format!("edited {}", chance.below(9))), ..Edit::of(id) }),
        7 => Command::Edit(Edit { add_blocked_by: vec![other], ..Edit::of(id) }),
        8 => Command::Edit(Edit { remove_blocked_by: vec![other], ..Edit::of(id) }),
        9 => Command::Delete { id, force: true },
        _ => Command::Reopen { id, force: false },
    }
}

/// What another program may do to the files: change a field, an edge on one end, put a file there, take one away.
fn intrude(world: &World, chance: &Chance<'_>, ids: &[TaskId]) {
    let (Some(id), Some(other)) = (chance.one_of(ids), chance.one_of(ids).cloned()) else { return };
    let text = format!("foreign {}", chance.below(9));
    let edit = |change: &dyn Fn(&mut Task)| _ = foreign_edit(&world.disk, world.format, id, change);
    match chance.below(8) {
        0 | 1 => edit(&|task| text.clone_into(&mut task.description)),
        2 => edit(&|task| task.blocked_by.push(other.clone())),
        3 => edit(&|task| task.blocks.push(other.clone())),
        4 => edit(&|task| task.blocked_by.clear()),
        5 => edit(&|task| task.blocked_by.push(TaskId::from(30 + chance.below(3)))),
        6 if world.format.shape().single_file.is_none() => {
            world.disk.foreign_write(&world.format.file_of(id), None);
        }
        6 => {}
        _ => create(world, &TaskId::from(30 + chance.below(3))),
    }
}

fn create(world: &World, id: &TaskId) {
    let name = world.format.file_of(id);
    if world.disk.peek(&name).is_some() || !world.format.is_task_file(&name) {
        return;
    }
    let task = Task::new(id.clone(), "of another program");
    let writing = Writing { finished: &|_| false, now: worklist::time::Time(1_770_000_000_000) };
    let text = world.format.encode(None, &[Put::Task(&task)], &writing).expect("encode").expect("a text");
    world.disk.foreign_write(&name, Some(text.as_bytes()));
}
