//! Loops of a known length, each one block of assembly: the compiler can put nothing in between.

use core::arch::asm;

/// The fewest instructions that [`exactly`] can be asked for.
pub const FEWEST: u64 = 4;

/// Retires exactly `count` instructions, at least [`FEWEST`]: a branch that an odd number does not take, and rounds of two.
#[inline(always)]
pub fn exactly(count: u64) {
    assert!(count >= FEWEST, "a loop of {count} instructions cannot be made");
    // SAFETY: this touches one register.
    unsafe {
        asm!(
            ".set push",
            ".set noreorder",
            ".set noat",
            "beqz {odd}, 2f",
            "nop",
            "nop",
            "2: bnez {rounds}, 2b",
            "addiu {rounds}, {rounds}, -1",
            ".set pop",
            odd = in(reg) count as usize & 1,
            rounds = inout(reg) (count as usize - 4) / 2 => _,
            options(nomem, nostack)
        );
    }
}

/// Is this the instruction before which the first interrupt comes when they are turned on?
pub fn is_where_interrupts_come(address: u64) -> bool {
    /// `mtc0 $n, $12`, whichever register n is.
    const TO_STATUS: u32 = 0x4080_6000;
    const SOURCE: u32 = 31 << 16;
    // SAFETY: it is a sample's, so code lies there and before it.
    unsafe { ((address as usize - 4) as *const u32).read() & !SOURCE == TO_STATUS }
}
