//! The way from a trap to Rust and back, in machine mode and in supervisor mode.
//!
//! mscratch, and so sscratch, is 0 while the kernel runs, and the kernel's stack pointer while a user program does. The frame
//! is on the stack of the thread that is interrupted, or on that stack.

use core::arch::asm;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::csr::{self, put};
use crate::width::{WORD, assembly};
use harness::by_width;

/// What a trap interrupted: every general register, as the entry stored them, and where it was.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
pub struct Frame {
    /// x0, which is always 0, to x31.
    pub registers: [usize; 32],
    /// Where to go on (mepc, sepc).
    pub address: usize,
    /// In which mode (mstatus, sstatus).
    pub status: usize,
    /// What it was (mcause, scause).
    pub cause: usize,
}

impl Frame {
    /// Code of the kernel's that is about to begin there, with these in a0, a1 and a2, and interrupts let through. They are not
    /// before: the way out of a trap writes this status first, and an interrupt there would be taken amid it.
    pub fn beginning(entry: usize, arguments: [usize; 3]) -> Self {
        let is_machine = csr::is_machine();
        let status = csr::get!("mstatus" or "sstatus") & !csr::interrupts(is_machine);
        let status = status | csr::previous(is_machine) | csr::lets_in_again(is_machine);
        let mut frame = Self { address: entry, status, ..Self::default() };
        frame.registers[10..13].copy_from_slice(&arguments);
        frame
    }

    /// The stack of who handles the trap, as it was before.
    pub fn stack(&self) -> usize {
        &raw const *self as usize + size_of::<Self>()
    }
}

unsafe extern "C" {
    fn enter_m();
    fn enter_s();
    fn enter_event();
}

/// Lets the traps of machine mode arrive at their entry.
pub fn load_machine() {
    put!("csrw", "mtvec", enter_m as *const () as usize);
}

/// Lets the traps of supervisor mode arrive at theirs.
pub fn load_supervisor() {
    put!("csrw", "stvec", enter_s as *const () as usize);
}

/// In the kernel's mode.
extern "C" fn on_trap(frame: &mut Frame) {
    super::on_trap(frame);
}

/// In machine mode, where the kernel may run in supervisor mode.
extern "C" fn on_machine_trap(frame: &mut Frame) {
    assert!(csr::is_machine(), "trap {:#x} of supervisor mode at {:#x}", frame.cause, frame.address);
    super::on_trap(frame);
}

macro_rules! entry {
    ($level:literal, $on_trap:ident) => {
        assembly!(
            concat!(".section .text.enter_", $level, ", \"ax\""),
            ".balign 4",
            concat!(".global enter_", $level),
            concat!("enter_", $level, ":"),
            concat!("csrrw sp, ", $level, "scratch, sp"),
            "bnez sp, 1f",
            concat!("csrr sp, ", $level, "scratch"),
            "1:",
            "addi sp, sp, -{FRAME}",
            ".irp number, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17",
            "store x\\number, \\number",
            ".endr",
            ".irp number, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
            "store x\\number, \\number",
            ".endr",
            concat!("csrrw t0, ", $level, "scratch, zero"),
            "store t0, 2",
            concat!("csrr t0, ", $level, "epc"),
            "store t0, 32",
            concat!("csrr t0, ", $level, "status"),
            "store t0, 33",
            concat!("csrr t0, ", $level, "cause"),
            "store t0, 34",
            "mv a0, sp",
            "call {on_trap}",
            "load t0, 33",
            concat!("csrw ", $level, "status, t0"),
            "li t1, {PREVIOUS}",
            "and t1, t1, t0",
            "bnez t1, 2f",
            "addi t1, sp, {FRAME}",
            concat!("csrw ", $level, "scratch, t1"),
            "2:",
            "load t0, 32",
            concat!("csrw ", $level, "epc, t0"),
            ".irp number, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17",
            "load x\\number, \\number",
            ".endr",
            ".irp number, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
            "load x\\number, \\number",
            ".endr",
            "load sp, 2",
            concat!($level, "ret"),
            FRAME = const size_of::<Frame>(),
            PREVIOUS = const csr::previous($level.len() == 1 && $level.as_bytes()[0] == b'm'),
            on_trap = sym $on_trap,
        );
    };
}

const _: () = assert!(size_of::<Frame>() >= 35 * WORD);

entry!("m", on_machine_trap);
entry!("s", on_trap);

/// The handler of the firmware's software event.
pub fn event() -> usize {
    enter_event as *const () as usize
}

/// The handler of the software event runs.
static IS_IN_EVENT: AtomicBool = AtomicBool::new(false);

extern "C" fn on_event(frame: &mut Frame) {
    IS_IN_EVENT.store(true, Relaxed);
    super::on_event(frame);
    IS_IN_EVENT.store(false, Relaxed);
}

/// Goes on after this as if the software event had never come, if its handler runs: it is the firmware's until it is completed.
pub fn abandon_event() {
    if !IS_IN_EVENT.swap(false, Relaxed) {
        return;
    }
    // SAFETY: the firmware goes on at the address in sepc, in supervisor mode.
    unsafe {
        asm!("la t0, 1f", "csrw sepc, t0", "li t0, {PREVIOUS}", "csrs sstatus, t0", "ecall", "1:", out("t0") _,
            inout("a0") 0 => _, inout("a1") 0 => _, inout("a6") COMPLETE => _, inout("a7") EVENTS => _,
            PREVIOUS = const csr::previous(false), options(nostack));
    }
}

/// The SBI's extension of software events, and its function at the end of a handler.
const EVENTS: usize = 0x53_5345;
const COMPLETE: usize = 6;

// The end of its stack is the event's argument: in a7, or under OpenSBI 1.5.1 in a6. The other one of these has the
// hart's number, which is less. The firmware keeps both for who was interrupted, and sepc and sstatus.
assembly!(
    ".section .text.enter_event, \"ax\"",
    ".balign 4",
    ".global enter_event",
    "enter_event:",
    "bgeu a7, a6, 1f",
    "mv a7, a6",
    "1:",
    "addi a7, a7, -{FRAME}",
    by_width!("sd sp, 16(a7)", "sw sp, 8(a7)"),
    "mv sp, a7",
    ".irp number, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
    "store x\\number, \\number",
    ".endr",
    "csrr t0, sepc",
    "store t0, 32",
    "csrr t0, sstatus",
    "store t0, 33",
    "mv a0, sp",
    "call {on_event}",
    ".irp number, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
    "load x\\number, \\number",
    ".endr",
    "load sp, 2",
    "li a7, {EVENTS}",
    "li a6, {COMPLETE}",
    "ecall",
    FRAME = const size_of::<Frame>(),
    on_event = sym on_event,
    EVENTS = const EVENTS,
    COMPLETE = const COMPLETE,
);
