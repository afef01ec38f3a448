//! Where a share's pages come from: a stretch of addresses of its own, from its beginning on. Not how they are cut up.

use dlmalloc::Allocator;
use rustix::mm::{Advice, MapFlags, MremapFlags, ProtFlags, madvise, mmap_anonymous, mremap, munmap};
use std::{
    ffi::c_void,
    ptr,
    sync::atomic::{AtomicUsize, Ordering},
};

/// The stretches begin far from where the system puts a program, its stacks and what it maps.
const FIRST: usize = 0x1000_0000_0000;
/// So long is each: more than a machine has.
const STRETCH: usize = 1 << 40;
/// The steps of a share that holds little, and how much that is: most commands stay below it, and shall not hold more than they
/// need.
const STEP: usize = 64 * 1024;
const LITTLE: usize = 512 * 1024;
/// The steps of a larger one, in pages of this size where the system has them: one of those costs as much as two dozen small
/// ones.
const LARGE: usize = 2 * 1024 * 1024;
/// So much stays with a share that is given back to it: what was needed once is soon needed again, and giving it back costs as
/// much as it had cost.
const KEPT: usize = 32 * 1024 * 1024;

/// The share that an address was taken from. What lies in no stretch is the first one's.
pub(crate) fn share_of(address: *const u8) -> usize {
    let address = address.addr();
    if address < FIRST {
        0
    } else {
        Some((address - FIRST) / STRETCH).filter(|it| *it < super::SHARES).unwrap_or(0)
    }
}

/// The pages of one share. Only whoever holds the share's lock comes by here.
pub(crate) struct Pages {
    share: usize,
    /// Where the next ones begin that are given out.
    next: AtomicUsize,
    /// Up to where they are there.
    end: AtomicUsize,
}

impl Pages {
    pub(crate) const fn of(share: usize) -> Pages {
        let begin = FIRST + share * STRETCH;
        Pages { share, next: AtomicUsize::new(begin), end: AtomicUsize::new(begin) }
    }

    fn next(&self) -> usize {
        self.next.load(Ordering::Relaxed)
    }

    fn end(&self) -> usize {
        self.end.load(Ordering::Relaxed)
    }

    /// More pages behind those that are there, up to here; whether there are.
    fn extend(&self, end: usize, is_large: bool) -> bool {
        let from = self.end();
        // Few are there at once: whoever asks for them is about to write into them, and each that were only there then would
        // take longer than all of them together.
        let when = if is_large { MapFlags::empty() } else { MapFlags::POPULATE };
        let Some(pages) = map(from, end - from, when) else { return false };
        if pages.addr() != from {
            unmap(pages, end - from);
            return false;
        }
        if is_large {
            // SAFETY: it changes how they are backed, not what they are. Where it cannot be, small ones do.
            #[expect(unsafe_code, reason = "said of addresses")]
            let _ = unsafe { madvise(pages, end - from, Advice::LinuxHugepage) };
        }
        self.end.store(end, Ordering::Relaxed);
        true
    }

    /// Lets go of what is there from here on, but for what is kept.
    fn shrink(&self, next: usize) {
        self.next.store(next, Ordering::Relaxed);
        let (kept, end) = (next.saturating_add(KEPT), self.end());
        if end > kept && unmap(ptr::without_provenance_mut(kept), end - kept) {
            self.end.store(kept, Ordering::Relaxed);
        }
    }
}

/// Pages at an address if that is free, else elsewhere.
fn map(wish: usize, size: usize, how: MapFlags) -> Option<*mut c_void> {
    let access = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: a wish moves nothing that is there.
    #[expect(unsafe_code, reason = "pages cannot be asked for otherwise")]
    let pages =
        unsafe { mmap_anonymous(ptr::without_provenance_mut(wish), size, access, MapFlags::PRIVATE | how) };
    pages.ok()
}

fn unmap(pages: *mut c_void, size: usize) -> bool {
    // SAFETY: of this module's own, and nobody has them any more.
    #[expect(unsafe_code, reason = "pages cannot be given back otherwise")]
    let done = unsafe { munmap(pages, size) };
    done.is_ok()
}

// SAFETY: what is given out is mapped, readable, writable, and nobody else's; what is taken back was given out.
#[expect(unsafe_code, reason = "the trait asks for a promise")]
unsafe impl Allocator for Pages {
    fn alloc(&self, size: usize) -> (*mut u8, usize, u32) {
        const NONE: (*mut u8, usize, u32) = (ptr::null_mut(), 0, 0);
        let (begin, next) = (FIRST + self.share * STRETCH, self.next());
        let is_large = next - begin + size > LITTLE;
        let wanted = next
            .checked_add(size)
            .and_then(|it| it.checked_next_multiple_of(if is_large { LARGE } else { STEP }));
        let Some(end) = wanted.filter(|it| *it <= begin + STRETCH) else { return NONE };
        if end <= self.end() || self.extend(end, is_large) {
            self.next.store(end, Ordering::Relaxed);
            return (ptr::without_provenance_mut(next), end - next, 0);
        }
        // Only the first may have pages that lie anywhere: of no other would their addresses tell.
        let elsewhere = if self.share == 0 { map(0, size, MapFlags::empty()) } else { None };
        match elsewhere.filter(|it| share_of(it.cast()) == 0) {
            Some(pages) => (pages.cast(), size, 0),
            None => NONE,
        }
    }

    /// Nothing is mapped by itself, so nothing moves by itself.
    fn remap(&self, _: *mut u8, _: usize, _: usize, _: bool) -> *mut u8 {
        ptr::null_mut()
    }

    fn free_part(&self, pages: *mut u8, old: usize, new: usize) -> bool {
        if pages.addr() + old == self.next() {
            self.shrink(pages.addr() + new);
            return true;
        }
        // SAFETY: `dlmalloc` gives back the end of what it was given.
        unsafe { mremap(pages.cast(), old, new, MremapFlags::empty()) }.is_ok()
    }

    fn free(&self, pages: *mut u8, size: usize) -> bool {
        if pages.addr() + size == self.next() {
            self.shrink(pages.addr());
            return true;
        }
        unmap(pages.cast(), size)
    }

    fn can_release_part(&self, _: u32) -> bool {
        true
    }

    /// Not those that were kept.
    fn allocates_zeros(&self) -> bool {
        false
    }

    fn page_size(&self) -> usize {
        4096
    }
}
