//! Where a share's pages come from: a stretch of addresses of its own, from its beginning on. Not how they are cut up.

use dlmalloc::Allocator;
use rustix::mm::{Advice, MapFlags, MremapFlags, ProtFlags, madvise, mmap_anonymous, mremap, munmap};
use std::{
    ffi::c_void,
    ptr::{self, NonNull},
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

/// The share that an address was taken from. What lies in no stretch is the first one's.
pub(crate) fn share_of(address: *const u8) -> usize {
    let address = address.addr();
    if address < FIRST {
        0
    } else {
        Some((address - FIRST) / STRETCH).filter(|it| *it < super::SHARES).unwrap_or(0)
    }
}

/// The pages of one share.
pub(crate) struct Pages {
    share: usize,
    /// Where the next ones are asked for. Only whoever holds the share's lock comes by here.
    next: AtomicUsize,
}

impl Pages {
    pub(crate) const fn of(share: usize) -> Pages {
        Pages { share, next: AtomicUsize::new(FIRST + share * STRETCH) }
    }

    fn held(&self) -> usize {
        self.next.load(Ordering::Relaxed) - (FIRST + self.share * STRETCH)
    }
}

// SAFETY: what is given out is mapped, readable, writable, and nobody else's; what is taken back was given out.
#[expect(unsafe_code, reason = "pages cannot be asked for otherwise")]
unsafe impl Allocator for Pages {
    fn alloc(&self, size: usize) -> (*mut u8, usize, u32) {
        const NONE: (*mut u8, usize, u32) = (ptr::null_mut(), 0, 0);
        let next = self.next.load(Ordering::Relaxed);
        let held = self.held();
        let large = held + size > LITTLE;
        let Some(size) = size.checked_next_multiple_of(if large { LARGE } else { STEP }) else { return NONE };
        // From the first large step on, everything begins where a large page may.
        let wanted = if large { next.next_multiple_of(LARGE) } else { next };
        if self.share > 0 && wanted.saturating_add(size) > FIRST + (self.share + 1) * STRETCH {
            return NONE;
        }
        let access = ProtFlags::READ | ProtFlags::WRITE;
        let wish = ptr::without_provenance_mut::<c_void>(wanted);
        // SAFETY: a wish moves nothing that is there.
        let Ok(pages) = (unsafe { mmap_anonymous(wish, size, access, MapFlags::PRIVATE) }) else {
            return NONE;
        };
        if pages.addr() == wanted {
            self.next.store(wanted + size, Ordering::Relaxed);
        } else if share_of(pages.cast()) != self.share {
            // SAFETY: nobody knows of them yet.
            _ = unsafe { munmap(pages, size) };
            return NONE;
        }
        if large {
            // SAFETY: it changes how they are backed, not what they are. Where it cannot be, small ones do.
            _ = unsafe { madvise(pages, size, Advice::LinuxHugepage) };
        }
        (pages.cast(), size, 0)
    }

    /// Nothing is mapped by itself, so nothing moves by itself.
    fn remap(&self, _: *mut u8, _: usize, _: usize, _: bool) -> *mut u8 {
        ptr::null_mut()
    }

    fn free_part(&self, pages: *mut u8, old: usize, new: usize) -> bool {
        // SAFETY: `dlmalloc` gives back the end of what it was given.
        let given_back = unsafe { mremap(pages.cast(), old, new, MremapFlags::empty()) }.is_ok();
        let (end, rest) = (pages.addr() + old, pages.addr() + new);
        if given_back && self.next.load(Ordering::Relaxed) == end {
            self.next.store(rest, Ordering::Relaxed);
        }
        given_back
    }

    fn free(&self, pages: *mut u8, size: usize) -> bool {
        // SAFETY: `dlmalloc` gives back what it was given, whole.
        NonNull::new(pages).is_some_and(|it| unsafe { munmap(it.as_ptr().cast(), size) }.is_ok())
    }

    fn can_release_part(&self, _: u32) -> bool {
        true
    }

    fn allocates_zeros(&self) -> bool {
        true
    }

    fn page_size(&self) -> usize {
        4096
    }
}
