//! The same for many things, on as many cores as there are. Not for few: starting a thread costs as much as reading dozens of
//! files, or as asking hundreds. Where the system has no thread to give, the caller does it all.

use std::thread::{self, ScopedJoinHandle};

/// What is done with each of many things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// A file is asked how it looks from outside.
    Ask,
    /// The same by somebody who takes tasks: there are others beside him, who need the cores.
    AskAhead,
    /// A task becomes text.
    Tell,
    /// A file is read.
    Read,
    /// A file is made.
    Make,
}

impl Work {
    /// Fewer are done one after the other: starting a thread takes longer.
    pub fn many(self) -> usize {
        match self {
            Work::Read | Work::Make => 256,
            Work::Ask | Work::Tell => 512,
            Work::AskAhead => 2048,
        }
    }
}

/// More threads than this wait for each other in the file system.
const MOST_THREADS: usize = 4;

/// Does something with parts of a slice; what came of each, in its order.
pub fn spread<T: Sync, R: Send>(work: Work, items: &[T], act: impl Fn(&[T]) -> R + Sync) -> Vec<R> {
    let cores = if items.len() < work.many() { 1 } else { cores().min(MOST_THREADS) };
    if cores < 2 {
        return vec![act(items)];
    }
    let length = items.len().div_ceil(cores);
    let (own, others) = items.split_at(length);
    thread::scope(|scope| {
        let (act, place) = (&act, Place::now());
        let thread =
            |part| (part, thread::Builder::new().spawn_scoped(scope, move || place.apart(|| act(part))).ok());
        let threads: Vec<_> = others.chunks(length).map(thread).collect();
        Place::give_way();
        let mut all = Vec::with_capacity(cores);
        all.push(act(own));
        all.extend(threads.into_iter().map(|(part, thread)| thread.map_or_else(|| act(part), joined)));
        all
    })
}

/// Two things at a time, the second on a core of its own if there is one.
pub fn beside<A, B: Send>(one: impl FnOnce() -> A, other: impl Fn() -> B + Sync) -> (A, B) {
    thread::scope(|scope| {
        let (place, other) = (Place::now(), &other);
        let thread = thread::Builder::new().spawn_scoped(scope, move || place.apart(other)).ok();
        Place::give_way();
        let one = one();
        (one, thread.map_or_else(other, joined))
    })
}

/// How many cores this process may use. The standard library asks a dozen questions more: what a group of processes may use.
#[cfg(target_os = "linux")]
fn cores() -> usize {
    rustix::thread::sched_getaffinity(None).map_or(1, |it| it.count() as usize)
}

#[cfg(not(target_os = "linux"))]
fn cores() -> usize {
    thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The core on which a thread ran when it made others. Some kernels begin a new thread there, too, where it waits, and give it a core
/// that is idle only some milliseconds later: then most of what is done here is over.
#[derive(Clone, Copy)]
struct Place {
    #[cfg(target_os = "linux")]
    core: usize,
}

impl Place {
    fn now() -> Place {
        Place {
            #[cfg(target_os = "linux")]
            core: rustix::thread::sched_getcpu(),
        }
    }

    /// Lets those begin who wait for this core: they leave at once.
    fn give_way() {
        #[cfg(target_os = "linux")]
        rustix::thread::sched_yield();
    }

    /// Does something on another core.
    fn apart<T>(self, act: impl FnOnce() -> T) -> T {
        #[cfg(target_os = "linux")]
        self.leave();
        act()
    }

    /// Goes to another core, and may be moved again from there on. If that cannot be, it takes longer.
    #[cfg(target_os = "linux")]
    fn leave(self) {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
        if sched_getcpu() != self.core || self.core >= CpuSet::MAX_CPU {
            return;
        }
        let Ok(all) = sched_getaffinity(None) else { return };
        let mut others = all;
        others.unset(self.core);
        if others.count() > 0 && sched_setaffinity(None, &others).is_ok() {
            _ = sched_setaffinity(None, &all);
        }
    }
}

fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_stays() {
        for work in [Work::Ask, Work::AskAhead, Work::Tell, Work::Read, Work::Make] {
            for count in [0, 1, work.many() - 1, work.many(), work.many() * 5 + 3] {
                let items: Vec<usize> = (0..count).collect();
                let double = |part: &[usize]| part.iter().map(|it| it * 2).collect::<Vec<_>>();
                let all = spread(work, &items, double).concat();
                assert_eq!(all, items.iter().map(|it| it * 2).collect::<Vec<_>>());
            }
        }
    }
}
