//! How many instructions does a piece of code retire?
//!
//! QEMU is told to let the system counter tick once a nanosecond, which is once an instruction, so it is a
//! stopwatch; and what starts and stops it leaves every register as it was, so that the code in between is compiled
//! as it would be without.

use core::arch::asm;
use core::cell::UnsafeCell;

/// A reading of the clock. It lies in memory, since the code that is measured needs the registers.
struct Reading(UnsafeCell<u64>);

// SAFETY: one processor runs the bench, and no interrupt takes a reading.
unsafe impl Sync for Reading {}

static BEGIN: Reading = Reading(UnsafeCell::new(0));
static END: Reading = Reading(UnsafeCell::new(0));

/// Writes a reading down.
macro_rules! read_clock {
    ($reading:ident) => {
        // SAFETY: it writes one reading, and its stack is as before.
        unsafe {
            asm!(
                "stp x0, x1, [sp, #-16]!",
                "adrp x1, {reading}",
                "mrs x0, cntvct_el0",
                "str x0, [x1, :lo12:{reading}]",
                "ldp x0, x1, [sp], #16",
                reading = sym $reading,
                options(preserves_flags)
            );
        }
    };
}

/// Runs `work` where it is called, and says how many instructions it retired.
#[inline(always)]
pub fn time<T>(work: impl FnOnce() -> T) -> (u64, T) {
    read_clock!(BEGIN);
    let result = work();
    read_clock!(END);
    (elapsed(), result)
}

/// From the first reading of the clock to the second, less the stopwatch's own: behind the one a
/// store and a load, before the other a push, an address and that other one itself. Not inlined, or the readings'
/// addresses would be worked out amid what is measured.
#[inline(never)]
fn elapsed() -> u64 {
    const OWN: u64 = 5;
    // SAFETY: nobody writes readings meanwhile.
    let (begin, end) = unsafe { (*BEGIN.0.get(), *END.0.get()) };
    end.wrapping_sub(begin) - OWN
}
