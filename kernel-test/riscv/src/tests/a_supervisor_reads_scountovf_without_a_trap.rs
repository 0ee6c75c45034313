//! A supervisor's read of scountovf never traps: it shows the overflows of the counters in mcounteren, and no others. So machine
//! mode cannot answer it from a device, as it can a counter's, and a guest of the host runs in user mode.

use core::arch::asm;

use pmu::arch::riscv::hpm::Select;

use crate::csr::{self, put};
use crate::guest::registers;

const INSTRUCTIONS: u64 = 2;

pub fn test() {
    registers::set(4, 0, Select::OVERFLOWED.bits() | INSTRUCTIONS);
    assert_eq!(in_supervisor_mode(0), (0, 4));
    assert_eq!(in_supervisor_mode(1 << 4), (1 << 4, 4));
}

/// Reads scountovf and then a counter in supervisor mode, which has these counters. Returns the former, and at which byte of the
/// two instructions a trap came.
fn in_supervisor_mode(readable: usize) -> (usize, usize) {
    let (seen, place): (usize, usize);
    csr::keep_out();
    put!("csrw", "mcounteren", readable);
    // SAFETY: every trap of the visit arrives behind it, in machine mode on this stack.
    unsafe {
        asm!(
            "la {next}, 2f",
            "csrrw {vector}, mtvec, {next}",
            "la {next}, 1f",
            "csrw mepc, {next}",
            "li {mode}, 3 << 11",
            "csrc mstatus, {mode}",
            "li {mode}, 1 << 11",
            "csrs mstatus, {mode}",
            "mret",
            "1:",
            "csrr {seen}, scountovf",
            "csrr zero, hpmcounter5",
            ".balign 4",
            "2:",
            "csrw mtvec, {vector}",
            "csrr {mode}, mepc",
            "sub {mode}, {mode}, {next}",
            next = out(reg) _,
            vector = out(reg) _,
            mode = out(reg) place,
            seen = out(reg) seen,
            options(nostack)
        );
    }
    csr::let_in();
    (seen, place)
}
