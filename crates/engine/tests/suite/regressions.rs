//! Faults that a hostile reading found, each as the test that failed before it was mended.
#![expect(clippy::disallowed_methods, reason = "tests prepare folders by hand")]

use crate::world::{World, foreign_edit};
use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use worklist::{
    Command, Error, NewTask, Options, TaskId, TaskList,
    claim::DEFAULT_LEASE,
    clock::Clock,
    conformance::{add, ann, bob, claim, complete, refusal, task},
    rules::{Edit, Plan, PlanTask},
    task::Status,
};

fn edit(list: &TaskList, id: &TaskId, subject: &str) {
    list.run(&ann(), &Command::Edit(Edit { subject: Some(subject.into()), ..Edit::of(id.clone()) }))
        .expect("an edit");
}

/// A list file without a byte is a lost one, not an empty list, if the journal knows better.
#[test]
fn a_blank_list_is_served_and_not_taken_for_deleted() {
    let world = World::new("tasks-json", 1);
    let ids = world.populate();
    world.disk.foreign_write("tasks.json", Some(b""));
    world.clock.pass(60_000);
    assert_eq!(world.list().board().expect("a look").tasks.len(), 4);
    assert!(matches!(claim(&world.list(), &ann(), &ids.ready), Err(Error::Unreadable { .. })));
    world.disk.lose_power();
    assert_eq!(world.list().board().expect("a look").tasks.len(), 4);
    claim(&world.list(), &ann(), &ids.ready).expect("made again after the loss of power");
}

/// Killed after noting a foreign change: what that program did since is not undone by recovery.
#[test]
fn recovery_does_not_lay_back_foreign_changes() {
    let world = World::new("s07", 1);
    let ids = world.populate();
    let index = world.disk.peek(".worklist/index").expect("there");
    foreign_edit(&world.disk, world.format, &ids.ready, &|it| it.status = Status::InProgress);
    world.list().board().expect("a look");
    // As if the process had died before the index followed.
    world.disk.foreign_write(".worklist/index", Some(&index));
    foreign_edit(&world.disk, world.format, &ids.ready, &|it| it.status = Status::Completed);
    world.list().run(&ann(), &Command::Reap).expect("any command");
    assert_eq!(task(&world.list(), &ids.ready).status, Status::Completed);
}

/// A session whose process died goes on by commands: its claims are as good as any.
#[test]
fn a_session_can_outlive_its_process() {
    let world = World::new("claude", 1);
    let ids = world.populate();
    drop(world.list().hold_session(&ann()).expect("a session").expect("nobody else is it"));
    claim(&world.list(), &ann(), &ids.ready).expect("a claim");
    assert_eq!(refusal(claim(&world.list(), &bob(), &ids.ready)).code(), "already_claimed");
}

/// A stamp that cannot be read is as old as its file, not as old as the claim.
#[test]
fn a_torn_stamp_makes_nobody_dead() {
    let world = World::new("claude", 1);
    let ids = world.populate();
    claim(&world.list(), &ann(), &ids.ready).expect("a claim");
    world.clock.pass(DEFAULT_LEASE.unsigned_abs() - 1_000);
    world.list().renew(&ann()).expect("a sign of life");
    let names = world.disk.all_names();
    let stamp = names.iter().find(|it| it.contains("/session-ann") && it.contains(".seen")).expect("a stamp");
    world.disk.foreign_write(stamp, Some(b"{\"session\""));
    world.clock.pass(120_000);
    assert_eq!(refusal(claim(&world.list(), &bob(), &ids.ready)).code(), "already_claimed");
}

/// What is kept elsewhere under a second name is not written over when a displaced file is used again.
#[test]
fn a_backup_by_hard_links_stays_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("list");
    let list = TaskList::create(&path, &Options::default()).expect("a list");
    let (a, b) = (add(&list, "first", &[]), add(&list, "second", &[]));
    let backup = folder.path().join("backup.json");
    fs::hard_link(path.join("1.json"), &backup).expect("a second name");
    let before = fs::read_to_string(&backup).expect("there");
    edit(&list, &a, "changed");
    for n in 0..300 {
        edit(&list, &b, &format!("{n}"));
    }
    assert_eq!(fs::read_to_string(&backup).expect("there"), before);
}

/// A huge number among the names does not make counting overflow, and no id is given that is taken.
#[test]
fn huge_numbers_in_names_are_not_counted() {
    for format in ["claude", "v6"] {
        let world = World::new(format, 1);
        world.populate();
        for name in ["18446744073709551615.json", "9007199254740993.json"] {
            world.disk.foreign_write(name, Some(b"{}"));
        }
        assert_eq!(add(&world.list(), "next", &[]).number(), Some(5), "{format}");
    }
}

/// An id that the format cannot hold is refused before it is lost.
#[test]
fn ids_that_do_not_fit_the_format_are_refused() {
    for (format, id) in [("s07", "abc"), ("java", "x1"), ("s12", "1"), ("v6", "task_1")] {
        let world = World::new(format, 1);
        let new = NewTask { subject: "odd".into(), id: TaskId::typed(id), ..NewTask::default() };
        assert_eq!(refusal(world.list().run(&ann(), &Command::Create(new))).code(), "invalid", "{format}");
    }
}

/// A status that only its own program knows is left alone when a blocker is completed.
#[test]
fn a_cancelled_task_stays_cancelled() {
    let world = World::new("tasks-json", 1);
    let list = world.list();
    let a = add(&list, "a", &[]);
    add(&list, "b", &[&a]);
    let text = String::from_utf8(world.disk.peek("tasks.json").expect("there")).expect("UTF-8");
    world.disk.foreign_write("tasks.json", Some(text.replace("\"blocked\"", "\"cancelled\"").as_bytes()));
    complete(&world.list(), &ann(), &a, None).expect("done");
    let text = String::from_utf8(world.disk.peek("tasks.json").expect("there")).expect("UTF-8");
    assert!(text.contains("\"cancelled\""), "{text}");
}

/// Undoing a change of text does not bring a parked task back.
#[test]
fn undo_does_not_unpark() {
    let world = World::new("claude", 1);
    let ids = world.populate();
    let edited = Edit { description: Some("x".into()), ..Edit::of(ids.ready.clone()) };
    let seq = world.list().run(&ann(), &Command::Edit(edited)).expect("an edit").event.expect("an event").seq;
    for n in 0..3 {
        let worker = worklist::Actor::new("w", format!("session-{n}"));
        claim(&world.list(), &worker, &ids.ready).expect("a claim");
        world.clock.pass(DEFAULT_LEASE.unsigned_abs() + 1);
        world.list().run(&bob(), &Command::Reap).expect("a reap");
    }
    world.list().undo(&bob(), seq).expect("undo");
    assert_eq!(refusal(claim(&world.list(), &bob(), &ids.ready)).code(), "parked");
}

/// Two abandoned locks that are met in turn, and one from the future: each is taken over after enough watching.
#[test]
fn every_abandoned_lock_ends() {
    let world = World::new("claude", 1);
    let ids = world.populate();
    assert!(world.disk.foreign_lock("1.json.lock") && world.disk.foreign_lock("3.json.lock"));
    world.clock.jump(-3_600_000);
    let mut left = vec![ids.done.clone(), ids.ready.clone()];
    for _ in 0..12 {
        left.retain(|id| {
            let edit = Edit { subject: Some("x".into()), ..Edit::of(id.clone()) };
            world.list().run(&ann(), &Command::Edit(edit)).is_err()
        });
    }
    assert!(left.is_empty(), "still locked: {left:?}");
}

/// An older task that waits for an id which a plan then gives away, and that the plan waits for, is a circle.
#[test]
fn a_plan_does_not_close_a_circle_with_older_tasks() {
    let world = World::new("claude", 1);
    let first = NewTask {
        subject: "waits for what comes".into(),
        blocked_by: vec![TaskId::from(2)],
        allow_missing: true,
        ..NewTask::default()
    };
    world.list().run(&ann(), &Command::Create(first)).expect("stored");
    let task = NewTask { subject: "comes".into(), ..NewTask::default() };
    let plan =
        Plan { key: None, tasks: vec![PlanTask { after: vec!["1".into()], task, ..PlanTask::default() }] };
    assert_eq!(refusal(world.list().run(&ann(), &Command::Plan(plan))).code(), "cycle");
}

/// What history cannot hold is refused before it is acknowledged.
#[test]
fn a_task_too_large_for_the_journal_is_refused() {
    let world = World::new("s12", 1);
    let new = NewTask { subject: "large".into(), tags: vec!["x".repeat(17 << 20)], ..NewTask::default() };
    assert_eq!(refusal(world.list().run(&ann(), &Command::Create(new))).code(), "invalid");
}

/// A task that cannot be read within a list is served from the journal, and mended by a write to it.
#[test]
fn one_bad_element_of_a_list_is_served() {
    let world = World::new("tasks-json", 1);
    let ids = world.populate();
    let text = String::from_utf8(world.disk.peek("tasks.json").expect("there")).expect("UTF-8");
    world.disk.foreign_write(
        "tasks.json",
        Some(text.replace("\"description\": \"ready\"", "\"desc\": 1").as_bytes()),
    );
    world.clock.pass(60_000);
    let board = world.list().board().expect("a look");
    assert_eq!(board.tasks.len(), 4);
    assert!(board.problems.iter().any(|it| it.served), "{:?}", board.problems);
    edit(&world.list(), &ids.ready, "mended");
    assert_eq!(task(&world.list(), &ids.ready).subject, "mended");
    assert!(world.list().board().expect("a look").problems.is_empty());
}

/// The other program makes a task by its own rules, before each call of ours that makes one: both are there afterwards.
#[test]
fn a_task_of_another_program_under_the_same_id_is_not_written_over() {
    let mut shared = 0;
    for n in 0.. {
        let world = World::new("claude", 1);
        world.populate();
        let made = Arc::new(AtomicBool::new(false));
        let (theirs, start) = (made.clone(), world.disk.calls());
        world.disk.set_gap(Some(Box::new(move |disk, call| {
            if call == start + n && disk.foreign_lock(".lock.lock") {
                let id = (1..100).find(|it| disk.peek(&format!("{it}.json")).is_none()).expect("an id");
                let text = format!(
                    r#"{{"id":"{id}","subject":"theirs","description":"","status":"pending","blocks":[],"blockedBy":[]}}"#
                );
                disk.foreign_write(&format!("{id}.json"), Some(text.as_bytes()));
                disk.foreign_unlock(".lock.lock");
                theirs.store(true, Ordering::Relaxed);
            }
        })));
        let ours = add(&world.list(), "ours", &[]);
        let calls = world.disk.calls() - start;
        world.disk.set_gap(None);
        let seen = world.list().board().expect("a look").tasks;
        let count = |subject: &str| seen.iter().filter(|it| it.task.subject == subject).count();
        let expected = usize::from(made.load(Ordering::Relaxed));
        assert_eq!((count("ours"), count("theirs")), (1, expected), "before call {n}");
        shared += usize::from(expected == 1 && ours.as_str() == "6");
        if n > calls {
            break;
        }
    }
    assert!(shared > 5, "they hardly met: {shared}");
}

/// A later version may write the journal in another way: who reads it by half would write it wrongly.
#[test]
fn a_journal_of_a_newer_version_is_not_touched() {
    let world = World::new("claude", 1);
    let ids = world.populate();
    let head = r#"{"worklist":2}"#;
    let sum = crc32c::crc32c(&[&[0; 4], head.as_bytes()].concat());
    let journal = format!("{:08x} {sum:08x} 00000000 {head}\n", head.len());
    let open = world.list();
    world.disk.foreign_write(".worklist/journal", Some(journal.as_bytes()));
    world.disk.foreign_write(".worklist/index", None);
    let change = Command::Edit(Edit { subject: Some("x".into()), ..Edit::of(ids.ready) });
    for result in [open.run(&ann(), &change).err(), open.board().err()] {
        assert!(matches!(result, Some(Error::Newer { .. })), "{result:?}");
    }
    assert_eq!(world.disk.peek(".worklist/journal").as_deref(), Some(journal.as_bytes()));
}

/// A process that died between two files left its draft behind for good: it becomes a spare file with the next write that
/// wants its name, and one of another name when somebody looks for spare files again.
#[test]
fn a_draft_of_a_dead_process_does_not_stay() {
    for (draft, writes) in [("new-000000", 1), ("new-0003", 32)] {
        let world = World::new("claude", 1);
        world.populate();
        // Somebody has it open still.
        world.disk.foreign_write(&format!(".worklist/spare/{draft}"), Some(b"half a t"));
        for _ in 0..writes {
            add(&world.list(), "any", &[]);
        }
        let names = world.disk.all_names();
        assert!(names.iter().all(|it| !it.contains("/new-")), "{names:?}");
        let kept: Vec<_> = names.iter().filter(|it| it.ends_with("-draft")).collect();
        assert_eq!(kept.len(), 1, "{names:?}");
        assert_eq!(world.disk.peek(kept[0]).as_deref(), Some(&b"half a t"[..]), "it was written over");
    }
}

/// A process that died over its sign of life left a draft that only the same session would ever have used again.
#[test]
fn a_draft_of_a_sign_of_life_does_not_stay() {
    let world = World::new("claude", 1);
    let ids = world.populate();
    for call in 1..20 {
        world.disk.crash_in(call);
        _ = world.open().and_then(|it| claim(&it, &bob(), &ids.ready));
        world.disk.restart();
        add(&world.list(), "by another session", &[]);
        let names = world.disk.all_names();
        assert!(names.iter().all(|it| !it.contains(".new")), "{names:?}");
    }
}

/// Many files are broken and fresh after a loss of power: they are not waited for one by one.
#[test]
fn broken_files_after_a_loss_of_power_are_not_waited_for_one_by_one() {
    let world = World::new("claude", 1);
    for n in 0..200 {
        add(&world.list(), &format!("task {n}"), &[]);
    }
    world.disk.lose_power();
    for n in 1..=200 {
        world.disk.foreign_write(&format!("{n}.json"), Some(b""));
    }
    let before = world.clock.ticks();
    assert_eq!(world.list().board().expect("a look").tasks.len(), 200);
    let waited = world.clock.ticks() - before;
    assert!(waited < 1_000, "{waited} ms");
    assert!(world.disk.all_names().iter().all(|it| !it.contains("quarantine/")), "there was nothing to keep");
}

/// The watermark is not flushed: after a loss of power it says again what was given.
#[test]
fn a_watermark_that_power_took_comes_back() {
    let world = World::new("claude", 1);
    let ids: Vec<TaskId> = ["one", "two", "three"].map(|it| add(&world.list(), it, &[])).to_vec();
    world.list().run(&ann(), &Command::Delete { id: ids[2].clone(), force: false }).expect("a deletion");
    for torn in [&b""[..], b"\0"] {
        world.disk.lose_power();
        world.disk.foreign_write(".highwatermark", Some(torn));
        world.list().board().expect("a look");
        assert_eq!(world.disk.peek(".highwatermark").as_deref(), Some(&b"3"[..]));
    }
}

/// A change of many files begins with what those before it displaced, and what is noted of that can be read again: otherwise
/// each left more than the one before, until every claim went through all of it.
#[test]
fn large_changes_leave_no_more_behind_than_one() {
    let world = World::new("claude", 2);
    let (list, hub) = (world.list(), add(&world.list(), "hub", &[]));
    let others: Vec<TaskId> = (0..200).map(|n| add(&list, &format!("task {n}"), &[])).collect();
    let spares = || world.disk.all_names().iter().filter(|it| it.starts_with(".worklist/spare/")).count();
    let mut left = Vec::new();
    for _ in 0..8 {
        for edit in [
            Edit { add_blocks: others.clone(), ..Edit::of(hub.clone()) },
            Edit { remove_blocks: others.clone(), ..Edit::of(hub.clone()) },
        ] {
            list.run(&ann(), &Command::Edit(edit)).expect("an edit");
            left.push(spares());
        }
    }
    assert!(left.iter().all(|it| *it < 420), "{left:?}");
    let mut calls: Vec<u64> = others[..48]
        .iter()
        .map(|id| {
            let before = world.disk.calls();
            claim(&world.list(), &ann(), id).expect("a claim");
            world.disk.calls() - before
        })
        .collect();
    calls.sort_unstable();
    // Some look for what may be used again.
    assert!(calls[40] < 60, "{calls:?}");
    println!("{left:?} left, claims by {calls:?} calls");
}
