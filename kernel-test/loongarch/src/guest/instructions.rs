//! Loops of a known length, each one block of assembly: the compiler can put nothing in between.

use core::arch::asm;

/// The fewest instructions that [`exactly`] can be asked for.
pub const FEWEST: u64 = 3;

/// Retires exactly `count` instructions, at least [`FEWEST`]: a branch that passes over a NOP or not, and rounds of two.
#[inline(always)]
pub fn exactly(count: u64) {
    assert!(count >= FEWEST, "a loop of {count} instructions cannot be made");
    // SAFETY: this touches one register.
    unsafe {
        asm!(
            "beqz {odd}, 2f",
            "nop",
            "2: addi.d {rounds}, {rounds}, -1",
            "bnez {rounds}, 2b",
            odd = in(reg) (count - 1) & 1,
            rounds = inout(reg) (count - 1) / 2 => _,
            options(nomem, nostack)
        );
    }
}

/// Is this the instruction before which the first interrupt comes when they are turned on?
pub fn is_where_interrupts_come(address: u64) -> bool {
    /// CSRWR or CSRXCHG of CRMD, whichever registers they have.
    const TO_CRMD: u32 = 0x0400_0000;
    const REGISTERS: u32 = 0x3ff;
    // SAFETY: it is a sample's, so code lies there and before it.
    let before = unsafe { ((address - 4) as *const u32).read() };
    before & !REGISTERS == TO_CRMD && before >> 5 & 31 != 0
}
