//! A visit to user mode and back, for counters that tell the modes apart.

use core::arch::{asm, naked_asm};

use harness::Call;

use super::entry::Frame;
use crate::boot;
use crate::csr::{self, is_machine, put};
use crate::preserved::preserved;

/// Reads a counter as a user program does, where one instruction does.
#[cfg(target_pointer_width = "64")]
#[inline(always)]
pub fn read(index: u32) -> u64 {
    // SAFETY: this is the kernel, and the counters are its unit's.
    unsafe { pmu::arch::riscv::access::User::claim() }.read(index)
}

/// Runs `body` in user mode.
pub fn run(body: extern "C" fn()) {
    // What the return to user mode takes: that mode, and interrupts let through. Nothing else returns until then.
    csr::keep_out();
    put!("csrc", "mstatus" or "sstatus", csr::previous(is_machine()));
    put!("csrs", "mstatus" or "sstatus", csr::lets_in_again(is_machine()));
    // SAFETY: `visit` keeps to the calling convention and to the visitor's own stack.
    unsafe {
        asm!(
            "call {visit}",
            visit = sym visit,
            in("a0") body as usize, in("a1") boot::stack_of_user(), in("a2") usize::from(is_machine()),
            clobber_abi("C")
        );
    }
    csr::let_in();
}

/// The visitor's `ecall`: it goes home, with interrupts kept out.
pub fn come_home(frame: &mut Frame) {
    frame.address = come_back as *const () as usize;
    frame.registers[2] = frame.stack();
    frame.status |= csr::previous(is_machine());
    frame.status &= !csr::lets_in_again(is_machine());
}

/// Is this an address of the code around a program?
pub fn is_in_stub(address: u64) -> bool {
    let stub = visit as *const () as usize..come_back as *const () as usize;
    stub.contains(&(address as usize))
}

/// The trap that ends the visit finds the kernel's stack in mscratch or sscratch.
#[unsafe(naked)]
extern "C" fn visit() {
    naked_asm!(
        preserved!(store),
        "la t0, 3f",
        "beqz a2, 2f",
        "csrw mscratch, sp",
        "csrw mepc, t0",
        "mv sp, a1",
        "mret",
        "2:",
        "csrw sscratch, sp",
        "csrw sepc, t0",
        "mv sp, a1",
        "sret",
        "3:",
        "jalr a0",
        "li a7, {LEAVE}",
        "ecall",
        LEAVE = const Call::LeaveUser as usize,
    )
}

#[unsafe(naked)]
extern "C" fn come_back() {
    naked_asm!(preserved!(load), "ret")
}
