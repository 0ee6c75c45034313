//! Loops of a known length, each one block of assembly: the compiler can put nothing in between.

use core::arch::asm;

use crate::width::by_width;

/// The fewest instructions that [`exactly`] can be asked for.
pub const FEWEST: u64 = 4;

/// Retires exactly `count` instructions, at least [`FEWEST`].
#[inline(always)]
pub fn exactly(count: u64) {
    assert!(count >= FEWEST, "a loop of {count} instructions cannot be made");
    // SAFETY: this touches one register and the flags.
    unsafe {
        asm!(
            "shr {rest}",       // two of these instructions are not in the loop:
            "jnc 2f",           // what is left is odd,
            "nop",              // or even
            "2:",
            "dec {rest}",
            "jnz 2b",
            rest = inout(reg) count as usize - 2 => _,
            options(nomem, nostack)
        );
    }
}

/// Retires so many with interrupts off, and turns them on again.
pub fn with_interrupts_masked(count: u64) {
    // SAFETY: this touches one register and the flags, and interrupts are on before and after.
    unsafe {
        asm!(
            "cli",
            "2:",
            "dec {rounds}",
            "jnz 2b",
            "sti", // lets interrupts in behind the next instruction
            "nop",
            rounds = inout(reg) count as usize / 2 => _,
            options(nomem, nostack)
        );
    }
}

/// Is this the instruction before which the first interrupt comes when [`with_interrupts_masked`] turns them on?
pub fn is_where_interrupts_come(address: u64) -> bool {
    const STI_NOP: [u8; 2] = [0xfb, 0x90];
    // SAFETY: it is a sample's, so code lies there and before it.
    unsafe { ((address - 2) as usize as *const [u8; 2]).read() == STI_NOP }
}

/// Calls a piece of code with this in DI. It may change every register but BP and SP.
pub fn call(piece: extern "C" fn(), argument: u64) {
    let word = usize::try_from(argument).expect("it fits into a register");
    // SAFETY: the pieces keep to that, and to memory that is lent to them.
    unsafe {
        asm!(
            by_width!("push rbx", "push ebx; push esi"),
            "call {piece}",
            by_width!("pop rbx", "pop esi; pop ebx"),
            piece = in(reg) piece,
            inout("edi") word => _,
            clobber_abi("C"),
        );
    }
}
