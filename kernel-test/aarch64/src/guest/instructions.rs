//! Loops of a known length, each one block of assembly: the compiler can put nothing in between.

use core::arch::asm;

/// The fewest instructions that [`exactly`] can be asked for.
pub const FEWEST: u64 = 4;

/// Retires exactly `count` instructions, at least [`FEWEST`].
#[inline(always)]
pub fn exactly(count: u64) {
    assert!(count >= FEWEST, "a loop of {count} instructions cannot be made");
    // SAFETY: this touches one register and the flags.
    unsafe {
        asm!(
            "tbnz {count}, #0, 2f", // of an odd number, this one is not in the loop;
            "nop",                  // of an even one, these two are not
            "2:",
            "subs {rounds}, {rounds}, #1",
            "b.ne 2b",
            count = in(reg) count,
            rounds = inout(reg) (count - 1) >> 1 => _,
            options(nomem, nostack)
        );
    }
}

/// Retires so many with interrupts off, and turns them on again.
pub fn with_interrupts_masked(count: u64) {
    // SAFETY: this touches one register and the flags, and interrupts are on before and after.
    unsafe {
        asm!(
            "msr daifset, #2",
            "2:",
            "subs {rounds}, {rounds}, #1",
            "b.ne 2b",
            "msr daifclr, #2",
            rounds = inout(reg) count / 2 => _,
            options(nomem, nostack)
        );
    }
}

/// Is this the instruction before which the first interrupt comes when [`with_interrupts_masked`] turns them on?
pub fn is_where_interrupts_come(address: u64) -> bool {
    /// `msr daifclr, #2`
    const LETS_IN: u32 = 0xd503_42ff;
    // SAFETY: it is a sample's, so code lies there and before it.
    unsafe { ((address - 4) as *const u32).read() == LETS_IN }
}
