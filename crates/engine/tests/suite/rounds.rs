//! Changes of threads that share a list, written together with one flush: killed, failed, without power, and with others in
//! between, at every call. Each change is there whole or not at all, and what was acknowledged is there.

use crate::world::{FORMATS, Ids, World, foreign_edit};
use std::{
    any::Any,
    collections::BTreeMap,
    io::ErrorKind,
    panic::resume_unwind,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};
use worklist::{
    Actor, Command, Error, Options, TaskId, TaskList,
    conformance::{add, ann, bob, task},
    rules::{self, ClaimTask, CompleteTask, Edit, Request},
    store::{Store, files::Files},
};

/// Who acts, and what is wanted.
type Part = fn(&Ids) -> (Actor, Command);

/// Who is in the round, and what each wants: two concern the same task, the others one each.
const PARTS: [Part; 4] = [
    |ids| (ann(), Command::Claim(ClaimTask::of(ids.ready.clone()))),
    |ids| (ann(), Command::Edit(Edit { subject: Some("changed".into()), ..Edit::of(ids.ready.clone()) })),
    |ids| (bob(), Command::Complete(CompleteTask { id: ids.held.clone(), token: None, force: false })),
    |ids| {
        let edit = Edit { description: Some("described".into()), ..Edit::of(ids.blocked.clone()) };
        (Actor::new("carl", "session-carl"), Command::Edit(edit))
    },
];

/// What a rule dies of that is told to.
const RULE_DIES: &str = "a rule that dies";

/// Which of the parts were done.
type Which = [bool; PARTS.len()];

fn fresh(format: &str) -> (World, Ids) {
    let world = World::new(format, 7);
    let ids = world.populate();
    // Everybody left a sign of life before: so the first of a session is not in the way of what is looked at here.
    let hello = Edit { add_tags: vec!["hello".into()], ..Edit::of(ids.blocked.clone()) };
    world.list().run(&PARTS[3](&ids).0, &Command::Edit(hello)).expect("an edit");
    (world, ids)
}

/// Counts itself when it is dropped.
struct Finished<'a>(&'a AtomicUsize);

impl Drop for Finished<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// All parts at once: the first to decide waits until the others stand in line behind it. One of them may panic when its
/// turn comes.
fn together(files: &Files, world: &World, ids: &Ids, panics: Option<usize>) -> Which {
    let (is_open, finished) = (AtomicBool::new(false), AtomicUsize::new(0));
    let until_here = |count: usize| {
        while files.in_line() + finished.load(Ordering::SeqCst) < count {
            thread::yield_now();
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = PARTS
            .iter()
            .enumerate()
            .map(|(n, part)| {
                let (actor, command) = part(ids);
                let (is_open, finished, until_here) = (&is_open, &finished, &until_here);
                let thread = scope.spawn(move || {
                    let _finished = Finished(finished);
                    let request =
                        Request { actor, now: worklist::clock::Clock::now(&world.clock), lenient: false };
                    let done = files.transact(&request, command.name(), &mut |tasks| {
                        if !is_open.swap(true, Ordering::SeqCst) {
                            until_here(PARTS.len());
                        }
                        if panics == Some(n) {
                            resume_unwind(Box::new(RULE_DIES));
                        }
                        rules::decide(tasks, &command, &request)
                    });
                    assert!(!matches!(done, Err(Error::Refused(_))), "part {n}: {done:?}");
                    done.is_ok()
                });
                until_here(n + 1);
                thread
            })
            .collect();
        let died = |panic: Box<dyn Any + Send>| match panic.downcast_ref() {
            Some(&RULE_DIES) => false,
            _ => resume_unwind(panic),
        };
        let mut done = threads.into_iter().map(|it| it.join().unwrap_or_else(died));
        std::array::from_fn(|_| done.next().expect("one for each"))
    })
}

/// What a list looks like when some of the parts were done, each by itself.
struct Plain {
    seen: BTreeMap<Which, Vec<String>>,
    /// How many calls a round takes, and how many syncs.
    calls: u64,
    syncs: u64,
}

fn plain(format: &str) -> Plain {
    let which = |bits: usize| std::array::from_fn(|n| bits >> n & 1 == 1);
    let seen = (0..1 << PARTS.len()).map(|bits| {
        let ((world, ids), which): (_, Which) = (fresh(format), which(bits));
        for (part, _) in PARTS.iter().zip(which).filter(|it| it.1) {
            let (actor, command) = part(&ids);
            world.list().run(&actor, &command).expect("a part by itself");
        }
        (which, world.seen())
    });
    let seen = seen.collect();
    let (world, ids) = fresh(format);
    let files = world.files().expect("the list opens");
    let (calls, syncs) = (world.disk.calls(), world.disk.syncs());
    assert_eq!(together(&files, &world, &ids, None), [true; PARTS.len()]);
    Plain { seen, calls: world.disk.calls() - calls, syncs: world.disk.syncs() - syncs }
}

/// After whatever happened: every part is there whole or not at all, and wholly if it was acknowledged.
fn check(world: &World, plain: &Plain, acknowledged: Which, what: &str) -> Which {
    let seen = world.seen();
    world.check_files(&[]);
    let Some((done, _)) = plain.seen.iter().find(|it| *it.1 == seen) else {
        panic!("{what}: half done\n{seen:#?}");
    };
    for n in 0..PARTS.len() {
        assert!(done[n] || !acknowledged[n], "{what}: part {n} was acknowledged, but lost\n{seen:#?}");
    }
    add(&world.list(), "and on it goes", &[]);
    world.check_order();
    world.check_files(&[]);
    *done
}

fn everywhere(strike: impl Fn(&World, u64), recover: impl Fn(&World)) -> String {
    let (mut points, mut all, mut none) = (0, 0, 0);
    for format in FORMATS {
        let plain = plain(format);
        for call in 1..=plain.calls {
            let (world, ids) = fresh(format);
            let files = world.files().expect("the list opens");
            strike(&world, call);
            let acknowledged = together(&files, &world, &ids, None);
            recover(&world);
            let done =
                check(&world, &plain, acknowledged, &format!("{format}, call {call} of {}", plain.calls));
            points += 1;
            all += usize::from(done.iter().all(|it| *it));
            none += usize::from(done.iter().all(|it| !*it));
        }
    }
    format!(
        "{points} points of a round of {}: all of it {all} times, nothing of it {none}, 0 wrong",
        PARTS.len()
    )
}

#[test]
fn a_round_is_killed_at_every_call() {
    println!(
        "killed at {}",
        everywhere(|world, call| world.disk.crash_in(call), |world| world.disk.restart())
    );
}

#[test]
fn a_round_loses_power_at_every_call() {
    let told = everywhere(|world, call| world.disk.crash_in(call), |world| world.disk.lose_power());
    println!("power lost at {told}");
}

/// Nothing was promised before the flush: each does it once more by itself then.
#[test]
fn every_call_of_a_round_fails_once() {
    for kind in [ErrorKind::StorageFull, ErrorKind::PermissionDenied, ErrorKind::Other] {
        let told = everywhere(|world, call| world.disk.fail_in(call, kind), |world| world.disk.restart());
        println!("{kind:?} at {told}");
    }
}

/// What it is for: as many flushes as one change by itself takes. Where tasks do not say what waits for them, completing one
/// looks at all of them, which shows nothing of a round: it has one to itself.
#[test]
fn a_round_is_flushed_once() {
    for (format, flushes) in FORMATS.into_iter().zip([1, 2, 1, 1, 1, 2]) {
        let (world, ids) = fresh(format);
        let syncs = world.disk.syncs();
        let (actor, command) = PARTS[0](&ids);
        world.list().run(&actor, &command).expect("a claim");
        assert_eq!(world.disk.syncs() - syncs, 1, "{format}: a claim");
        assert_eq!(plain(format).syncs, flushes, "{format}: a round");
    }
}

/// Somebody writes another field of a task of two of the parts in any gap: everything is there in the end.
#[test]
fn a_foreign_write_in_every_gap_of_a_round_survives() {
    let mut points = 0;
    for format in FORMATS {
        for call in 1..=plain(format).calls {
            let (world, ids) = fresh(format);
            // Later than any write of ours by more than a relapse is noticed: theirs are then what they are.
            world.clock.pass(31_000);
            let files = world.files().expect("the list opens");
            let (start, its, id) = (world.disk.calls(), world.format, ids.ready.clone());
            world.disk.set_gap(Some(Box::new(move |disk, now| {
                if now == start + call {
                    assert!(foreign_edit(disk, its, &id, &|task| task.description = "theirs".into()));
                }
            })));
            let acknowledged = together(&files, &world, &ids, None);
            world.disk.set_gap(None);
            assert_eq!(acknowledged, [true; PARTS.len()], "{format}, gap {call}");
            let list = world.list();
            let (ready, held) = (task(&list, &ids.ready), task(&list, &ids.held));
            let both = (ready.subject.as_str(), ready.owner.as_deref(), ready.description.as_str());
            assert_eq!(both, ("changed", Some("ann"), "theirs"), "{format}, gap {call}");
            assert!(!held.is_open(), "{format}, gap {call}");
            assert_eq!(task(&list, &ids.blocked).description, "described", "{format}, gap {call}");
            world.check_order();
            world.check_files(&[]);
            points += 1;
        }
    }
    println!("a foreign write in {points} gaps of a round of {}, 0 lost", PARTS.len());
}

/// A task of one of them is locked by another program: the others do not wait for that, and it is done when that lets go.
#[test]
fn a_foreign_lock_holds_up_no_other_part() {
    let (world, ids) = fresh("claude");
    let files = world.files().expect("the list opens").waiting(60_000);
    let lock = format!("{}.lock", world.format.file_of(&ids.held));
    assert!(world.disk.foreign_lock(&lock));
    let (its, others) = (world.format, [ids.ready.clone(), ids.blocked.clone()]);
    world.disk.set_gap(Some(Box::new(move |disk, _| {
        let read = |id: &TaskId| String::from_utf8(disk.peek(&its.file_of(id)).unwrap_or_default());
        let is_done =
            |id: &TaskId| read(id).is_ok_and(|it| it.contains("changed") || it.contains("described"));
        if others.iter().all(is_done) {
            disk.foreign_unlock(&lock);
        }
    })));
    assert_eq!(together(&files, &world, &ids, None), [true; PARTS.len()]);
    assert!(!task(&world.list(), &ids.held).is_open());
    world.check_order();
}

/// Whoever dies in its turn takes nobody along.
#[test]
fn a_panic_in_a_round_concerns_one() {
    for format in FORMATS {
        let plain = plain(format);
        for n in 0..PARTS.len() {
            let (world, ids) = fresh(format);
            let files = world.files().expect("the list opens");
            let acknowledged = together(&files, &world, &ids, Some(n));
            let others: Which = std::array::from_fn(|it| it != n);
            assert_eq!(acknowledged, others, "{format}, part {n}");
            assert_eq!(files.in_line(), 0);
            assert_eq!(check(&world, &plain, acknowledged, &format!("{format}, part {n} dies")), others);
        }
    }
}

/// Real threads on a real disk, with as many in each round as luck brings together.
#[test]
fn threads_that_share_a_list_do_everything_once() {
    const THREADS: usize = 8;
    const TASKS: usize = 96;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("list");
    let options = Options { format: Some("claude".to_owned()), ..Options::default() };
    TaskList::create(&path, &options).expect("a list");
    let list = TaskList::open(&path, &Options { wait_ms: Some(600_000), ..options }).expect("opens");
    let mut ids: Vec<TaskId> = Vec::new();
    for n in 0..TASKS {
        let after: Vec<&TaskId> = ids.iter().rev().skip(THREADS).take(2).collect();
        let id = add(&list, &format!("task {n}"), &after);
        ids.push(id);
    }
    let done: Mutex<BTreeMap<TaskId, usize>> = Mutex::default();
    let first = list.events_after(0).expect("history").len();
    thread::scope(|scope| {
        for n in 0..THREADS {
            let (list, ids, done) = (&list, &ids, &done);
            scope.spawn(move || {
                work(list, ids, &Actor::new(format!("agent-{n}"), format!("session-{n}")), done);
            });
        }
    });
    let done = done.into_inner().expect("no thread panics");
    assert_eq!(done.len(), TASKS);
    assert!(done.values().all(|it| *it == 1), "{done:?}");
    let events = list.events_after(0).expect("history");
    assert_eq!(events.len(), first + 2 * TASKS);
    assert!(events.iter().zip(1..).all(|(event, seq)| event.seq == seq));
    let board = TaskList::open(&path, &Options::default()).expect("opens").board().expect("a look");
    assert!(board.problems.is_empty() && board.tasks.iter().all(|it| !it.task.is_open()));
}

/// Claims what it can get and completes it, until there is nothing left.
fn work(list: &TaskList, ids: &[TaskId], me: &Actor, done: &Mutex<BTreeMap<TaskId, usize>>) {
    let is_taken = |error: &Error| matches!(error, Error::Refused(it) if ["already_claimed", "already_resolved", "blocked"].contains(&it.code()));
    while done.lock().expect("no thread panics").len() < ids.len() {
        for id in ids {
            match list.run(me, &Command::Claim(ClaimTask::of(id.clone()))) {
                Ok(_) => {
                    let complete = CompleteTask { id: id.clone(), token: None, force: false };
                    list.run(me, &Command::Complete(complete)).expect("a completion");
                    *done.lock().expect("no thread panics").entry(id.clone()).or_default() += 1;
                }
                Err(error) => assert!(is_taken(&error), "{error:?}"),
            }
        }
    }
}
