//! Loops of a known length, each one block of assembly: the compiler can put nothing in between.

use core::arch::asm;

/// The fewest instructions that [`exactly`] can be asked for.
pub const FEWEST: u64 = 4;

/// Retires exactly `count` instructions, at least [`FEWEST`]: a loop of a branch and its delay slot, and one more
/// before it if they are odd.
#[inline(always)]
pub fn exactly(count: u64) {
    assert!(count >= FEWEST, "a loop of {count} instructions cannot be made");
    // SAFETY: this touches two registers.
    unsafe {
        asm!(
            "brz,pn {odd}, 2f",
            "nop",
            "nop",
            "2: brnz,pt {rounds}, 2b",
            "sub {rounds}, 1, {rounds}",
            odd = in(reg) count & 1,
            rounds = inout(reg) (count - FEWEST) / 2 => _,
            options(nomem, nostack, preserves_flags)
        );
    }
}

/// Is this the instruction before which the first interrupt comes when they are turned on?
pub fn is_where_interrupts_come(address: u64) -> bool {
    /// `wrpr …, %pstate`, whatever it writes.
    const LETS_IN: u32 = 2 << 30 | 6 << 25 | 0x32 << 19;
    const SOURCE: u32 = 0x7_ffff;
    // SAFETY: it is a sample's, so code lies there and before it.
    unsafe { ((address - 4) as *const u32).read() & !SOURCE == LETS_IN }
}
