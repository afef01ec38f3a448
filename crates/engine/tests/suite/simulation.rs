//! Random lives of a list on a simulated disk: several writers, a foreign one, failing calls, crashes, losses of
//! power. One seed is one life; a failing seed prints itself and `WORKLIST_SEED=n` lives it again.

use crate::world::{FORMATS, World, foreign_edit};
use std::{
    collections::BTreeMap,
    io::ErrorKind,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicU64, Ordering},
    thread,
};
use worklist::{
    Actor, Command, Error, NewTask, TaskId,
    claim::{DEFAULT_LEASE, Entry},
    clock::Clock,
    event::Event,
    format::Format,
    rules::{ClaimTask, CompleteTask, Edit, NextTask, ReleaseTask},
    task::Status,
    vfs::sim::SimDisk,
};

#[test]
fn random_lives_keep_the_promise() {
    if let Some(seed) = crate::number_from("WORKLIST_SEED") {
        let life = live(seed);
        println!("seed {seed}: {} acknowledged, {} in history", life.acknowledged.len(), life.events);
        return;
    }
    let usual = if crate::is_long() { 1_000_000 } else { 100_000 };
    let seeds = crate::number_from("WORKLIST_SEEDS").unwrap_or(usual);
    let next = AtomicU64::new(0);
    let totals = [const { AtomicU64::new(0) }; 4];
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds {
                        return;
                    }
                    let life = catch_unwind(AssertUnwindSafe(|| live(seed)));
                    let life = life.unwrap_or_else(|_| {
                        panic!("seed {seed} failed: WORKLIST_SEED={seed} lives it again")
                    });
                    let counts = [life.acknowledged.len() as u64, life.events, life.deaths, life.foreign];
                    for (total, count) in totals.iter().zip(counts) {
                        total.fetch_add(count, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let [acknowledged, events, deaths, foreign] = totals.map(AtomicU64::into_inner);
    println!(
        "{seeds} seeds: {acknowledged} acknowledged, {events} events, {deaths} deaths, {foreign} foreign writes; 0 lost, 0 double"
    );
}

/// What an outside observer remembers.
#[derive(Default)]
struct Life {
    /// Every change that was answered with yes.
    acknowledged: Vec<Event>,
    /// Who was told to have which task, by which number, and when it last gave a sign of life, in ticks and boots.
    holders: BTreeMap<TaskId, (Actor, u64)>,
    heard: BTreeMap<String, (u64, String)>,
    token: u64,
    /// Whether a command failed, so that only the history can tell whether it happened.
    uncertain: bool,
    events: u64,
    deaths: u64,
    foreign: u64,
}

fn live(seed: u64) -> Life {
    let world = World::new(
        FORMATS[usize::try_from(seed).unwrap_or(0) % FORMATS.len()],
        seed.wrapping_mul(0x9E37_79B9),
    );
    let mut life = Life::default();
    let steps = 4 + world.clock.random() % 10;
    for _ in 0..steps {
        step(&world, &mut life);
    }
    world.disk.set_gap(None);
    world.disk.restart();
    check(&world, &mut life);
    life
}

fn step(world: &World, life: &mut Life) {
    let dice = |sides: u64| world.clock.random() % sides;
    let ids: Vec<TaskId> =
        life.acknowledged.iter().flat_map(|it| it.changes.iter().map(|it| it.id.clone())).collect();
    let some = |ids: &[TaskId]| ids.get(usize::try_from(dice(ids.len().max(1) as u64)).unwrap_or(0)).cloned();
    if dice(3) == 0
        && let Some(id) = some(&ids)
    {
        life.foreign += 1;
        intrude(world, id, dice(40), dice(3) == 0);
    }
    match dice(12) {
        0 => world.disk.crash_in(dice(60)),
        1 => world.disk.fail_in(dice(60), ErrorKind::StorageFull),
        2 => world.clock.pass(dice(2_000_000)),
        3 => world.clock.jump(dice(7_200_000).cast_signed() - 3_600_000),
        _ => world.clock.pass(dice(3_000)),
    }
    let actor = Actor::new(format!("agent-{}", dice(2)), format!("session-{}", dice(3)));
    perform(world, life, &actor, &command(&dice, some(&ids), some(&ids)));
    if world.disk.is_dead() {
        life.deaths += 1;
        world.disk.set_gap(None);
        if dice(2) == 0 {
            world.disk.lose_power();
        } else {
            world.disk.restart();
        }
        check(world, life);
    }
    world.disk.restart();
    if std::mem::take(&mut life.uncertain) {
        world.disk.set_gap(None);
        life.learn(world);
    }
}

fn command(dice: &dyn Fn(u64) -> u64, id: Option<TaskId>, other: Option<TaskId>) -> Command {
    let new = NewTask { subject: format!("task {}", dice(1000)), ..NewTask::default() };
    let (Some(id), Some(other)) = (id, other) else { return Command::Create(new) };
    let token = None;
    match dice(12) {
        0 | 1 => Command::Create(NewTask { blocked_by: vec![other], ..new }),
        2 | 3 => Command::Claim(ClaimTask { force: dice(8) == 0, ..ClaimTask::of(id) }),
        4 => Command::Next(NextTask::default()),
        5 | 6 => Command::Complete(CompleteTask { id, token, force: false }),
        7 => Command::Release(ReleaseTask { id, token, reason: None, force: false }),
        8 => Command::Edit(Edit { subject: Some(format!("edited {}", dice(1000))), ..Edit::of(id) }),
        9 => Command::Edit(Edit { add_blocked_by: vec![other], ..Edit::of(id) }),
        10 if dice(3) == 0 => Command::Delete { id, force: false },
        10 => Command::Reopen { id, force: false },
        _ => Command::Reap,
    }
}

/// A foreign program writes into a task's file before some call: at once, or half and then the rest.
fn intrude(world: &World, id: TaskId, call: u64, torn: bool) {
    let (at, format) = (world.disk.calls() + call, world.format);
    let text = format!("foreign {}", world.clock.random() % 1000);
    let mut rest: Option<(String, Vec<u8>)> = None;
    let mut done = false;
    world.disk.set_gap(Some(Box::new(move |disk, now| {
        if let Some((name, bytes)) = rest.take() {
            if disk.peek(&name).is_some() {
                disk.foreign_write(&name, Some(&bytes));
            }
        } else if now >= at && !done {
            done = true;
            rest = write_foreign(disk, format, &id, &text, torn);
        }
    })));
}

fn write_foreign(
    disk: &SimDisk,
    format: &dyn Format,
    id: &TaskId,
    text: &str,
    torn: bool,
) -> Option<(String, Vec<u8>)> {
    let name = format.file_of(id);
    let old = disk.peek(&name)?;
    if !foreign_edit(disk, format, id, &|task| text.clone_into(&mut task.description)) || !torn {
        return None;
    }
    let new = disk.peek(&name)?;
    let half: Vec<u8> =
        new.iter().take(new.len() / 2).chain(old.iter().skip(new.len() / 2)).copied().collect();
    disk.foreign_write(&name, Some(&half));
    Some((name, new))
}

/// Runs a command and holds the answer against what was answered before.
fn perform(world: &World, life: &mut Life, actor: &Actor, command: &Command) {
    let outcome = match world.open().and_then(|list| list.run(actor, command)) {
        Ok(outcome) => outcome,
        Err(Error::Refused(_)) => return life.hear(world, actor),
        Err(_) => {
            life.uncertain = true;
            return;
        }
    };
    let Some(event) = outcome.event else { return life.hear(world, actor) };
    let forced = matches!(command, Command::Claim(ClaimTask { force: true, .. }));
    for change in &event.changes {
        let claim = change.after.as_ref().and_then(|it| it.standing.claim.clone());
        match claim {
            Some(claim)
                if change.before.as_ref().is_none_or(|it| it.standing.claim.as_ref() != Some(&claim)) =>
            {
                assert!(claim.token > life.token, "a number was given twice");
                if let Some((holder, _)) = life.holders.get(&change.id) {
                    assert!(
                        forced || holder.session == actor.session || !life.lives(world, holder),
                        "double claim of {}",
                        change.id
                    );
                }
                life.token = claim.token;
                life.holders.insert(change.id.clone(), (claim.by, claim.token));
            }
            Some(_) => {}
            None => _ = life.holders.remove(&change.id),
        }
    }
    if let Some(last) = life.acknowledged.last() {
        assert!(event.seq > last.seq, "numbers of events must rise");
    }
    life.acknowledged.push(event);
    life.hear(world, actor);
}

impl Life {
    fn hear(&mut self, world: &World, actor: &Actor) {
        self.heard.insert(actor.session.clone(), (world.clock.ticks(), world.clock.boot()));
    }

    /// A failed command may have happened all the same: then a claim may have ended.
    fn learn(&mut self, world: &World) {
        let last = self.acknowledged.last().map_or(0, |it| it.seq);
        let list = world.list();
        list.board().expect("a look");
        for change in list.events_after(last).expect("history").iter().flat_map(|it| &it.changes) {
            let claim = change.after.as_ref().and_then(|it| it.standing.claim.as_ref());
            if claim.map(|it| it.token) != self.holders.get(&change.id).map(|it| it.1) {
                self.holders.remove(&change.id);
            }
        }
    }

    /// Whether a session surely counts as alive: heard within the lease, in this run of the machine.
    fn lives(&self, world: &World, actor: &Actor) -> bool {
        self.heard.get(&actor.session).is_some_and(|(ticks, boot)| {
            *boot == world.clock.boot() && world.clock.ticks() - ticks + 10_000 < DEFAULT_LEASE.unsigned_abs()
        })
    }
}

/// Nothing acknowledged is lost, history explains the present, files are whole, nothing is locked.
fn check(world: &World, life: &mut Life) {
    let list = world.list();
    let board = list.board().expect("the list can be read");
    let history = list.events_after(0).expect("history");
    for view in &board.tasks {
        let own = history.iter().filter(|it| it.changes.iter().any(|it| it.id == view.task.id));
        let past = list.history(&view.task.id, 2).expect("a past");
        let (seqs, told): (Vec<u64>, Vec<u64>) =
            (own.map(|it| it.seq).collect(), past.latest.iter().map(|it| it.seq).collect());
        let last: Vec<u64> = seqs.iter().rev().take(2).copied().collect();
        assert_eq!((past.changes, told), (seqs.len() as u64, last), "the past of {}", view.task.id);
    }
    assert!(history.is_sorted_by(|a, b| a.seq < b.seq));
    for event in &life.acknowledged {
        let kept = history.iter().find(|it| it.seq == event.seq);
        let kept = kept.unwrap_or_else(|| panic!("event {} ({}) is lost", event.seq, event.command));
        assert_eq!(kept.command, event.command);
        assert_eq!(ids(kept), ids(event));
    }
    let mut present: BTreeMap<TaskId, &Entry> = BTreeMap::new();
    for change in history.iter().flat_map(|it| &it.changes) {
        match &change.after {
            Some(entry) => _ = present.insert(change.id.clone(), entry),
            None => _ = present.remove(&change.id),
        }
    }
    let told: Vec<_> = present
        .values()
        .map(|it| (&it.task.id, it.task.is_open(), &it.task.subject, &it.task.description))
        .collect();
    let mut seen: Vec<_> = board
        .tasks
        .iter()
        .map(|it| (&it.task.id, it.task.is_open(), &it.task.subject, &it.task.description))
        .collect();
    seen.sort_unstable_by_key(|it| it.0);
    assert_eq!(told, seen, "history does not explain the present");
    let open =
        board.tasks.iter().filter(|it| it.task.status == Status::Completed && it.claim.is_some()).count();
    assert_eq!(open, 0, "a completed task is claimed");
    let broken: Vec<String> = board.problems.iter().map(|it| it.file.clone()).collect();
    world.check_files(&broken);
    world.check_order();
    life.events = history.len() as u64;
}

fn ids(event: &Event) -> Vec<&TaskId> {
    let mut ids: Vec<&TaskId> = event.changes.iter().map(|it| &it.id).collect();
    ids.sort_unstable();
    ids
}
