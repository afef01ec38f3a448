//! Eight processes on one list, of ours and of others, while they are killed and paused: what was acknowledged is there
//! and in the history, no task is done twice or taken from the living, and everything goes on afterwards. Not the
//! workers of `wl work`: those have a storm of their own.

mod ledger;
mod ours;
mod theirs;

use crate::{
    chance::Chance,
    tally::{Tally, sized},
    victims::{Paused, Victim},
    wl::Wl,
};
use ledger::Ledger;
use ours::Writer;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use theirs::{Neighbour, REPAIRED, dawdle};

/// The tasks that our four writers and the neighbours write into at the same time; two more are for those that dawdle.
const BOARDS: usize = 4;
/// A lock that a killed neighbour left behind is an obstacle for this long at most.
const CLEARED: Duration = Duration::from_secs(30);

/// How much of everything.
struct Size {
    /// Between two faults.
    pace: Duration,
    kills: u64,
    stops: u64,
    /// So many acknowledgements are waited for, if they come within the time.
    told: usize,
    time: Duration,
    late: u32,
}

#[test]
fn a_storm_of_kills_and_pauses_loses_nothing() {
    let size = sized(
        Size {
            pace: Duration::from_millis(60),
            kills: 60,
            stops: 20,
            told: 300,
            time: Duration::from_secs(20),
            late: 1,
        },
        Size {
            pace: Duration::from_millis(400),
            kills: 1_000,
            stops: 300,
            told: 100_000,
            time: Duration::from_mins(40),
            late: 10,
        },
    );
    let wl = Wl::new();
    wl.ok(&["init", "--format", "claude"]);
    (0..BOARDS + 2).for_each(|n| _ = wl.ok(&["add", &format!("board {n}")]));
    let folder = wl.path(".tasks");
    let (ledger, over) = (Mutex::new(Ledger::default()), AtomicBool::new(false));
    let (updates, calm) = (AtomicU64::new(0), AtomicU64::new(0));
    let writer = |n: usize| Writer {
        wl: &wl,
        name: format!("w{n}"),
        board: (n + 1).to_string(),
        victim: Victim::default(),
        session: Mutex::default(),
        ledger: &ledger,
        over: &over,
    };
    let writers: Vec<Writer<'_>> = (0..BOARDS).map(writer).collect();
    let neighbour = |runtime| {
        let (victim, folder) = (Victim::default(), folder.clone());
        Neighbour { runtime, folder, boards: BOARDS, victim, ledger: &ledger, over: &over, updates: &updates }
    };
    let neighbours = ["node", "bun"].map(neighbour);
    let mut tally = Tally::new("R4, R5 storm");
    let late = thread::scope(|scope| {
        for (n, writer) in writers.iter().enumerate() {
            scope.spawn(move || if n < 2 { writer.work_by_commands() } else { writer.work_by_server() });
        }
        for neighbour in &neighbours {
            scope.spawn(|| neighbour.work());
        }
        let _ending = Ending(&over);
        let dawdlers = ["node", "bun"].map(|runtime| {
            let (wl, folder, calm) = (&wl, &folder, &calm);
            let id = if runtime == "node" { BOARDS + 1 } else { BOARDS + 2 }.to_string();
            scope.spawn(move || -> Vec<Duration> {
                let subject = |n| format!("kept {n}");
                (0..size.late).map(|n| dawdle(wl, folder, runtime, (&id, &subject(n)), calm)).collect()
            })
        });
        attack(&mut tally, &size, &writers, &neighbours, &calm);
        dawdlers.into_iter().flat_map(|it| it.join().expect("it dawdles")).collect::<Vec<_>>()
    });
    tally.count("foreign updates", updates.into_inner());
    finish(tally, &wl, ledger.into_inner().expect("the ledger"), &late);
}

/// The storm ends, also if the test fails.
struct Ending<'a>(&'a AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

fn attack(
    tally: &mut Tally,
    size: &Size,
    writers: &[Writer<'_>],
    neighbours: &[Neighbour<'_>],
    calm: &AtomicU64,
) {
    let mut chance = Chance(4);
    let mut paused: Vec<(Instant, Paused)> = Vec::new();
    let (mut kills, mut stops) = (0, 0);
    let told = || writers[0].ledger.lock().expect("the ledger").told.len();
    let start = Instant::now();
    let enough = || told() >= size.told || start.elapsed() > size.time;
    while kills < size.kills || stops < size.stops || !enough() {
        thread::sleep(size.pace);
        let is_calm = calm.load(Ordering::SeqCst) > 0;
        paused.retain(|(until, _)| *until > Instant::now() && !is_calm);
        let (which, neighbour) = (chance.below(writers.len()), chance.below(10) == 0);
        let other = &neighbours[chance.below(neighbours.len())].victim;
        if chance.below(4) == 0 && !is_calm {
            let victim = if neighbour { other } else { &writers[which].victim };
            // Longer than the lease, every third time.
            let time = if chance.below(3) == 0 { 1_300 } else { 100 };
            let pause = victim.pause().map(|it| (Instant::now() + Duration::from_millis(time), it));
            stops += u64::from(pause.is_some());
            paused.extend(pause);
        } else if neighbour {
            kills += u64::from(other.kill(|_| {}));
        } else {
            kills += u64::from(writers[which].kill());
        }
    }
    tally.count("kills", kills);
    tally.count("stops", stops);
}

/// What is there when the storm is over.
fn finish(mut tally: Tally, wl: &Wl, mut ledger: Ledger, late: &[Duration]) {
    let start = Instant::now();
    for id in (1..=BOARDS + 2).map(|it| it.to_string()) {
        let edit = || wl.command(&["edit", &id, "--priority", "high"]).output().expect("it runs");
        while !edit().status.success() {
            assert!(start.elapsed() < CLEARED, "#{id} cannot be written any more");
        }
    }
    wl.ok(&["add", "after the storm"]);
    ledger.check(&wl.json(&["list", "--all"]), &wl.json(&["changes", "--since", "0"]));
    let pinned = locks_of_ours(&wl.path(".tasks"));
    if !pinned.is_empty() {
        ledger.wrong.push(format!("locks of ours are left: {pinned:?}"));
    }
    // How long it takes says nothing about a program that is not optimised.
    let slow = late.iter().filter(|it| **it > REPAIRED && !cfg!(debug_assertions));
    ledger.wrong.extend(slow.map(|it| format!("a late write stood for {it:?}")));
    let slowest = late.iter().max().map_or(0, Duration::as_millis);
    println!("R5 late writes: {} trials, the slowest repaired after {slowest} ms", late.len());
    tally.count("acknowledged", ledger.told.len() as u64);
    tally.count("claims taken over", ledger.taken_over);
    ledger.told.iter().for_each(|_| tally.trial(Ok::<(), String>(())));
    ledger.wrong.into_iter().for_each(|it| tally.trial(Err(it)));
    tally.end();
}

/// Locks that hold a pin.
fn locks_of_ours(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").flatten().map(|it| it.path());
    entries.filter(|it| it.extension().is_some_and(|it| it == "lock") && it.join("pin").exists()).collect()
}
