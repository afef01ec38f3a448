//! Living beside programs that do not know us: their locks, their stale and late writes, their broken files.
#![expect(clippy::disallowed_methods, reason = "tests write as other programs do")]

use crate::world::{World, foreign_edit};
use std::io::ErrorKind;
use worklist::{
    Actor, Command, Error, Options, TaskList,
    clock::Clock,
    conformance::{add, ann, bob, claim, complete, refusal, task},
    event::{Event, Origin},
    rules::{Edit, NextTask},
    store::files::{STALE_MS, WATCHED_MS},
    task::Status,
};

fn edit(subject: &str, id: &worklist::TaskId) -> Command {
    Command::Edit(Edit { subject: Some(subject.into()), ..Edit::of(id.clone()) })
}

#[test]
fn a_lock_of_theirs_is_waited_for_and_named() {
    for (format, lock) in [("claude", "3.json.lock"), ("tasks-json", "tasks.json.lock")] {
        let world = World::new(format, 1);
        let ids = world.populate();
        assert!(world.disk.foreign_lock(lock));
        let started = world.clock.ticks();
        match world.list().run(&ann(), &edit("x", &ids.ready)) {
            Err(Error::ForeignLocked { lock: named, waited }) => {
                assert_eq!(named, lock);
                assert!((2_000..2_200).contains(&waited), "{waited}");
            }
            other => panic!("{other:?}"),
        }
        assert!(world.clock.ticks() - started < 2_500, "waits are bounded");
        assert!(world.disk.foreign_unlock(lock));
        world.list().run(&ann(), &edit("x", &ids.ready)).expect("free again");
    }
}

/// While one of ours waits for a lock of theirs, others of ours go on with other tasks.
#[test]
fn a_lock_of_theirs_holds_up_only_who_needs_it() {
    let place = tempfile::tempdir().expect("a folder");
    let path = place.path().join("tasks");
    let options = Options { format: Some("claude".to_owned()), ..Options::default() };
    let list = TaskList::create(&path, &options).expect("a list");
    let (held, free) = (add(&list, "held", &[]), add(&list, "free", &[]));
    std::fs::create_dir(path.join(format!("{held}.json.lock"))).expect("their lock");
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| {
            let list = TaskList::open(&path, &Options::default()).expect("the list");
            list.run(&ann(), &edit("x", &held))
        });
        // It has seen the lock, and waits.
        let seen = path.join(".worklist/seen");
        while !std::fs::read_to_string(&seen).is_ok_and(|it| it.contains(".lock")) {
            std::thread::yield_now();
        }
        list.run(&bob(), &edit("y", &free)).expect("nobody holds it");
        assert!(!waits.is_finished(), "it had to wait for the other");
        assert!(matches!(waits.join().expect("no panic"), Err(Error::ForeignLocked { .. })));
    });
}

/// What others laid over ours is put right where they do not hold it; the rest waits for them, and nobody waits for that.
#[test]
fn a_lock_of_theirs_holds_up_no_other_repair() {
    let world = World::new("claude", 1);
    let (free, held) = (add(&world.list(), "free", &[]), add(&world.list(), "held", &[]));
    let name = |id: &worklist::TaskId| world.format.file_of(id);
    let text = |id: &worklist::TaskId| world.disk.peek(&name(id)).expect("a file");
    let old = [&held, &free].map(|id| (id, text(id)));
    for id in [&held, &free] {
        world.list().run(&ann(), &edit("ours", id)).expect("an edit");
    }
    let ours = text(&held);
    for (id, it) in &old {
        world.disk.foreign_write(&name(id), Some(it));
    }
    assert!(world.disk.foreign_lock(&format!("{held}.json.lock")));
    world.list().board().expect("a look");
    let is_old = |id: &worklist::TaskId| old.iter().any(|(it, text_of)| *it == id && *text_of == text(id));
    assert!(is_old(&held) && !is_old(&free), "only what they do not hold is put right");
    let shown = world.list().show(&held).expect("a look").expect("a task");
    assert_eq!(shown.task.subject, "ours", "what is shown is right all the same");
    // It looks at every task.
    let next = world.list().run(&bob(), &Command::Next(NextTask::default())).expect("nobody waits for it");
    assert_eq!(next.decision.about, std::slice::from_ref(&free));
    world.disk.foreign_unlock(&format!("{held}.json.lock"));
    world.list().board().expect("a look");
    assert!(text(&held) == ours, "what they let go of is put right");
}

#[test]
fn a_list_lock_of_theirs_holds_up_only_creating() {
    let world = World::new("claude", 1);
    let ids = world.populate();
    assert!(world.disk.foreign_lock(".lock.lock"));
    world.list().run(&ann(), &edit("x", &ids.ready)).expect("not the list's business");
    let new = worklist::NewTask { subject: "new".into(), ..Default::default() };
    assert!(matches!(world.list().run(&ann(), &Command::Create(new)), Err(Error::ForeignLocked { .. })));
}

/// Short commands, one after the other, conclude together what one alone cannot; a refreshed lock is never taken.
#[test]
fn an_abandoned_lock_is_taken_over_after_enough_watching() {
    let world = World::new("claude", 1);
    let ids = world.populate();
    assert!(world.disk.foreign_lock("3.json.lock"));
    world.clock.jump(STALE_MS * 10);
    let mut tries = 0;
    let started = world.clock.ticks();
    while world.list().run(&ann(), &edit("x", &ids.ready)).is_err() {
        tries += 1;
        assert!(tries < 10, "never taken over");
    }
    assert!(
        world.clock.ticks() - started >= WATCHED_MS,
        "taken over after {} ms",
        world.clock.ticks() - started
    );
    assert!(tries > 1, "one short command cannot know");
    world.check_order();
    // A living holder refreshes its lock: however old the clock says it is, it is left alone.
    assert!(world.disk.foreign_lock("3.json.lock"));
    for _ in 0..10 {
        assert!(world.list().run(&ann(), &edit("y", &ids.ready)).is_err());
        assert!(world.disk.foreign_unlock("3.json.lock") && world.disk.foreign_lock("3.json.lock"));
        world.clock.jump(STALE_MS * 2);
    }
}

#[test]
fn our_pinned_lock_cannot_be_removed_by_them() {
    let world = World::new("claude", 1);
    let ids = world.populate();
    let start = world.disk.calls();
    let (tried, id) = (std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0)), ids.ready.clone());
    let seen = tried.clone();
    world.disk.set_gap(Some(Box::new(move |disk, _| {
        if disk.all_names().iter().any(|it| it == "3.json.lock") {
            seen.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            assert!(!disk.foreign_unlock("3.json.lock"), "rmdir of a pinned lock must fail");
        }
    })));
    world.list().run(&ann(), &edit("x", &id)).expect("an edit");
    assert!(world.disk.calls() > start);
    assert!(tried.load(std::sync::atomic::Ordering::Relaxed) > 3, "the lock was held over the exchange");
}

/// That client lays back what it read before our change: put right within half a minute, and only what we wrote.
#[test]
fn a_relapse_is_repaired_in_claude_and_nowhere_else() {
    for (format, pause, repaired) in
        [("claude", 1_000, true), ("claude", 40_000, false), ("s07", 1_000, false)]
    {
        let world = World::new(format, 1);
        let ids = world.populate();
        world.clock.pass(60_000);
        claim(&world.list(), &ann(), &ids.ready).expect("a claim");
        world.clock.pass(pause);
        foreign_edit(&world.disk, world.format, &ids.ready, &|task| {
            task.status = Status::Pending;
            task.owner = None;
            task.description = "theirs".into();
        });
        let view = world.list().board().expect("a look").tasks.into_iter().find(|it| it.task.id == ids.ready);
        let it = view.expect("there").task;
        let expected = if repaired { Status::InProgress } else { Status::Pending };
        assert_eq!((it.status, it.description.as_str()), (expected, "theirs"), "{format} after {pause} ms");
        let text = String::from_utf8(world.disk.peek(&world.format.file_of(&ids.ready)).expect("there"))
            .expect("UTF-8");
        assert_eq!(text.contains("in_progress"), repaired, "{format} after {pause} ms: {text}");
        // Whatever the file says, the claim stands.
        complete(&world.list(), &ann(), &ids.ready, None).expect("the claim stands");
    }
}

/// A program that had the file open writes into it after we displaced it: its change is taken over.
#[test]
fn a_late_write_into_a_displaced_file_is_adopted() {
    let world = World::new("claude", 1);
    let ids = world.populate();
    world.list().run(&ann(), &edit("ours", &ids.ready)).expect("an edit");
    let names = world.disk.all_names();
    let spare = names.iter().filter(|it| it.starts_with(".worklist/spare/") && it.ends_with("-3.json")).max();
    let spare = spare.expect("the displaced file").clone();
    let text = String::from_utf8(world.disk.peek(&spare).expect("there")).expect("UTF-8");
    let late = text.replace("\"description\": \"\"", "\"description\": \"late\"");
    assert_ne!(late, text);
    world.disk.foreign_write(&spare, Some(late.as_bytes()));
    world.list().board().expect("a look");
    let it = task(&world.list(), &ids.ready);
    assert_eq!((it.subject.as_str(), it.description.as_str()), ("ours", "late"));
    assert!(world.list().events_after(0).expect("history").iter().any(|it| it.command == "late"));
    world.check_files(&[]);
}

/// A file that cannot be read is never "not there", never touched by a look, and replaced only by a write to it.
#[test]
fn a_broken_file_is_served_from_the_journal() {
    for format in crate::world::FORMATS {
        let world = World::new(format, 1);
        let ids = world.populate();
        let file = world.format.file_of(&ids.ready);
        let torn = b"<<<<<<< HEAD\n{ \"id\": ".to_vec();
        world.disk.foreign_write(&file, Some(&torn));
        world.clock.pass(60_000);
        let board = world.list().board().expect("a look");
        assert_eq!(board.tasks.len(), 4, "{format}");
        assert!(
            board.problems.iter().any(|it| it.file == file && it.served),
            "{format}: {:?}",
            board.problems
        );
        assert_eq!(task(&world.list(), &ids.ready).subject, "ready");
        assert_eq!(world.disk.peek(&file), Some(torn.clone()), "{format}: a look touched it");
        let result = world.list().run(&ann(), &edit("mended", &ids.ready));
        if format == "tasks-json" {
            assert!(
                matches!(result, Err(Error::Unreadable { .. })),
                "the whole list is not replaced: {result:?}"
            );
            continue;
        }
        result.expect("a write to the very task");
        assert_eq!(task(&world.list(), &ids.ready).subject, "mended");
        let kept = world.disk.all_names().into_iter().filter(|it| it.starts_with(".worklist/quarantine/"));
        assert!(
            kept.into_iter().any(|it| world.disk.peek(&it) == Some(torn.clone())),
            "{format}: no copy was kept"
        );
    }
}

#[test]
fn a_broken_file_that_nobody_knows_is_an_error_by_id() {
    let world = World::new("claude", 1);
    world.populate();
    world.disk.foreign_write("9.json", Some(b"{ not json"));
    let board = world.list().board().expect("a look");
    assert_eq!(board.problems.len(), 1);
    let by_id = claim(&world.list(), &ann(), &worklist::TaskId::from(9));
    assert!(matches!(by_id, Err(Error::Unreadable { .. })), "{by_id:?}");
    let made: Vec<_> = (0..6).map(|_| add(&world.list(), "next", &[]).number()).collect();
    assert_eq!(made, [5, 6, 7, 8, 10, 11].map(Some), "its name still counts");
}

/// Damage in the middle of the journal costs the damaged lines and nothing else.
#[test]
fn a_damaged_journal_goes_on() {
    let world = World::new("claude", 1);
    let ids = world.populate();
    let journal = ".worklist/journal";
    let mut bytes = world.disk.peek(journal).expect("there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xFF;
    world.disk.foreign_write(journal, Some(&bytes));
    world.disk.foreign_write(".worklist/index", None);
    let before = world.list().events_after(0).expect("history").len();
    assert!(before >= 4, "{before}");
    world.list().run(&ann(), &edit("after", &ids.ready)).expect("an edit");
    assert_eq!(task(&world.list(), &ids.ready).subject, "after");
    assert_eq!(world.list().board().expect("a look").tasks.len(), 4);
}

#[test]
fn a_journal_without_its_head_is_not_written_over() {
    let world = World::new("claude", 1);
    let ids = world.populate();
    let mut bytes = world.disk.peek(".worklist/journal").expect("there");
    bytes[40] ^= 1;
    world.disk.foreign_write(".worklist/journal", Some(&bytes));
    world.disk.foreign_write(".worklist/index", None);
    let result = world.list().run(&ann(), &edit("x", &ids.ready));
    assert!(matches!(result, Err(Error::Unreadable { .. })), "{result:?}");
    assert_eq!(world.disk.peek(".worklist/journal"), Some(bytes));
}

/// The client empties a finished list: the history remains, and any of it can be brought back.
#[test]
fn a_wiped_list_keeps_its_history() {
    let world = World::new("claude", 1);
    world.populate();
    for name in world.disk.all_names().into_iter().filter(|it| world.format.is_task_file(it)) {
        world.disk.foreign_write(&name, None);
    }
    assert!(world.list().board().expect("a look").tasks.is_empty());
    let events = world.list().events_after(0).expect("history");
    let wipe = events.last().expect("the wipe");
    assert_eq!((wipe.origin, wipe.changes.len()), (Origin::Foreign, 4));
    world.list().undo(&bob(), wipe.seq).expect("undo");
    assert_eq!(world.list().board().expect("a look").tasks.len(), 4);
    assert_eq!(add(&world.list(), "next", &[]).number(), Some(5), "no id is given twice");
}

/// Our own writes are never mistaken for somebody else's.
#[test]
fn our_own_writes_are_not_foreign() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = TaskList::create(&folder.path().join("list"), &Options::default()).expect("a list");
    let id = add(&list, "task", &[]);
    let mut watch = list.watch(0);
    watch.next(1_000).expect("the creation");
    for n in 0..300 {
        list.run(&ann(), &edit(&format!("{n}"), &id)).expect("an edit");
        list.board().expect("a look");
        let events = watch.next(5_000).expect("the edit");
        assert!(events.iter().all(|it| it.origin == Origin::Ours), "{events:?}");
        assert_eq!(events.len(), 1);
    }
}

/// An agent whose client wrote something answers for it a moment later: a watcher waits for that.
#[test]
fn a_watcher_takes_nobodys_authorship() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("list");
    let list = TaskList::create(&path, &Options::default()).expect("a list");
    let id = add(&list, "task", &[]);
    let other = TaskList::open(&path, &Options::default()).expect("another process");
    let mut watch = other.watch(1);
    assert!(watch.next(0).expect("a look").is_empty());
    let file = path.join("1.json");
    let text = std::fs::read_to_string(&file).expect("there").replace("\"task\"", "\"theirs\"");
    std::fs::write(&file, text).expect("a foreign write");
    assert!(watch.next(100).expect("a wait").is_empty(), "noted at once");
    list.run(&ann(), &Command::Adopt(vec![id])).expect("an answer");
    let events = watch.next(20_000).expect("events");
    assert_eq!(events.iter().map(Event::author).collect::<Vec<_>>(), [Some(&ann())]);
}

#[test]
fn a_watcher_sees_what_others_write() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("list");
    let list = TaskList::create(&path, &Options::default()).expect("a list");
    let id = add(&list, "task", &[]);
    let other = TaskList::open(&path, &Options::default()).expect("another process");
    let mut watch = other.watch(1);
    std::thread::scope(|scope| {
        let seen = scope.spawn(move || {
            let mut seen = Vec::new();
            while !seen.contains(&Origin::Foreign) {
                let events = watch.next(20_000).expect("events");
                assert!(!events.is_empty(), "nothing came after {seen:?}");
                seen.extend(events.iter().map(|it| it.origin));
            }
            seen
        });
        list.run(&ann(), &edit("ours", &id)).expect("an edit");
        let file = path.join("1.json");
        while !std::fs::read_to_string(&file).expect("there").contains("ours") {}
        // The first look may still be under way; a change after it is one of its own.
        while list.events_after(1).expect("history").is_empty() {}
        let text = std::fs::read_to_string(&file)
            .expect("there")
            .replace("\"description\": \"\"", "\"description\": \"theirs\"");
        std::fs::write(&file, text).expect("a foreign write");
        let seen = seen.join().expect("a watcher");
        assert!(seen.contains(&Origin::Ours), "{seen:?}");
    });
}

#[test]
fn every_failure_says_what_and_where() {
    let world = World::new("claude", 1);
    let ids = world.populate();
    let mut said = 0;
    for call in 1..60 {
        world.disk.fail_in(call, ErrorKind::StorageFull);
        if let Err(error) =
            world.open().and_then(|it| it.run(&Actor::new("a", "b"), &edit(&call.to_string(), &ids.ready)))
        {
            // After the point of no return it says so first.
            let said_so = error.code() == "unsettled" && error.to_string().contains(": could not ");
            assert!(said_so || error.to_string().starts_with("could not "), "call {call}: {error}");
            said += 1;
        }
        world.disk.restart();
    }
    assert!(said > 10, "{said}");
    assert_eq!(refusal(claim(&world.list(), &ann(), &ids.held)).code(), "already_claimed");
}
