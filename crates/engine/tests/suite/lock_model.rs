//! The lock protocol as a model whose every state is visited: one foreign process, up to three of ours, a dead
//! one's stale lock, crashes anywhere. The two cases that no protocol can save must stay violated: they show that
//! the model can fail.

use stateright::{Checker, Model, Property};
use worklist::store::files::{STALE_MS, WATCHED_MS};

/// How often a foreign holder refreshes its lock, in milliseconds. proper-lockfile's own default.
const REFRESH_MS: u64 = 5_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    /// A process that follows proper-lockfile: mkdir, stat, rmdir.
    Foreign,
    /// A port of that to our side.
    Naive,
    /// Ours.
    Pinned,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum At {
    Start,
    Look,
    Remove,
    MakeAgain,
    Inside,
    Release,
    WaitForList,
    PutInPlace,
    LookPinned,
    Exchange,
    Check,
    ExchangeBack,
    LeaveList,
    Done,
    Dead,
}

/// A lock directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Dir {
    inode: u8,
    owner: u8,
    stale: bool,
    pinned: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Process {
    kind: Kind,
    at: At,
    saw: u8,
    displaced: Option<Dir>,
    tries: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct World {
    lock: Option<Dir>,
    next: u8,
    /// Who holds the list's lock among ours.
    list: Option<u8>,
    processes: Vec<Process>,
    crashes: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Action {
    Step(u8),
    Crash(u8),
    GoStale,
}

struct Protocol {
    kinds: Vec<Kind>,
    /// Whether a living holder can be stopped for longer than a lock stays fresh.
    pauses: bool,
    /// Whether a dead owner's displaced lock is put back.
    gives_back: bool,
}

/// A process that is not known to be dead.
const NOBODY: u8 = 255;

impl Model for Protocol {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        let start = |kind: &Kind| Process {
            kind: *kind,
            at: if *kind == Kind::Pinned { At::WaitForList } else { At::Start },
            saw: 0,
            displaced: None,
            tries: 0,
        };
        let stale = Dir { inode: 0, owner: NOBODY, stale: true, pinned: false };
        let processes = self.kinds.iter().map(start).collect();
        vec![World { lock: Some(stale), next: 1, list: None, processes, crashes: 0 }]
    }

    fn actions(&self, world: &World, actions: &mut Vec<Action>) {
        for (n, process) in (0..).zip(&world.processes) {
            if !matches!(process.at, At::Done | At::Dead) {
                actions.push(Action::Step(n));
                if world.crashes < 2 {
                    actions.push(Action::Crash(n));
                }
            }
        }
        if let Some(lock) = world.lock.filter(|it| !it.stale) {
            let owner = world.processes.get(usize::from(lock.owner));
            let gone = owner.is_none_or(|it| matches!(it.at, At::Dead | At::Done));
            // A living holder refreshes in time: we watch for longer than its refresh takes.
            if gone || self.pauses || WATCHED_MS <= REFRESH_MS {
                actions.push(Action::GoStale);
            }
        }
    }

    fn next_state(&self, world: &World, action: Action) -> Option<World> {
        let mut world = world.clone();
        match action {
            Action::GoStale => {
                world.lock.as_mut()?.stale = true;
            }
            Action::Crash(n) => {
                world.crashes += 1;
                world.processes[usize::from(n)].at = At::Dead;
                world.list = world.list.filter(|it| *it != n);
            }
            Action::Step(n) => {
                let process = world.processes[usize::from(n)].clone();
                let moved = match process.kind {
                    Kind::Pinned => self.step_pinned(&mut world, process, n)?,
                    Kind::Foreign | Kind::Naive => step_foreign(&mut world, process, n),
                };
                world.processes[usize::from(n)] = moved;
            }
        }
        Some(world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::<Self>::always("at most one inside", |_, world: &World| {
                world.processes.iter().filter(|it| it.at == At::Inside).count() <= 1
            }),
            Property::<Self>::sometimes("somebody gets in", |_, world: &World| {
                world.processes.iter().any(|it| it.at == At::Inside)
            }),
        ]
    }
}

fn make(world: &mut World, owner: u8, pinned: bool) -> Dir {
    let dir = Dir { inode: world.next, owner, stale: false, pinned };
    world.next += 1;
    dir
}

fn step_foreign(world: &mut World, mut process: Process, n: u8) -> Process {
    process.at = match process.at {
        At::Start | At::MakeAgain if world.lock.is_none() => {
            world.lock = Some(make(world, n, false));
            At::Inside
        }
        At::Start => At::Look,
        At::Look => match world.lock {
            None => At::MakeAgain,
            Some(lock) if lock.stale => At::Remove,
            Some(_) => At::Done,
        },
        // rmdir of a directory that is not empty fails.
        At::Remove if world.lock.is_some_and(|it| it.pinned) => At::Done,
        At::Remove => {
            world.lock = None;
            At::MakeAgain
        }
        At::Inside => At::Release,
        At::Release => {
            world.lock = world.lock.filter(|it| it.pinned);
            At::Done
        }
        _ => At::Done,
    };
    process
}

impl Protocol {
    fn step_pinned(&self, world: &mut World, mut process: Process, n: u8) -> Option<Process> {
        process.at = match process.at {
            At::WaitForList if world.list.is_some() => return None,
            At::WaitForList => {
                world.list = Some(n);
                At::PutInPlace
            }
            At::PutInPlace if world.lock.is_none() => {
                world.lock = Some(make(world, n, true));
                At::Inside
            }
            At::PutInPlace => At::LookPinned,
            At::LookPinned => {
                process.tries += 1;
                match world.lock {
                    _ if process.tries > 3 => At::LeaveList,
                    // We hold the list's lock, so its owner is dead; what it displaced goes back first.
                    Some(lock) if lock.pinned => {
                        let owner = world.processes.get_mut(usize::from(lock.owner));
                        let displaced = owner.filter(|_| self.gives_back && lock.owner != n);
                        world.lock = displaced.and_then(|it| it.displaced.take());
                        At::PutInPlace
                    }
                    Some(lock) if lock.stale => {
                        process.saw = lock.inode;
                        At::Exchange
                    }
                    // Gone meanwhile, or fresh: try again.
                    _ => At::PutInPlace,
                }
            }
            At::Exchange if world.lock.is_none() => At::PutInPlace,
            At::Exchange => {
                process.displaced = world.lock;
                world.lock = Some(make(world, n, true));
                At::Check
            }
            At::Check if process.displaced.is_some_and(|it| it.inode == process.saw && it.stale) => {
                process.displaced = None;
                At::Inside
            }
            At::Check => At::ExchangeBack,
            At::ExchangeBack => {
                world.lock = process.displaced.take();
                At::PutInPlace
            }
            At::Inside => At::Release,
            At::Release => {
                world.lock = None;
                At::LeaveList
            }
            At::LeaveList => {
                world.list = None;
                At::Done
            }
            _ => return None,
        };
        Some(process)
    }
}

#[test]
fn at_most_one_is_inside_in_every_state() {
    use Kind::{Foreign, Naive, Pinned};
    let mut states = 0;
    for (name, kinds, pauses, gives_back, holds) in [
        ("1 foreign + 1 ours", vec![Foreign, Pinned], false, true, true),
        ("1 foreign + 2 ours", vec![Foreign, Pinned, Pinned], false, true, true),
        ("1 foreign + 3 ours", vec![Foreign, Pinned, Pinned, Pinned], false, true, true),
        ("3 ours", vec![Pinned; 3], false, true, true),
        ("3 ours that may pause", vec![Pinned; 3], true, true, true),
        ("2 foreign: their own race", vec![Foreign, Foreign], false, true, false),
        ("1 foreign + 1 plain port", vec![Foreign, Naive], false, true, false),
        ("1 foreign + 2 ours without giving back", vec![Foreign, Pinned, Pinned], false, false, false),
        ("1 foreign that pauses too long + 1 ours", vec![Foreign, Pinned], true, true, false),
    ] {
        let checker = Protocol { kinds, pauses, gives_back }.checker().threads(2).spawn_bfs().join();
        states += checker.unique_state_count();
        println!("{name}: {} states", checker.unique_state_count());
        assert_eq!(checker.discovery("at most one inside").is_none(), holds, "{name}");
        assert!(checker.discovery("somebody gets in").is_some(), "{name}");
    }
    assert!(states >= 75_000, "only {states} states were visited");
}

/// The model holds for these constants: staler than the other side's own limit, watched longer than its refresh.
#[test]
fn the_constants_are_those_of_the_model() {
    const { assert!(STALE_MS >= 10_000) };
    const { assert!(WATCHED_MS > REFRESH_MS) };
}
