//! The world switch: into the guest, and back at its next trap that is the host's.

use core::arch::naked_asm;
use core::mem::offset_of;

use crate::csr::{get, put};

/// What is on either side of a world switch, beside the guest's registers that the processor has twice.
#[derive(Default)]
#[repr(C)]
pub struct World {
    /// x0, which is always 0, to x31.
    pub registers: [u64; 32],
    /// Where the guest goes on (sepc).
    pub address: u64,
    /// Where the host goes on.
    pub host_stack: u64,
}

/// The mode that was left is the guest's (hstatus\[SPV\]), and its supervisor's (sstatus\[SPP\]).
const OF_GUEST: u64 = 1 << 7;
const SUPERVISOR: u64 = 1 << 8;

impl World {
    /// Runs the guest until it is left. Returns why (scause).
    pub fn enter(&mut self) -> u64 {
        put!("csrs", "hstatus", OF_GUEST);
        put!("csrw", "sepc", self.address);
        put!("csrw", "stvec", (leave as *const () as u64).next_multiple_of(4));
        // SAFETY: the translation keeps the guest out of the host's memory.
        unsafe { switch(self) };
        put!("csrw", "stvec", (fail as *const () as u64).next_multiple_of(4));
        self.address = get!("sepc");
        get!("scause")
    }
}

/// Was the guest left in supervisor mode?
pub fn is_supervisor() -> bool {
    get!("sstatus") & SUPERVISOR != 0
}

/// The guest goes on in supervisor mode.
pub fn go_on_in_supervisor_mode() {
    put!("csrs", "sstatus", SUPERVISOR);
}

/// # Safety
/// sepc, hstatus and the translation describe a guest that may do whatever it does to memory; stvec is [`leave`].
#[unsafe(naked)]
unsafe extern "C" fn switch(world: &mut World) {
    naked_asm!(
        "addi sp, sp, -112",
        "sd ra, 0(sp); sd s0, 8(sp); sd s1, 16(sp); sd s2, 24(sp); sd s3, 32(sp); sd s4, 40(sp); sd s5, 48(sp)",
        "sd s6, 56(sp); sd s7, 64(sp); sd s8, 72(sp); sd s9, 80(sp); sd s10, 88(sp); sd s11, 96(sp)",
        "sd sp, {host_stack}(a0)",
        "mv sp, a0",
        "csrw sscratch, sp",
        "ld x1, 8(sp)",
        ".irp number, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
        "ld x\\number, \\number * 8(sp)",
        ".endr",
        "ld sp, 16(sp)",
        "sret",
        host_stack = const offset_of!(World, host_stack),
    )
}

/// Where the processor goes when it leaves the guest. It begins at a multiple of four, as [`fail`] does.
#[unsafe(naked)]
unsafe extern "C" fn leave() {
    naked_asm!(
        ".balign 4",
        "csrrw sp, sscratch, sp",
        "sd x1, 8(sp)",
        ".irp number, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
        "sd x\\number, \\number * 8(sp)",
        ".endr",
        "csrr t0, sscratch",
        "sd t0, 16(sp)",
        "ld sp, {host_stack}(sp)",
        "ld ra, 0(sp); ld s0, 8(sp); ld s1, 16(sp); ld s2, 24(sp); ld s3, 32(sp); ld s4, 40(sp); ld s5, 48(sp)",
        "ld s6, 56(sp); ld s7, 64(sp); ld s8, 72(sp); ld s9, 80(sp); ld s10, 88(sp); ld s11, 96(sp)",
        "addi sp, sp, 112",
        "ret",
        host_stack = const offset_of!(World, host_stack),
    )
}

/// Where it goes at a trap of the host's own, which is a bug.
#[unsafe(naked)]
unsafe extern "C" fn fail() {
    naked_asm!(".balign 4", "call {report}", report = sym report)
}

extern "C" fn report() -> ! {
    panic!("trap {} ({:#x}) of its own at {:#x}", get!("scause"), get!("stval"), get!("sepc"))
}

const _: () = assert!(offset_of!(World, registers) == 0, "the registers are addressed from the beginning");
