//! The way into user mode, where the guest runs, and out of it: at the next exception, or when the clock has run out.
//!
//! The clock is a counter of QEMU's unit that counts the instructions of user mode alone, and interrupts machine mode.

use harness::world::as_guest;
use pmu::arch::riscv::hpm::Capabilities;

use crate::csr::{get, put};
use crate::preserved::preserved;
use crate::width::{WORD, assembly};

/// The guest's registers while the host runs, and the host's stack while the guest does.
#[derive(Default)]
#[repr(C)]
pub struct World {
    /// x0, which is always 0, to x31.
    pub registers: [usize; 32],
    /// Where it goes on (mepc).
    pub address: usize,
    /// Why it was left (mcause).
    pub cause: usize,
    stack: usize,
}

unsafe extern "C" {
    fn enter_guest(world: *mut World);
    fn leave_guest();
}

/// The clock counts instructions, neither in machine mode nor in supervisor mode (MINH, SINH). With registers of 32 bits QEMU
/// does not tell them apart, so that no processor there has a host.
const SELECT: usize = (1_u64 << 62 | 1 << 61 | 2) as usize;

/// Makes what user mode cannot do the host's, and the clock run.
pub fn open() {
    put!("csrw", "mtvec", leave_guest as *const () as usize);
    put!("csrw", "medeleg", 0);
    put!("csrw", "mideleg", 0);
    put!("csrw", "mcounteren", 0);
    put!("csrw", "mhpmevent3", 0);
    put!("csrw", "mhpmevent3", SELECT);
    put!("csrw", "mcountinhibit", 0);
    put!("csrw", "mie", 1 << Capabilities::INTERRUPT);
}

/// Lets this guest retire so many instructions at the most. Returns how many it did by the clock.
pub fn enter(world: &mut World, instructions: u64) -> u64 {
    // In QEMU each write of the counter or of its selection orders a timer anew, which takes long.
    let has_overflowed = get!("mip") >> Capabilities::INTERRUPT & 1 == 1;
    if has_overflowed {
        put!("csrw", "mhpmevent3", SELECT); // without OF
    }
    put!("csrw", "mhpmcounter3", instructions.wrapping_neg() as usize);
    if has_overflowed {
        put!("csrc", "mip", 1 << Capabilities::INTERRUPT);
    }
    // SAFETY: the guest is this kernel's own code, in the state that the host has made.
    as_guest(|| unsafe { enter_guest(world) });
    instructions.wrapping_add(get!("mhpmcounter3") as u64)
}

assembly!(
    ".text",
    ".balign 4",
    ".global enter_guest",
    "enter_guest:",
    preserved!(store),
    "mv t0, sp",
    "mv sp, a0",
    "csrw mscratch, sp",
    "store t0, 34",
    "load t0, 32",
    "csrw mepc, t0",
    "li t0, 3 << 11",
    "csrc mstatus, t0",
    "load x1, 1",
    ".irp number, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
    "load x\\number, \\number",
    ".endr",
    "load sp, 2",
    "mret",
    ".balign 4",
    ".global leave_guest",
    "leave_guest:",
    "csrrw sp, mscratch, sp",
    "store x1, 1",
    ".irp number, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
    "store x\\number, \\number",
    ".endr",
    "csrr t0, mscratch",
    "store t0, 2",
    "csrr t0, mepc",
    "store t0, 32",
    "csrr t0, mcause",
    "store t0, 33",
    "load sp, 34",
    preserved!(load),
    "ret",
);

const _: () = assert!(size_of::<World>() == 35 * WORD);
