//! The host's heap: what the decoder builds once, as it is first asked, and keeps for ever.
//!
//! Nothing is given back. The guest allocates nothing.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Several times what the decoder's tables take.
const SIZE: usize = 2 << 20;

#[global_allocator]
static HEAP: Heap = Heap { memory: UnsafeCell::new([0; SIZE]), used: AtomicUsize::new(0) };

#[repr(C, align(16))]
struct Heap {
    memory: UnsafeCell<[u8; SIZE]>,
    used: AtomicUsize,
}

// SAFETY: no two allocations overlap, and whoever has one is the only one to touch it.
unsafe impl Sync for Heap {}

// SAFETY: each allocation lies behind all earlier ones, at the alignment asked for, inside the memory.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let base = self.memory.get() as usize;
        let begin = (base + self.used.load(Relaxed)).next_multiple_of(layout.align()) - base;
        let end = begin + layout.size();
        if end > SIZE {
            return null_mut();
        }
        self.used.store(end, Relaxed);
        self.memory.get().cast::<u8>().wrapping_add(begin)
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}
