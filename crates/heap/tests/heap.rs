//! The heap as the allocator of this very test: shares, threads that free what others took, growth, alignment, and a system
//! that has no more to give. Not `dlmalloc`, which has tests of its own.

#![expect(clippy::disallowed_methods, reason = "a test that reads what the system says of it")]

use std::{
    alloc::{GlobalAlloc, Layout},
    process::Command,
    sync::{Mutex, MutexGuard, PoisonError, mpsc},
    thread,
};
use worklist_heap::Heap;

#[global_allocator]
static HEAP: Heap = Heap;

/// One test at a time: what each of them holds is looked at.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Bytes by which a piece is known again.
fn mark(seed: usize, length: usize) -> Vec<u8> {
    (0..length).map(|n| u8::try_from((n * 31 + seed * 7) % 251).expect("a byte")).collect()
}

#[test]
fn what_one_thread_takes_another_may_free_or_enlarge() {
    const THREADS: usize = 9;
    const PIECES: usize = 4_000;
    let _alone = alone();
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..THREADS).map(|_| mpsc::sync_channel(64)).unzip();
    thread::scope(|scope| {
        for (own, receiver) in receivers.into_iter().enumerate() {
            let next = senders[(own + 1) % THREADS].clone();
            scope.spawn(move || {
                for n in 0..PIECES {
                    let length = [3, 17, 160, 1_500, 40_000][n % 5] + n % 13;
                    next.send((n, length, mark(n, length))).expect("the neighbour waits");
                    let (seed, length, mut piece): (usize, usize, Vec<u8>) =
                        receiver.recv().expect("the other neighbour goes on");
                    assert_eq!(piece, mark(seed, length), "somebody wrote into a piece that was given");
                    piece.extend_from_within(..);
                    assert_eq!(piece[length..], mark(seed, length));
                }
            });
        }
        drop(senders);
    });
}

#[test]
fn pieces_lie_as_they_were_asked_to() {
    let _alone = alone();
    for power in 0..16 {
        let layout = Layout::from_size_align(100, 1 << power).expect("a layout");
        // SAFETY: the layout has a size, and what is given goes back with it.
        #[expect(unsafe_code, reason = "collections do not ask for alignments")]
        unsafe {
            let given = HEAP.alloc_zeroed(layout);
            assert!(!given.is_null() && given.addr().is_multiple_of(1 << power));
            assert!(std::slice::from_raw_parts(given, 100).iter().all(|it| *it == 0));
            HEAP.dealloc(given, layout);
        }
    }
}

#[test]
fn much_comes_and_goes_again() {
    let _alone = alone();
    let resident = || {
        let state = std::fs::read_to_string("/proc/self/statm").expect("Linux");
        state.split(' ').nth(1).and_then(|it| it.parse::<usize>().ok()).expect("pages") * 4096
    };
    let before = resident();
    for round in 0..3 {
        let all: Vec<Vec<u8>> = (0..64).map(|n| mark(n + round, 1 << 20)).collect();
        assert!(all.iter().enumerate().all(|(n, it)| it.len() == 1 << 20 && it[..64] == mark(n + round, 64)));
    }
    // The pieces of other tests are there, too, and 32 MiB stay for the next time.
    assert!(resident() < before + (50 << 20), "64 MiB were given back three times");
    let zeros = vec![0_u8; 24 << 20];
    assert!(zeros.iter().all(|it| *it == 0), "what was kept is not handed out as new");
}

#[test]
fn a_system_without_memory_is_told_and_not_written_over() {
    let test = std::env::current_exe().expect("this test");
    // Eight times this very file, with room for little.
    let limited = |kib: usize| {
        let script = format!("ulimit -v {kib}; exec \"$0\" --exact \"$1\" --nocapture");
        Command::new("sh").args(["-c", &script]).arg(&test).arg("gives_until_there_is_no_more").output()
    };
    let heard = limited(200_000).expect("a shell");
    let said = String::from_utf8_lossy(&heard.stdout).into_owned();
    assert!(heard.status.success(), "{said}{}", String::from_utf8_lossy(&heard.stderr));
    assert!(said.contains("told after"), "{said}");
}

/// Only does something where it is run with a limit.
#[test]
fn gives_until_there_is_no_more() {
    if std::fs::read_to_string("/proc/self/limits")
        .is_ok_and(|it| it.lines().any(|it| it.starts_with("Max address space") && it.contains("unlimited")))
    {
        return;
    }
    let mut all: Vec<Vec<u8>> = Vec::with_capacity(1_000);
    while all.len() < 1_000 {
        let mut piece: Vec<u8> = Vec::new();
        if piece.try_reserve_exact(1 << 20).is_err() {
            break;
        }
        piece.extend(mark(all.len(), 1 << 10));
        all.push(piece);
    }
    assert!(all.len() < 1_000 && all.iter().enumerate().all(|(n, it)| *it == mark(n, 1 << 10)));
    let count = all.len();
    drop(all);
    let again: Vec<u8> = Vec::with_capacity(1 << 20);
    println!("told after {count} MiB, and there is room again for {}", again.capacity());
}
