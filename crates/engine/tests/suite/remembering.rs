//! What may happen while a look is remembered: a death, a loss of power, others who look or write, at each call. Not what is
//! remembered.

use crate::{
    lawless::{Bent, How},
    remembered::{SNAPSHOT, TEXTS, look_until_remembered, reading, remembering},
    world::{World, foreign_edit},
};
use std::{
    path::Path,
    sync::{Arc, Mutex},
};
use worklist::{
    Actor, Command, NewTask, TaskId, TaskList,
    rules::{Edit, NextTask, Plan, PlanTask},
    store::files::Files,
    task::Task,
    vfs::{Vfs, sim::SimDisk},
};

/// A list of which a look is remembered, and in which so much was done since that the next one will be, too.
fn changed(seed: u64) -> World {
    let world = World::new("claude", seed);
    let tasks = (0..20).map(|n: u32| PlanTask {
        name: Some(format!("t{n}")),
        task: NewTask { subject: format!("task {n}"), ..NewTask::default() },
        after: n.checked_sub(1).map(|it| format!("t{it}")).into_iter().collect(),
        ..PlanTask::default()
    });
    let plan = Command::Plan(Plan { key: None, tasks: tasks.collect() });
    remembering(&world).run(&Actor::new("ann", "s"), &plan).expect("a plan");
    look_until_remembered(&world);
    describe(&world, "once");
    world
}

/// Some tasks get another description.
fn describe(world: &World, text: &str) {
    for id in (1..=12).map(TaskId::from) {
        let edit = Edit { description: Some(format!("{text} {id}")), ..Edit::of(id) };
        remembering(world).run(&Actor::new("ann", "s"), &Command::Edit(edit)).expect("an edit");
    }
    world.clock.pass(1_000);
}

/// How many calls a look takes that is remembered.
fn calls() -> u64 {
    let world = changed(1);
    let (before, list) = (world.disk.peek(SNAPSHOT), remembering(&world));
    let calls = world.disk.calls();
    list.board().expect("a look");
    assert!(world.disk.peek(SNAPSHOT) != before, "it was to be remembered");
    world.disk.calls() - calls
}

/// Looks find what a full one finds, by whatever is remembered now.
fn check(world: &World, what: &str) {
    for look in ["the first", "the second", "the third"] {
        let all = reading(world).board().expect("a full look");
        let seen = remembering(world).board().expect("a look");
        assert_eq!(format!("{:?}", seen.tasks), format!("{:?}", all.tasks), "{what}: {look}");
        assert_eq!(seen.problems, all.problems, "{what}: {look}");
    }
}

#[test]
fn whoever_dies_over_it_leaves_nothing_that_is_believed() {
    let calls = calls();
    for call in 1..=calls {
        for is_power_lost in [false, true] {
            let world = changed(call);
            let list = remembering(&world);
            world.disk.crash_in(call);
            _ = list.board();
            if is_power_lost {
                world.disk.lose_power();
            } else {
                world.disk.restart();
            }
            check(&world, &format!("call {call} of {calls}, power lost: {is_power_lost}"));
            describe(&world, "again");
            check(&world, &format!("after call {call} of {calls}, power lost: {is_power_lost}"));
        }
    }
    println!("died at {calls} calls, and lost power there: 0 looks wrong");
}

/// Another process has its turn before a call: it looks, and remembers what it sees; or it writes.
#[test]
fn others_come_between() {
    let calls = calls();
    for (call, writes) in (1..=calls).flat_map(|call| [(call, false), (call, true)]) {
        let world = changed(call);
        let list = remembering(&world);
        let start = world.disk.calls();
        let (clock, format, seen) = (world.clock.clone(), world.format, Arc::new(Mutex::new(String::new())));
        let told = seen.clone();
        world.disk.set_gap(Some(Box::new(move |disk: &SimDisk, now| {
            if now != start + call {
                return;
            }
            if writes {
                let theirs = |task: &mut Task| "theirs".clone_into(&mut task.description);
                assert!(foreign_edit(disk, format, &TaskId::from(3), &theirs));
            }
            let (disk, clock) = (Arc::new(disk.clone()), Arc::new(clock.clone()));
            let files = Files::open(disk, clock.clone(), Path::new("list"), Some(format)).expect("a list");
            let board = TaskList::of_files(files.remembering_all(), clock).board().expect("a look");
            *told.lock().expect("one at a time") = format!("{:?}", board.tasks);
        })));
        list.board().expect("a look");
        world.disk.set_gap(None);
        let what = format!("call {call} of {calls}, writes: {writes}");
        let all = format!("{:?}", reading(&world).board().expect("a full look").tasks);
        assert_eq!(*seen.lock().expect("one at a time"), all, "{what}: the other");
        check(&world, &what);
        world.check_order();
    }
    println!("another process between {calls} calls, looking and writing: 0 looks wrong");
}

/// What another user left in `.worklist/` cannot be written over, but another can take its place.
#[test]
fn a_file_of_another_user_is_replaced() {
    let world = changed(1);
    let before = world.disk.peek(SNAPSHOT);
    world.disk.foreign_write(".worklist/snapshot.new", Some(b"theirs"));
    let inode = world.disk.stat(".worklist/snapshot.new").expect("there").inode;
    let (disk, clock) =
        (Bent { disk: world.disk.clone(), how: How::Theirs { inode } }, Arc::new(world.clock.clone()));
    let files =
        Files::open(Arc::new(disk), clock.clone(), Path::new("list"), Some(world.format)).expect("a list");
    TaskList::of_files(files.remembering_all(), clock).board().expect("a look");
    assert!(world.disk.peek(SNAPSHOT) != before, "it was to be remembered");
    check(&world, "then");
}

/// What is written of a task stays where it is, and others are written behind it, until much of it is not needed any more.
#[test]
fn only_what_is_new_is_written() {
    let world = changed(1);
    let (mut behind, mut anew, mut most) = (0, 0, 0);
    for n in 0..30 {
        let before = world.disk.peek(TEXTS).expect("what is remembered");
        describe(&world, &"many words ".repeat(200 + n));
        check(&world, &format!("round {n}"));
        let after = world.disk.peek(TEXTS).expect("what is remembered");
        *(if after.starts_with(&before) { &mut behind } else { &mut anew }) += 1;
        most = most.max(after.len());
    }
    println!("{behind} times behind what was there, {anew} times anew, at most {most} bytes");
    assert!(behind > 10 && anew > 2 && most < 130_000, "{behind} and {anew}, {most}");
}

/// What goes over from what was written before keeps its sum: damage that nobody has seen yet is not made good by it.
#[test]
fn damage_that_goes_over_is_still_seen() {
    let world = changed(1);
    remembering(&world).ready().expect("a look");
    let mut hurt = world.disk.peek(TEXTS).expect("what is remembered");
    let at = hurt.windows(7).position(|it| it == b"task 15").expect("a text");
    hurt[at] ^= 0x20;
    world.disk.foreign_write(TEXTS, Some(&hurt));
    let anew = (0..30).find(|n| {
        describe(&world, &"many words ".repeat(200 + n));
        // Who asks what is ready sees nothing of it.
        remembering(&world).ready().expect("a look");
        !world.disk.peek(TEXTS).is_some_and(|it| it.starts_with(&hurt))
    });
    assert!(anew.is_some(), "it was to be written anew");
    let there = world.disk.peek(TEXTS).expect("what is remembered");
    assert!(there.windows(7).any(|it| it == b"Task 15"), "it was to go over as it is");
    check(&world, "after damage went over");
}

/// Some files are read before the list's lock is there. Another program writes one of them again in the same tick, and then the
/// lock is long in coming: what is remembered of that file is not believed for being old by then.
#[test]
fn what_is_written_while_somebody_waits_for_the_list_is_seen() {
    let world = |seed: u64| {
        let world = changed(seed);
        // In this very moment.
        for id in (1..=12).map(TaskId::from) {
            let edit = Edit { description: Some(format!("ours {id}")), ..Edit::of(id) };
            remembering(&world).run(&Actor::new("ann", "s"), &Command::Edit(edit)).expect("an edit");
        }
        world
    };
    let next = |list: &TaskList| list.run(&Actor::new("bob", "b"), &Command::Next(NextTask::default()));
    let calls = {
        let world = world(1);
        let (list, start) = (remembering(&world), world.disk.calls());
        next(&list).expect("a task");
        world.disk.calls() - start
    };
    for call in 1..=calls {
        let world = world(call);
        let (list, start) = (remembering(&world), world.disk.calls());
        let (clock, format) = (world.clock.clone(), world.format);
        world.disk.set_gap(Some(Box::new(move |disk: &SimDisk, now| {
            if now == start + call {
                let theirs = |task: &mut Task| "they 5".clone_into(&mut task.description);
                assert!(foreign_edit(disk, format, &TaskId::from(5), &theirs));
                clock.pass(100);
            }
        })));
        next(&list).unwrap_or_else(|error| panic!("call {call} of {calls}: {error}"));
        world.disk.set_gap(None);
        // A full look would tell the journal of it.
        let seen = remembering(&world).board().expect("a look");
        let all = reading(&world).board().expect("a full look");
        assert_eq!(format!("{:?}", seen.tasks), format!("{:?}", all.tasks), "call {call} of {calls}");
    }
    println!("written before {calls} calls of a next: 0 unseen");
}
