//! A visit to EL0 and back, for counters that tell the modes apart.

use core::arch::{asm, naked_asm};

use pmu::arch::aarch64::Index;
use pmu::arch::aarch64::access::User;

use super::place;
use crate::boot;
use crate::system;
use crate::trap::{self, Frame};

/// Runs `body` at EL0.
///
/// At EL2 as a host the registers of EL1's names are EL2's (DDI 0487, HCR_EL2.E2H).
pub fn run(body: extern "C" fn()) {
    assert!(place::has_programs(), "a kernel at EL2 has user programs with FEAT_VHE alone");
    let stack = boot::stack_of_user(system::cpu());
    // SAFETY: `visit` keeps to the calling convention and to the visitor's own stack.
    unsafe { asm!("bl {visit}", visit = sym visit, in("x0") body, in("x1") stack, clobber_abi("C")) };
}

/// Reads the counter with this number, as a program does.
pub fn read_counter(index: u32) -> u64 {
    // SAFETY: whoever calls this names counters of the unit that are lent, or is the kernel.
    let user = unsafe { User::claim() };
    Index::from_number(index).map_or(u64::MAX, |index| user.read(index))
}

/// Is this the visitor's `svc`? Then it goes home.
pub fn comes_back(frame: &mut Frame, syndrome: u64) -> bool {
    let does = frame.vector == trap::FROM_USER && trap::is_call(syndrome, 0);
    if does {
        frame.address = come_back as *const () as u64;
        frame.state = trap::OWN_STACK | MASKED | system::level() << 2;
    }
    does
}

/// Interrupts are let through, all else is masked (SPSR_EL1, SPSR_EL2).
const MASKED: u64 = 0b1100 << 6;

// EL0 with interrupts let through is 0 in SPSR_EL1. The trap that ends the visit leaves the kernel's stack
// pointer where it was.
#[unsafe(naked)]
extern "C" fn visit() {
    naked_asm!(
        "stp x19, x20, [sp, #-16]!; stp x21, x22, [sp, #-16]!; stp x23, x24, [sp, #-16]!",
        "stp x25, x26, [sp, #-16]!; stp x27, x28, [sp, #-16]!; stp x29, x30, [sp, #-16]!",
        "msr sp_el0, x1",
        "msr spsr_el1, xzr",
        "adr x1, 2f",
        "msr elr_el1, x1",
        "eret",
        "2:",
        "blr x0",
        "svc #0",
    )
}

#[unsafe(naked)]
extern "C" fn come_back() {
    naked_asm!(
        "ldp x29, x30, [sp], #16; ldp x27, x28, [sp], #16; ldp x25, x26, [sp], #16",
        "ldp x23, x24, [sp], #16; ldp x21, x22, [sp], #16; ldp x19, x20, [sp], #16",
        "ret",
    )
}
