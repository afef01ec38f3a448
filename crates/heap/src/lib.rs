//! The memory of the static program. Its C library hands memory out slowly, and to one thread at a time; this does it by
//! `dlmalloc`, in a few shares, so that threads that work beside each other do not wait for each other. Not an allocator of
//! our own: what is here says which share is whose, and where the pages come from.
//!
//! The only crate of the workspace with unsafe code. Everything in it rests on two facts: a share is only used by whoever
//! holds its lock, and an address tells the share that it came from, because each takes its pages from a stretch of its own.

#[cfg(target_arch = "x86_64")]
mod bytes;
mod pages;

use dlmalloc::Dlmalloc;
use pages::Pages;
use std::{
    alloc::{GlobalAlloc, Layout},
    cell::Cell,
    ptr,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// More threads than this share: most programs have fewer that work at the same time.
const SHARES: usize = 4;

static ALL: [Mutex<Dlmalloc<Pages>>; SHARES] = [share(0), share(1), share(2), share(3)];

const fn share(number: usize) -> Mutex<Dlmalloc<Pages>> {
    Mutex::new(Dlmalloc::new_with_allocator(Pages::of(number)))
}

/// How many threads have asked for memory so far.
static THREADS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The share that this thread takes from. The first thread is the first to ask, so that it has the first.
    static OWN: Cell<usize> = const { Cell::new(usize::MAX) };
}

fn own() -> usize {
    // A thread that is about to be gone takes from the first.
    let known = |own: &Cell<usize>| {
        if own.get() == usize::MAX {
            own.set(THREADS.fetch_add(1, Ordering::Relaxed) % SHARES);
        }
        own.get()
    };
    OWN.try_with(known).unwrap_or(0)
}

fn locked(share: usize) -> MutexGuard<'static, Dlmalloc<Pages>> {
    // Whoever died while it held a share did not die of the share.
    ALL[share].lock().unwrap_or_else(PoisonError::into_inner)
}

/// The heap, to be named as a program's global allocator.
#[derive(Debug, Clone, Copy)]
pub struct Heap;

impl Heap {
    /// Memory from the thread's own share, or from the first if that one has no room where it may be.
    fn give(layout: Layout, from: impl Fn(&mut Dlmalloc<Pages>, usize, usize) -> *mut u8) -> *mut u8 {
        let own = own();
        let given = from(&mut locked(own), layout.size(), layout.align());
        if given.is_null() && own != 0 { from(&mut locked(0), layout.size(), layout.align()) } else { given }
    }
}

// SAFETY: memory is that of `dlmalloc`, which is used by one thread at a time, and goes back to where it came from.
#[expect(unsafe_code, reason = "an allocator cannot be said otherwise")]
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: size and alignment are those of a layout, as `dlmalloc` wants them.
        Heap::give(layout, |share, size, align| unsafe { share.malloc(size, align) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        Heap::give(layout, |share, size, align| unsafe { share.calloc(size, align) })
    }

    unsafe fn dealloc(&self, given: *mut u8, layout: Layout) {
        // SAFETY: it was given for this layout, and by the share that its address tells.
        unsafe { locked(pages::share_of(given)).free(given, layout.size(), layout.align()) }
    }

    unsafe fn realloc(&self, given: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let share = pages::share_of(given);
        // SAFETY: it was given for this layout, and by this share.
        let moved = unsafe { locked(share).realloc(given, layout.size(), layout.align(), size) };
        if !moved.is_null() || share == 0 {
            return moved;
        }
        // SAFETY: the caller answers for size and alignment; both pieces are as long as is copied, and are not the same.
        unsafe {
            let other = locked(0).malloc(size, layout.align());
            if !other.is_null() {
                ptr::copy_nonoverlapping(given, other, layout.size().min(size));
                self.dealloc(given, layout);
            }
            other
        }
    }
}
