//! How many instructions does a piece of code retire?
//!
//! The guest's time-stamp counter advances by one with each instruction of the guest's, so it is a
//! stopwatch; and what starts and stops it uses no register, so that the code in between is
//! compiled as it would be without.

use core::arch::asm;
use core::cell::UnsafeCell;

use crate::width::whole;

/// A reading of the clock. It lies in memory, since the code that is measured needs the registers.
struct Reading(UnsafeCell<u32>);

// SAFETY: the guest has one processor, and no interrupt takes a reading.
unsafe impl Sync for Reading {}

static BEGIN: Reading = Reading(UnsafeCell::new(0));
static END: Reading = Reading(UnsafeCell::new(0));

/// Writes a reading down.
macro_rules! read_clock {
    ($reading:ident) => {
        // SAFETY: it writes one reading, and its stack is as before.
        unsafe {
            asm!(
                whole!("push ", ax),
                whole!("push ", dx),
                "rdtsc",
                "mov dword ptr [{reading}], eax",
                whole!("pop ", dx),
                whole!("pop ", ax),
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
/// move and two pops, before the other two pushes, and that other one itself.
fn elapsed() -> u64 {
    const OWN: u32 = 6;
    // SAFETY: nobody writes readings meanwhile.
    let (begin, end) = unsafe { (*BEGIN.0.get(), *END.0.get()) };
    u64::from(end.wrapping_sub(begin) - OWN)
}
