//! The same for many things, on as many cores as there are. Not for few: starting a thread costs as much as reading dozens of
//! files, or as asking hundreds. Where the system has no thread to give, the caller does it all.

use std::{
    num::NonZero,
    thread::{self, ScopedJoinHandle},
};

/// What is done with each of many things, by how long it takes: fewer of them are done one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// A file is asked how it looks from outside.
    Ask = 512,
    /// A file is read.
    Read = 256,
}

/// More threads than this wait for each other in the file system.
const MOST_THREADS: usize = 4;

/// Does something with parts of a slice and puts the answers together in its order.
pub(super) fn spread<T: Sync, R: Send>(
    work: Work,
    items: &[T],
    act: impl Fn(&[T]) -> Vec<R> + Sync,
) -> Vec<R> {
    // How many cores there are takes a dozen questions to the system.
    let cores = || thread::available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS);
    let cores = if items.len() < work as usize { 1 } else { cores() };
    if cores < 2 {
        return act(items);
    }
    let (own, others) = items.split_at(items.len().div_ceil(cores));
    thread::scope(|scope| {
        let act = &act;
        let thread = |part| (part, thread::Builder::new().spawn_scoped(scope, move || act(part)).ok());
        let threads: Vec<_> = others.chunks(items.len().div_ceil(cores)).map(thread).collect();
        let mut all = act(own);
        for (part, thread) in threads {
            all.extend(thread.map_or_else(|| act(part), joined));
        }
        all
    })
}

/// Two things at a time, the second on a core of its own if there is one.
pub(super) fn beside<A, B: Send>(one: impl FnOnce() -> A, other: impl Fn() -> B + Sync) -> (A, B) {
    thread::scope(|scope| {
        let thread = thread::Builder::new().spawn_scoped(scope, &other).ok();
        let one = one();
        (one, thread.map_or_else(&other, joined))
    })
}

fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_stays() {
        for work in [Work::Ask, Work::Read] {
            for count in [0, 1, work as usize - 1, work as usize, work as usize * 5 + 3] {
                let items: Vec<usize> = (0..count).collect();
                assert_eq!(
                    spread(work, &items, |part| part.iter().map(|it| it * 2).collect()),
                    items.iter().map(|it| it * 2).collect::<Vec<_>>()
                );
            }
        }
    }
}
