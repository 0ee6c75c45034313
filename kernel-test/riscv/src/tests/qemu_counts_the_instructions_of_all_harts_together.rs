//! QEMU's counters count what all harts retire, together: a hart that waits counts another one's loop.

use core::arch::{asm, global_asm};

use crate::csr::{self, put};
use crate::guest::registers;

const INSTRUCTIONS: u64 = 2;
const LOOP: u64 = 100_000;
/// The software interrupts of the first two harts (msip of the machine's ACLINT), and their bit in mie.
const SOFTWARE: *mut u32 = 0x200_0000 as *mut u32;
const MSIE: usize = 1 << 3;

// The second hart begins here. It waits for its software interrupt, retires the loop, and raises that of the first hart.
global_asm!(
    ".text",
    ".global second_hart",
    "second_hart:",
    "csrwi mie, {MSIE}",
    "li t1, {SOFTWARE}",
    "1:",
    "wfi",
    "lw t0, 4(t1)",
    "beqz t0, 1b",
    "sw zero, 4(t1)",
    "li t0, {LOOP} / 2",
    "2:",
    "addi t0, t0, -1",
    "bnez t0, 2b",
    "li t0, 1",
    "sw t0, 0(t1)",
    "j 1b",
    MSIE = const MSIE,
    SOFTWARE = const 0x200_0000,
    LOOP = const LOOP,
);

pub fn test() {
    csr::keep_out();
    put!("csrs", "mie", MSIE);
    registers::set(4, 0, INSTRUCTIONS);
    registers::run(1 << 4);
    wait_for_second_hart();
    registers::run(0);
    put!("csrc", "mie", MSIE);
    csr::let_in();
    let counted = registers::counted(4);
    assert!((LOOP..LOOP + 100).contains(&counted), "{counted}");
}

/// Waits while the second hart retires its loop.
fn wait_for_second_hart() {
    // SAFETY: the registers are the interrupts', and reach no memory; interrupts are kept out, so that a pending one ends the wait.
    unsafe {
        SOFTWARE.add(1).write_volatile(1);
        while SOFTWARE.read_volatile() == 0 {
            asm!("wfi", options(nostack));
        }
        SOFTWARE.write_volatile(0);
    }
}
