//! Marks: what a program makes its own CPU count, one by one. QEMU's cycles and instructions are those of all CPUs.

use core::arch::asm;

use pmu::{Event, Request};

/// What the firmware counts: calls for a FENCE.I on other harts (FW_FENCE_I_SENT).
pub const MARKS: Event = Event::raw(0xF_0008);
/// The firmware's counters do not interrupt, so threads are sampled by what they execute.
pub const SAMPLED: (Request, &str) = (Request::new(Event::INSTRUCTIONS).every(PERIOD), "instructions");
pub const PERIOD: u64 = 100_003;
/// What two threads do that move between CPUs. OpenSBI takes a lock for each call, and QEMU's harts run one after the other:
/// one that waits for the lock does so until its turn is over.
pub const MOVING: [u32; 2] = [60, 20];

/// Calls for a FENCE.I on no hart.
pub fn mark(times: u32) {
    for _ in 0..times {
        // SAFETY: the call (extension 0x52464E43, function 0) changes a0 and a1 alone.
        unsafe {
            asm!("ecall", inout("a0") 0 => _, inout("a1") 0 => _, in("a6") 0, in("a7") 0x5246_4E43, options(nostack));
        }
    }
}
