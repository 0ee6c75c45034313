//! What is RISC-V's: the instructions to count, and the ways to end the machine.

use std::arch::{asm, naked_asm};
use std::iter;

pub use crate::board::end;
use crate::{Found, Test, board, set};

/// The tests of every run.
pub const TESTS: [Test; 2] = [
    ("branches_are_refused_too", board::branches_are_refused_too),
    ("a_program_reads_the_counters_that_it_is_lent", a_program_reads_the_counters_that_it_is_lent),
];

/// What Linux' line about its driver begins with.
pub const DRIVER: &str = "riscv-pmu-sbi: ";

/// What Linux says of a serial port without an interrupt, which the guest has.
pub const KNOWN: [&str; 1] = ["10000000.serial: error -ENXIO: IRQ index 0 not found"];

/// The instructions beside the loop's that [`run`] executes between its two system calls: two of them are the second
/// call's arguments, and one is the call, which QEMU counts.
pub const BESIDE: u64 = 3;
/// Samples that may be the kernel's: a tick that is due amid the exit of an overflow comes first (interrupt 5 before 13), and
/// the overflow's interrupt within its handler.
pub const OVERTAKEN: core::ops::RangeInclusive<usize> = 0..=2;

/// Returns the tests that words of the command line ask for: none.
pub fn asked_for(_: &[String]) -> impl Iterator<Item = &'static Test> {
    iter::empty()
}

/// Reads a counter.
pub fn run_as_child(_: &[String]) {
    board::end_if_refused();
    // SAFETY: it changes nothing; without leave it ends this process.
    unsafe { asm!("csrr {}, instret", out(reg) _) };
}

/// The firmware refuses an event that it does not have.
pub const fn announces_events() -> bool {
    true
}

/// The instructions of Linux' driver between one counter of a group and the next, which it starts by a call each.
pub const fn between_counters() -> u64 {
    200
}

/// Enables the event, executes `turns` times two instructions, and disables the event.
///
/// The event counts 2 * `turns` + [`BESIDE`] instructions in user mode.
pub fn run(event: i32, turns: u64) {
    // SAFETY: it follows the calling convention, and the two calls concern the event alone.
    unsafe { measured(event, turns) };
}

/// `ioctl` (29) with PERF_EVENT_IOC_ENABLE and with PERF_EVENT_IOC_DISABLE is for the whole group. A system call keeps all
/// registers but a0.
#[unsafe(naked)]
pub unsafe extern "C" fn measured(event: i32, turns: u64) {
    naked_asm!(
        "mv t0, a1",
        "mv t1, a0",
        "li t2, 0x2401",
        "li a7, 29",
        "li a1, 0x2400",
        "li a2, 1",
        "ecall",
        "2: addi t0, t0, -1",
        "bnez t0, 2b",
        "mv a0, t1",
        "mv a1, t2",
        "ecall",
        "ret",
    )
}

/// Without leave the instruction is illegal. `perf_user_access` is 2 where Linux lends cycle and instret to every program.
fn a_program_reads_the_counters_that_it_is_lent() -> Found {
    let without_leave = board::run_child()?;
    set("perf_user_access", "2");
    let with_leave = board::run_child()?;
    set("perf_user_access", "1");
    let found = format!("a program that reads instret, without leave: {without_leave}, with it: {with_leave}");
    if board::was_refused(without_leave) && with_leave.success() { Ok(found) } else { Err(found) }
}
