//! How many instructions does a piece of code retire?
//!
//! What starts and stops the stopwatch leaves every register as it was, so that the code in between is compiled as it would
//! be without.

use core::arch::asm;
use core::cell::UnsafeCell;

use harness::by_width;

/// A reading of the clock. It lies in memory, since the code that is measured needs the registers.
struct Reading(UnsafeCell<usize>);

// SAFETY: one hart runs the bench, and no interrupt takes a reading.
unsafe impl Sync for Reading {}

static BEGIN: Reading = Reading(UnsafeCell::new(0));
static END: Reading = Reading(UnsafeCell::new(0));

/// Writes a reading down.
macro_rules! read_clock {
    ($reading:ident) => {
        // SAFETY: it writes one reading, and its stack is as before.
        unsafe {
            asm!(
                "addi sp, sp, -16",
                by_width!("sd t0, 0(sp)", "sw t0, 0(sp)"),
                by_width!("sd t1, 8(sp)", "sw t1, 8(sp)"),
                "csrr t0, cycle",
                ".option push",
                ".option norelax",
                "lla t1, {reading}", // two instructions
                ".option pop",
                by_width!("sd t0, 0(t1)", "sw t0, 0(t1)"),
                by_width!("ld t0, 0(sp)", "lw t0, 0(sp)"),
                by_width!("ld t1, 8(sp)", "lw t1, 8(sp)"),
                "addi sp, sp, 16",
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

/// From the first reading of the clock to the second, less the stopwatch's own: six instructions behind the one, three before
/// the other, and one of the readings. Not inlined, or the readings' addresses would be worked out amid what is measured.
#[inline(never)]
fn elapsed() -> u64 {
    const OWN: usize = 10;
    // SAFETY: nobody writes readings meanwhile.
    let (begin, end) = unsafe { (*BEGIN.0.get(), *END.0.get()) };
    end.wrapping_sub(begin).wrapping_sub(OWN) as u64
}
