//! What is Arm's: the instructions to count, and the ways to end the machine.

use std::arch::{asm, naked_asm};
use std::iter;

pub use crate::board::end;
use crate::{Found, Test, board};

/// The tests of every run.
pub const TESTS: [Test; 2] = [
    ("branches_are_refused_too", board::branches_are_refused_too),
    ("a_program_reads_no_counter_without_leave", a_program_reads_no_counter_without_leave),
];

/// What Linux' line about its driver begins with.
pub const DRIVER: &str = "hw perfevents: ";

/// What Linux says of an interrupt controller without the device that translates interrupts, and of a guest that has no random
/// numbers to choose its addresses by.
pub const KNOWN: [&str; 2] = ["ITS: No ITS available, not enabling LPIs", "KASLR disabled due to lack of seed"];

/// The instructions beside the loop's that [`run`] executes between its two system calls: two of them are the second
/// call's arguments, and one is the call.
pub const BESIDE: u64 = 3;
/// Samples that may be the kernel's: none, because interrupt 23 comes before the tick's, which has a higher number.
pub const OVERTAKEN: core::ops::RangeInclusive<usize> = 0..=0;

/// Returns the tests that words of the command line ask for: none.
pub fn asked_for(_: &[String]) -> impl Iterator<Item = &'static Test> {
    iter::empty()
}

/// Reads the cycle counter.
pub fn run_as_child(_: &[String]) {
    board::end_if_refused();
    // SAFETY: it changes nothing; without leave it ends this process.
    unsafe { asm!("mrs {}, pmccntr_el0", out(reg) _) };
}

/// The unit announces the common events that it has (PMCEID0_EL0).
pub const fn announces_events() -> bool {
    true
}

/// One write starts all counters of a group.
pub const fn between_counters() -> u64 {
    0
}

/// Enables the event, executes `turns` times two instructions, and disables the event.
///
/// The event counts 2 * `turns` + [`BESIDE`] instructions in user mode.
pub fn run(event: i32, turns: u64) {
    // SAFETY: it follows the calling convention, and the two calls concern the event alone.
    unsafe { measured(event, turns) };
}

/// `ioctl` (29) with PERF_EVENT_IOC_ENABLE and with PERF_EVENT_IOC_DISABLE is for the whole group. A system call keeps all
/// registers but X0.
#[unsafe(naked)]
pub unsafe extern "C" fn measured(event: i32, turns: u64) {
    naked_asm!(
        "mov x9, x1",
        "mov x10, x0",
        "mov x11, #0x2401",
        "mov x8, #29",
        "mov x1, #0x2400",
        "mov x2, #1",
        "svc #0",
        "2: subs x9, x9, #1",
        "b.ne 2b",
        "mov x0, x10",
        "mov x1, x11",
        "svc #0",
        "ret",
    )
}

/// PMUSERENR_EL0 is 0, so the guest's kernel finds the access in its syndrome.
fn a_program_reads_no_counter_without_leave() -> Found {
    let status = board::run_child()?;
    let found = format!("a program that reads the cycle counter: {status}");
    if board::was_refused(status) { Ok(found) } else { Err(found) }
}
