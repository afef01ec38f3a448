//! Every call of every write verb in every format: killed there, failed there, power lost there, somebody else's
//! write there. Enumerated, not sampled.

use crate::world::{FORMATS, Ids, LARGE_PLAN, VERBS, Verb, World, foreign_edit, run};
use std::{
    io::ErrorKind,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};
use worklist::{
    Command, Error,
    conformance::{add, ann},
    event::Origin,
    rules::Edit,
    vfs::sim::SimDisk,
};

/// How a verb goes without faults: what is seen before and after, and how many calls it takes.
struct Plain {
    before: Vec<String>,
    after: Vec<String>,
    calls: u64,
}

fn fresh(format: &str, verb: &Verb) -> (World, Ids) {
    let world = World::new(format, 7);
    let ids = world.populate();
    if verb.0 == "reap" {
        world.clock.pass(3_600_000);
    }
    (world, ids)
}

fn plain(format: &str, verb: &Verb) -> Plain {
    let before = fresh(format, verb).0.seen();
    let (world, ids) = fresh(format, verb);
    let start = world.disk.calls();
    run(&world, &ids, verb).unwrap_or_else(|error| panic!("{} in {format}: {error}", verb.0));
    let calls = world.disk.calls() - start;
    Plain { before, after: world.seen(), calls }
}

/// After whatever happened: the change is there wholly or not at all, and if it was acknowledged, wholly.
fn check(world: &World, plain: &Plain, acknowledged: bool, what: &str) {
    let seen = world.seen();
    world.check_files(&[]);
    if acknowledged {
        assert_eq!(seen, plain.after, "{what}: acknowledged, but lost");
    } else {
        assert!(
            seen == plain.before || seen == plain.after,
            "{what}: half done\n{seen:#?}\n{:#?}",
            plain.after
        );
    }
    // The next command works without anybody's help.
    worklist::conformance::add(&world.list(), "and on it goes", &[]);
    world.check_order();
    world.check_files(&[]);
}

fn everywhere(strike: impl Fn(&World, u64), recover: impl Fn(&World)) -> usize {
    let mut points = 0;
    for format in FORMATS {
        for verb in &VERBS {
            let plain = plain(format, verb);
            for call in 1..=plain.calls {
                let (world, ids) = fresh(format, verb);
                strike(&world, call);
                let acknowledged = run(&world, &ids, verb).is_ok();
                recover(&world);
                check(
                    &world,
                    &plain,
                    acknowledged,
                    &format!("{} in {format}, call {call} of {}", verb.0, plain.calls),
                );
                points += 1;
            }
        }
    }
    points
}

#[test]
fn killed_at_every_call() {
    let points = everywhere(|world, call| world.disk.crash_in(call), |world| world.disk.restart());
    println!("killed at {points} points, 0 wrong");
}

#[test]
fn power_lost_at_every_call() {
    let points = everywhere(|world, call| world.disk.crash_in(call), |world| world.disk.lose_power());
    println!("power lost at {points} points, 0 wrong");
}

#[test]
fn every_call_fails_once() {
    for kind in [ErrorKind::StorageFull, ErrorKind::PermissionDenied, ErrorKind::Other] {
        let points = everywhere(|world, call| world.disk.fail_in(call, kind), |world| world.disk.restart());
        println!("{kind:?} at {points} points, 0 wrong");
    }
}

/// A killed recovery is recovered from, and so on.
#[test]
fn killed_again_while_recovering() {
    let mut points = 0;
    for format in FORMATS {
        let verb = VERBS.iter().find(|it| it.0 == "create with edges").expect("there");
        let plain = plain(format, verb);
        for call in 1..=plain.calls {
            for again in 1.. {
                let (world, ids) = fresh(format, verb);
                world.disk.crash_in(call);
                let acknowledged = run(&world, &ids, verb).is_ok();
                if again % 2 == 0 {
                    world.disk.lose_power();
                } else {
                    world.disk.restart();
                }
                world.disk.crash_in(again);
                let finished = world.open().and_then(|list| list.run(&ann(), &Command::Reap)).is_ok();
                world.disk.restart();
                check(&world, &plain, acknowledged, &format!("{format}, call {call}, then {again}"));
                points += 1;
                if finished {
                    break;
                }
            }
        }
    }
    println!("killed twice at {points} pairs of points, 0 wrong");
}

/// Somebody writes another field of the very task in any gap: both changes are there in the end.
#[test]
fn a_foreign_write_in_every_gap_survives() {
    let mut points = 0;
    for format in FORMATS {
        let verb: Verb = ("edit", |ids| {
            let edit = Edit { subject: Some("ours".into()), ..Edit::of(ids.ready.clone()) };
            (ann(), Command::Edit(edit))
        });
        for call in 1..=plain(format, &verb).calls {
            let (world, ids) = fresh(format, &verb);
            // Later than any write of ours by more than a relapse is noticed: theirs are then what they are.
            world.clock.pass(31_000);
            let (start, its, id) = (world.disk.calls(), world.format, ids.ready.clone());
            world.disk.set_gap(Some(Box::new(move |disk, now| {
                if now == start + call {
                    assert!(foreign_edit(disk, its, &id, &|task| task.owner = Some("theirs".into())));
                }
            })));
            run(&world, &ids, &verb).expect("an edit");
            let task = worklist::conformance::task(&world.list(), &ids.ready);
            let both = (task.subject.as_str(), task.owner.as_deref());
            assert_eq!(both, ("ours", Some("theirs")), "{format}, gap {call}");
            world.seen();
            world.check_files(&[]);
            let events = world.list().events_after(0).expect("history");
            assert!(
                events.iter().any(|it| it.origin == Origin::Foreign),
                "{format}, gap {call}: not in the history"
            );
            points += 1;
        }
    }
    println!("a foreign write in {points} gaps, 0 lost");
}

/// Somebody removes the very task in any gap: it stays removed, and the history has both.
#[test]
fn a_foreign_deletion_in_every_gap_stands() {
    let mut points = 0;
    for format in FORMATS.into_iter().filter(|it| *it != "tasks-json") {
        let verb = VERBS.iter().find(|it| it.0 == "claim").expect("there");
        for call in 1..=plain(format, verb).calls {
            let (world, ids) = fresh(format, verb);
            let (start, file) = (world.disk.calls(), world.format.file_of(&ids.ready));
            world.disk.set_gap(Some(Box::new(move |disk, now| {
                if now == start + call {
                    disk.foreign_write(&file, None);
                }
            })));
            let result = run(&world, &ids, verb);
            assert!(matches!(result, Ok(_) | Err(Error::Refused(_))), "{format}, gap {call}: {result:?}");
            assert!(
                world.list().show(&ids.ready).expect("a look").is_none(),
                "{format}, gap {call}: came back"
            );
            world.seen();
            let events = world.list().events_after(0).expect("history");
            let gone = events.iter().any(|it| {
                it.origin == Origin::Foreign
                    && it.changes.iter().any(|it| it.id == ids.ready && it.after.is_none())
            });
            assert!(gone, "{format}, gap {call}: not in the history");
            points += 1;
        }
    }
    println!("a foreign deletion in {points} gaps, 0 undone");
}

/// Somebody makes a task under an id that we are about to give, in any gap: both are there in the end.
#[test]
fn a_foreign_creation_in_every_gap_is_kept() {
    let mut points = 0;
    for (format, (name, count)) in ["claude", "s07", "java", "v6"]
        .into_iter()
        .flat_map(|format| [("plan", 3), ("large plan", LARGE_PLAN)].map(|verb| (format, verb)))
    {
        let verb = VERBS.iter().find(|it| it.0 == name).expect("there");
        for call in 1..=plain(format, verb).calls {
            let (world, ids) = fresh(format, verb);
            let start = world.disk.calls();
            let text = world.disk.peek(&world.format.file_of(&ids.ready)).expect("there");
            let text = String::from_utf8(text).expect("UTF-8").replace("ready", "theirs");
            // The first of the short plan, and one amid the large one.
            let id = 4 + count as u64 / 2 + 1;
            let text = text
                .replace(&format!("\"{}\"", ids.ready), &format!("\"{id}\""))
                .replace("\"id\": 3", &format!("\"id\": {id}"));
            let file = world.format.file_of(&worklist::TaskId::from(id));
            let came = Arc::new(AtomicBool::new(false));
            let comes = came.clone();
            world.disk.set_gap(Some(Box::new(move |disk, now| {
                if now == start + call && disk.peek(&file).is_none() {
                    disk.foreign_write(&file, Some(text.as_bytes()));
                    comes.store(true, Ordering::Relaxed);
                }
            })));
            run(&world, &ids, verb).unwrap_or_else(|error| panic!("{format}, gap {call}: {error}"));
            let board = world.list().board().expect("a look");
            let is_theirs = board.tasks.iter().any(|it| it.task.subject == "theirs");
            assert_eq!(is_theirs, came.load(Ordering::Relaxed), "{name} in {format}, gap {call}: theirs");
            let mut ours: Vec<&str> = board.tasks.iter().map(|it| it.task.subject.as_str()).collect();
            ours.retain(|it| it.starts_with("planned "));
            let all = ours.len();
            ours.sort_unstable();
            ours.dedup();
            assert_eq!((all, ours.len()), (count, count), "{name} in {format}, gap {call}: {ours:?}");
            points += 1;
        }
    }
    println!("a foreign creation in {points} gaps, 0 lost");
}

/// A client makes a task while we remove the last one, in any gap and with its own lock: no id is given twice. It reads the
/// highest number that was ever given, and a moment later the names that are there.
#[test]
fn a_foreign_creation_while_we_remove_gets_another_id() {
    let (mut tried, mut twice) = (0, Vec::new());
    for (call, later) in (1..=80).flat_map(|call| (0..4).map(move |later| (call, later))) {
        let world = World::new("claude", 1);
        world.populate();
        let last = add(&world.list(), "last", &[]);
        let start = world.disk.calls();
        let read: Arc<Mutex<Option<u64>>> = Arc::default();
        let given: Arc<Mutex<Option<u64>>> = Arc::default();
        let gave = given.clone();
        world.disk.set_gap(Some(Box::new(move |disk, now| {
            if now == start + call && disk.foreign_lock(".lock.lock") {
                *read.lock().expect("alone") = Some(highest_given(disk));
            }
            if now >= start + call + later
                && let Some(mark) = read.lock().expect("alone").take()
            {
                let id = highest_there(disk).max(mark) + 1;
                let text = format!(
                    "{{\"id\":\"{id}\",\"subject\":\"theirs\",\"description\":\"\",\"status\":\"pending\",\"blocks\":[],\"blockedBy\":[]}}"
                );
                disk.foreign_write(&format!("{id}.json"), Some(text.as_bytes()));
                disk.foreign_unlock(".lock.lock");
                *gave.lock().expect("alone") = Some(id);
            }
        })));
        let removed = world.list().run(&ann(), &Command::Delete { id: last.clone(), force: false });
        world.disk.set_gap(None);
        removed.unwrap_or_else(|error| panic!("gap {call}: {error}"));
        let Some(id) = *given.lock().expect("alone") else { continue };
        tried += 1;
        if last.number() == Some(id) {
            twice.push((call, later));
        }
    }
    println!("a foreign creation in {tried} gaps of a removal, {} ids twice", twice.len());
    assert!(tried > 40, "{tried}");
    assert_eq!(twice, []);
}

/// What a client does when it removes a task, without any lock: it raises the mark from what it had read, and the file goes.
fn foreign_removal(disk: &SimDisk, read: u64, id: u64) {
    disk.foreign_write(".highwatermark", Some(read.max(id).to_string().as_bytes()));
    disk.foreign_write(&format!("{id}.json"), None);
}

/// A client removes the last task while we remove the one before it, in any gap: its mark stays, and so nobody gives that
/// id again.
#[test]
fn a_foreign_removal_while_we_remove_keeps_its_mark() {
    let mut tried = 0;
    for call in 1..=80 {
        let world = World::new("claude", 1);
        world.populate();
        let (ours, theirs) = (add(&world.list(), "ours", &[]), add(&world.list(), "theirs", &[]));
        let (start, last) = (world.disk.calls(), theirs.number().expect("a number"));
        let done = Arc::new(Mutex::new(false));
        let is_done = done.clone();
        world.disk.set_gap(Some(Box::new(move |disk, now| {
            if now == start + call {
                foreign_removal(disk, highest_given(disk), last);
                *is_done.lock().expect("alone") = true;
            }
        })));
        let removed = world.list().run(&ann(), &Command::Delete { id: ours, force: false });
        world.disk.set_gap(None);
        removed.unwrap_or_else(|error| panic!("gap {call}: {error}"));
        tried += usize::from(*done.lock().expect("alone"));
        assert!(
            highest_there(&world.disk).max(highest_given(&world.disk)) >= last
                || !*done.lock().expect("alone"),
            "gap {call}"
        );
    }
    println!("a foreign removal in {tried} gaps of a removal, 0 ids free again");
    assert!(tried > 40, "{tried}");
}

/// A client that had read the mark before we raised it, and writes what it makes of that later, falls behind ours: it is
/// raised again at the end. Nobody can do anything about what is written after that.
#[test]
fn a_mark_that_falls_back_is_raised_again() {
    let (mut tried, mut fell) = (0, Vec::new());
    for (call, later) in (1..=80).flat_map(|call| [0, 1, 2, 3, 6, 12, 24].map(|later| (call, later))) {
        // One that remembers nothing: what is remembered is written when everything is over.
        let world = World::new("claude", 2);
        world.populate();
        let (theirs, ours) = (add(&world.list(), "theirs", &[]), add(&world.list(), "ours", &[]));
        let start = world.disk.calls();
        let (id, last) = (theirs.number().expect("a number"), ours.number().expect("a number"));
        let read: Arc<Mutex<Option<u64>>> = Arc::default();
        let written: Arc<Mutex<Option<u64>>> = Arc::default();
        let wrote = written.clone();
        world.disk.set_gap(Some(Box::new(move |disk, now| {
            if now == start + call {
                *read.lock().expect("alone") = Some(highest_given(disk));
            }
            if now >= start + call + later
                && let Some(mark) = read.lock().expect("alone").take()
            {
                foreign_removal(disk, mark, id);
                *wrote.lock().expect("alone") = Some(now);
            }
        })));
        let removed = world.list().run(&ann(), &Command::Delete { id: ours, force: false });
        world.disk.set_gap(None);
        removed.unwrap_or_else(|error| panic!("gap {call}: {error}"));
        let Some(at) = *written.lock().expect("alone") else { continue };
        tried += 1;
        if highest_there(&world.disk).max(highest_given(&world.disk)) < last {
            fell.push(world.disk.calls() - at);
        }
    }
    println!(
        "a mark written from an old one in {tried} gaps of a removal, {} too late to be raised: {fell:?}",
        fell.len()
    );
    assert!(tried > 100, "{tried}");
    assert!(fell.iter().all(|it| *it < 4), "{fell:?}");
}

/// A client makes a task under the id that we are about to give, and removes it at once: nobody gets it again.
#[test]
fn an_id_that_came_and_went_meanwhile_is_not_given() {
    let mut tried = 0;
    for call in 1..=80 {
        let world = World::new("claude", 1);
        world.populate();
        let start = world.disk.calls();
        let theirs: Arc<Mutex<Option<u64>>> = Arc::default();
        let gave = theirs.clone();
        world.disk.set_gap(Some(Box::new(move |disk, now| {
            if now == start + call && disk.foreign_lock(".lock.lock") {
                let mark = highest_given(disk);
                let id = highest_there(disk).max(mark) + 1;
                foreign_removal(disk, mark, id);
                disk.foreign_unlock(".lock.lock");
                *gave.lock().expect("alone") = Some(id);
            }
        })));
        let made = add(&world.list(), "ours", &[]);
        world.disk.set_gap(None);
        let theirs = *theirs.lock().expect("alone");
        tried += usize::from(theirs.is_some());
        assert_ne!(made.number(), theirs, "gap {call}");
    }
    println!("a task that came and went in {tried} gaps of a creation, 0 ids twice");
    assert!(tried > 10, "{tried}");
}

/// Killed while it removes the last task, anywhere: once somebody of ours has looked, a client does not give the id again.
#[test]
fn an_id_is_not_given_again_after_a_killed_removal() {
    let mut removed = 0;
    for call in 1..=80 {
        let world = World::new("claude", 1);
        world.populate();
        let last = add(&world.list(), "last", &[]).number().expect("a number");
        let list = world.list();
        world.disk.crash_in(call);
        let remove = Command::Delete { id: worklist::TaskId::from(last), force: false };
        _ = list.run(&ann(), &remove);
        world.disk.restart();
        world.list().board().expect("a look");
        removed += usize::from(highest_there(&world.disk) < last);
        assert!(highest_there(&world.disk).max(highest_given(&world.disk)) >= last, "call {call}");
    }
    println!("killed at each of 80 calls of a removal, removed after {removed}, 0 ids free again");
    assert!(removed > 10, "{removed}");
}

/// What the client keeps of the ids that were ever given.
fn highest_given(disk: &SimDisk) -> u64 {
    let text = disk.peek(".highwatermark").map(|it| String::from_utf8_lossy(&it).trim().parse());
    text.and_then(Result::ok).unwrap_or(0)
}

fn highest_there(disk: &SimDisk) -> u64 {
    (1..50).filter(|n| disk.peek(&format!("{n}.json")).is_some()).max().unwrap_or(0)
}

/// The test of the tests: on a disk that only says that it synced, power losses are noticed.
#[test]
fn without_syncing_an_acknowledged_change_is_lost() {
    let verb = VERBS.iter().find(|it| it.0 == "create").expect("there");
    let lost = (0..20).filter(|seed| {
        let world = World::new("claude", *seed);
        world.disk.lie_about_syncing();
        let ids = world.populate();
        run(&world, &ids, verb).expect("acknowledged");
        let before = world.seen();
        world.disk.lose_power();
        world.open().is_ok_and(|it| it.board().is_ok_and(|it| it.tasks.len() < before.len()))
    });
    let lost = lost.count();
    println!("without syncing: acknowledged changes lost in {lost} of 20 losses of power");
    assert!(lost >= 10, "only {lost} of 20");
}

/// Somebody completes the task while we claim it: what was decided before that is decided anew. Only between the
/// last comparison and the exchange, three or four calls, can ours come after theirs.
#[test]
fn a_decision_on_old_files_is_made_again() {
    let verb = VERBS.iter().find(|it| it.0 == "claim").expect("there");
    let calls = plain("s07", verb).calls;
    let over = (1..=calls).filter(|call| {
        let (world, ids) = fresh("s07", verb);
        let (start, its, id, call) = (world.disk.calls(), world.format, ids.ready.clone(), *call);
        world.disk.set_gap(Some(Box::new(move |disk, now| {
            if now == start + call {
                foreign_edit(disk, its, &id, &|task| task.status = worklist::Status::Completed);
            }
        })));
        let claimed = run(&world, &ids, verb).is_ok();
        claimed
            && worklist::conformance::task(&world.list(), &ids.ready).status != worklist::Status::Completed
    });
    let over = over.count();
    println!("a completion in {calls} gaps of a claim: ours came after it in {over}");
    assert!(over <= 4, "in {over} of {calls}");
}
