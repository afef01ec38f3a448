//! The power is cut while the program writes: what was acknowledged before is there afterwards, and no file is broken.
//! The disks are real file systems that are told to stop at once. Not a disk whose own cache lies: flushing is believed.

mod disk;
mod machine;
mod writer;

use crate::{
    chance::Chance,
    tally::{Tally, sized},
};
use disk::KINDS;
use machine::{Flushing, Machine};
use serde_json::{Value, json};
use std::{
    fs,
    io::Write,
    process::Stdio,
    sync::{Mutex, MutexGuard, PoisonError, atomic::AtomicBool, atomic::Ordering, mpsc},
    thread,
    time::Duration,
};
use writer::{Promise, Writer, kept};

/// The first command after a loss of power may take so long, in the optimised program.
const RECOVERY: Duration = Duration::from_secs(1);

/// When the power fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// While four are writing.
    Busy,
    /// Right after the last acknowledgement: no later flush carries it along.
    Calm,
}

/// Mounting is for root alone.
fn may_mount() -> bool {
    let root = rustix::process::geteuid().is_root();
    if !root {
        println!("R6 power: not run, because only root can mount a disk");
    }
    root
}

/// One machine at a time: a command of another one, in a name space of its own, would keep this one's disk mounted where
/// mounts are not shared.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn what_was_acknowledged_survives_a_loss_of_power() {
    let _turn = turn();
    if !may_mount() {
        return;
    }
    for (kind, cuts) in KINDS.iter().zip(sized([7, 7, 6], [67, 67, 66])) {
        let mut tally = Tally::new("R6 power cut");
        let mut machine = Machine::new(kind, Flushing::Works);
        machine.json(&["init"]);
        // Where every task is completed, the doctor warns of a client that would wipe the list.
        machine.json(&["add", "stays open"]);
        let (mut promises, mut chance, mut slowest) = (Vec::new(), Chance(6), Duration::ZERO);
        for n in 0..cuts {
            let moment = if n % 2 == 0 { Moment::Busy } else { Moment::Calm };
            let new = cut(&machine, moment, 1 + chance.below(40));
            tally.count("acknowledged", new.1);
            promises.extend(new.0);
            let (tasks, took) = machine.power_up(&["list", "--all"]);
            slowest = slowest.max(took);
            let wrong = faults(&machine, &mut promises, &tasks);
            tally.trial(verdict(kind.name, &wrong));
        }
        println!("{}: slowest first command {} ms", kind.name, slowest.as_millis());
        tally.end();
    }
}

/// Four writers, and a cut after so many acknowledgements. What they were promised, and how many there were.
fn cut(machine: &Machine, moment: Moment, after: usize) -> (Vec<Promise>, u64) {
    let is_cut = AtomicBool::new(false);
    let scissors = machine.disk.scissors();
    let (told, heard) = mpsc::channel();
    let writer = |name: String, most| Writer { machine, name, most, is_cut: &is_cut, told: told.clone() };
    let most = if moment == Moment::Busy { usize::MAX } else { after.div_ceil(4) };
    let mut scissors = Some(scissors);
    let mut cut = || {
        is_cut.store(true, Ordering::SeqCst);
        scissors.take().expect("one cut").cut();
    };
    let promises = thread::scope(|scope| {
        let writers = (0..4).map(|n| writer(format!("w{n}"), most));
        let running: Vec<_> = writers.map(|it| scope.spawn(|| it.work())).collect();
        heard.iter().take(after).for_each(drop);
        if moment == Moment::Busy {
            cut();
        }
        let ended = running.into_iter().flat_map(|it| it.join().expect("a writer"));
        let mut promises: Vec<Promise> = ended.collect();
        if moment == Moment::Calm {
            promises.extend(writer("last".to_owned(), 1 + after % 4).work());
            cut();
        }
        promises
    });
    (promises, (after + heard.try_iter().count()) as u64)
}

/// What is wrong with a list after its power came back.
fn faults(machine: &Machine, promises: &mut [Promise], tasks: &Value) -> Vec<String> {
    let mut faults = kept(promises, tasks, &machine.json(&["changes", "--since", "0"]));
    for entry in fs::read_dir(machine.list()).expect("a folder").flatten() {
        let path = entry.path();
        let is_task = path.extension().is_some_and(|it| it == "json");
        let text = is_task.then(|| fs::read_to_string(&path).unwrap_or_default());
        if text.is_some_and(|it| serde_json::from_str::<Value>(&it).is_err()) {
            faults.push(format!("{} is broken", path.display()));
        }
    }
    let doctor = machine.json(&["doctor"]);
    if doctor["healthy"] != true {
        faults.push(format!("not healthy: {doctor}"));
    }
    faults
}

fn verdict(disk: &str, wrong: &[String]) -> Result<(), String> {
    if wrong.is_empty() { Ok(()) } else { Err(format!("{disk}: {wrong:?}")) }
}

/// The same attack on a program whose wish to flush is not granted: it must be found out.
#[test]
fn a_cut_finds_out_a_store_that_does_not_flush() {
    let _turn = turn();
    if !may_mount() {
        return;
    }
    let mut found = Tally::new("R6 power cut without flushing");
    for kind in &KINDS {
        let machine = Machine::new(kind, Flushing::Swallowed);
        machine.json(&["init"]);
        rustix::fs::sync();
        let (mut promises, _) = cut(&machine, Moment::Calm, 4);
        machine.disk.power_up();
        let intact = machine.run(&["list", "--all", "--json"]);
        let tasks = serde_json::from_slice(&intact.stdout).unwrap_or(json!({"tasks": []}));
        let lost = kept(&mut promises, &tasks, &json!({"events": []}));
        let sound = intact.status.success() && lost.iter().all(|it| it.contains("history"));
        found.trial(if sound { Err(format!("{}: nothing was lost", kind.name)) } else { Ok(()) });
    }
    found.end();
}

/// A large list comes back as fast as it must, if its files had been at rest before the work that was cut off.
#[test]
fn a_large_list_recovers_within_a_second() {
    let _turn = turn();
    if !may_mount() {
        return;
    }
    let mut tally = Tally::new("R6 power cut, 10,000 tasks");
    for kind in KINDS.iter().take(sized(1, 3)) {
        let mut machine = Machine::new(kind, Flushing::Works);
        machine.json(&["init"]);
        plan(&machine, 10_000);
        rustix::fs::sync();
        let mut times = Vec::new();
        for n in 0..sized(1, 5) {
            let (mut promises, told) = cut(&machine, Moment::Busy, 10 + n);
            tally.count("acknowledged", told);
            // Any command recovers; this one does little else.
            times.push(machine.power_up(&["edit", "1", "-d", "after the cut"]).1);
            let wrong = faults(&machine, &mut promises, &machine.json(&["list", "--all"]));
            tally.trial(verdict(kind.name, &wrong));
        }
        println!("{}: first commands on 10,000 tasks {times:?}", kind.name);
        // What else the machine does makes it slower, never faster; a program that is not optimised says nothing.
        let fastest = times.into_iter().min().expect("a time");
        let slow = fastest > RECOVERY && !cfg!(debug_assertions);
        tally.trial(if slow { Err(format!("{}: {fastest:?} at best", kind.name)) } else { Ok(()) });
    }
    tally.end();
}

/// A whole plan whose files had no time to reach the disk: every one of them is made again.
#[test]
fn a_plan_survives_the_loss_of_all_its_files() {
    let _turn = turn();
    if !may_mount() {
        return;
    }
    let mut tally = Tally::new("R6 power cut right after a plan");
    let count = sized(500, 10_000);
    for kind in &KINDS {
        let mut machine = Machine::new(kind, Flushing::Works);
        machine.json(&["init"]);
        plan(&machine, count);
        machine.disk.scissors().cut();
        let (tasks, took) = machine.power_up(&["list", "--all"]);
        println!("{}: first command after {count} files were lost {} ms", kind.name, took.as_millis());
        let mut wrong = faults(&machine, &mut [], &tasks);
        if tasks["tasks"].as_array().map(Vec::len) != Some(count) {
            wrong.push(format!("{} of {count} tasks", tasks["count"]));
        }
        tally.trial(verdict(kind.name, &wrong));
    }
    tally.end();
}

fn plan(machine: &Machine, count: usize) {
    let tasks: Vec<Value> = (0..count).map(|n| json!({"subject": format!("task {n}")})).collect();
    let mut command = machine.command(&["plan", "-", "--json"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("unshare runs");
    let text = json!({"tasks": tasks}).to_string();
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
    assert!(child.wait().expect("it ends").success());
}
