//! Loops of a known length, each one block of assembly: the compiler can put nothing in between.

use core::arch::asm;

/// The fewest instructions that [`exactly`] can be asked for.
pub const FEWEST: u64 = 2;

/// Retires exactly `count` instructions, at least [`FEWEST`]: one, and a branch to itself. Such a loop
/// is what QEMU's own unit counts exactly too.
#[inline(always)]
pub fn exactly(count: u64) {
    assert!(count >= FEWEST, "a loop of {count} instructions cannot be made");
    // SAFETY: this touches one register.
    unsafe {
        asm!(
            "mtctr {rest}",
            "2: bdnz 2b",
            rest = in(reg) (count - 1) as usize,
            out("ctr") _,
            options(nomem, nostack)
        );
    }
}

/// Retires so many with exceptions closed, and opens them again.
pub fn with_interrupts_masked(count: u64) {
    super::hold_exceptions();
    exactly(count);
    super::take_exceptions();
}

/// Is this the instruction before which the first exception comes when [`with_interrupts_masked`] opens them?
pub fn is_where_interrupts_come(address: u64) -> bool {
    /// `mtmsrd rS, 1`, or `mtmsr rS` where registers have 32 bits, whichever register S is.
    const LETS_IN: u32 = harness::by_width!(0x7c01_0164, 0x7c00_0124);
    const SOURCE: u32 = 31 << 21;
    // SAFETY: it is a sample's, so code lies there and before it.
    unsafe { ((address - 4) as *const u32).read() & !SOURCE == LETS_IN }
}
