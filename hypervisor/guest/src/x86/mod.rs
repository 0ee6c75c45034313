//! What is x86's: the instructions to count, the calls of the hypervisor, and tests of what other processors do not have.

mod branches;
mod cpus;
mod tool;

use std::arch::{asm, naked_asm};
use std::fs;

use crate::perf::{Hardware, Modes};
use crate::{Found, Test, driver, kernel_log, open, schedule, set, summarise, value};

/// The tests of every run.
pub const TESTS: [Test; 3] = [
    ("the_hosts_book_agrees", the_hosts_book_agrees),
    ("branches_are_counted_one_by_one", branches_are_counted_one_by_one),
    ("the_watchdog_of_the_kernel_interrupts", the_watchdog_of_the_kernel_interrupts),
];

const WITH_PERF: [Test; 2] = [
    ("perf_stat_counts_exactly", tool::perf_stat_counts_exactly),
    ("perf_record_samples_exactly", tool::perf_record_samples_exactly),
];

const WITH_TWO_CPUS: [Test; 3] = [
    ("two_cpus_count_exactly_at_once", cpus::two_cpus_count_exactly_at_once),
    ("a_thread_that_moves_counts_the_same", cpus::a_thread_that_moves_counts_the_same),
    ("an_event_of_a_cpu_counts_what_runs_there", cpus::an_event_of_a_cpu_counts_what_runs_there),
];

/// What Linux' line about its driver begins with.
pub const DRIVER: &str = "Performance Events: ";

/// What Linux says of events that are not announced, on each Core 2, on a Zen 4 whose firmware does not control its
/// frequency, and of a second CPU, whose memory types QEMU forgets when it is started.
pub const KNOWN: [&str; 5] = [
    "CPUID marked event: ",
    "PEBS disabled due to CPU errata",
    "amd_pstate: ",
    "Please enable it if your BIOS has the CPPC option.",
    "mtrr: your CPUs had inconsistent ",
];

/// A file that is not open, so that nothing is counted.
const NO_EVENT: i32 = -1;

/// Returns the tests that these words of the command line ask for.
pub fn asked_for(words: &[String]) -> impl Iterator<Item = &'static Test> {
    // Linux passes on what it does not know of its command line.
    let has = |word| words.iter().any(|other| other == word);
    let with_perf: &[Test] = if has("perf") { &WITH_PERF } else { &[] };
    let with_two_cpus: &[Test] = if has("two-cpus") { &WITH_TWO_CPUS } else { &[] };
    with_perf.iter().chain(with_two_cpus).chain(branches::tests())
}

/// Executes the loop alone, so many times, under perf.
pub fn run_as_child(words: &[String]) {
    for turns in words.iter().filter_map(|turns| turns.parse().ok()) {
        println!("the host has seen {} instructions of the loop in user mode", run(NO_EVENT, turns));
    }
}

/// Returns true if the unit says which events it has.
pub fn announces_events() -> bool {
    driver(&kernel_log()).contains("Intel PMU driver")
}

/// The instructions of Linux' driver between one counter of a group and the next, if the unit has no control of all
/// counters: the architectural ones from version 2 on have.
pub fn between_counters() -> u64 {
    if announces_events() { 0 } else { 100 }
}

/// The instructions beside the loop's that [`run`] executes between its two system calls: two of them are the second
/// call's arguments, and one is the call.
pub const BESIDE: u64 = 3;
/// Samples that may be the kernel's: none, because nothing comes before the NMI.
pub const OVERTAKEN: core::ops::RangeInclusive<usize> = 0..=0;
/// The instructions that the host sees, and the event does not: from the first question to the first system call, and from
/// the second one to the second question.
pub const OUTSIDE: u64 = 7 + 2;

/// Enables the event, executes `turns` times two instructions, and disables the event. Returns how many instructions the
/// host has seen in user mode.
///
/// The event counts 2 * `turns` + [`BESIDE`] instructions in user mode, and the host [`OUTSIDE`] more.
pub fn run(event: i32, turns: u64) -> u64 {
    // SAFETY: it follows the calling convention, and the two calls concern the event alone.
    unsafe { measured(event, turns) }
}

/// `vmmcall` asks the host for its book of ring 3. `ioctl` (16) with PERF_EVENT_IOC_ENABLE and with
/// PERF_EVENT_IOC_DISABLE is for the whole group.
#[unsafe(naked)]
pub unsafe extern "C" fn measured(event: i32, turns: u64) -> u64 {
    naked_asm!(
        "mov r8, rsi",
        "mov r10, rdi",
        "mov eax, 1",
        "mov edi, 3",
        "vmmcall",
        "mov r9, rax",
        "mov rdi, r10",
        "mov eax, 16",
        "mov esi, 0x2400",
        "mov edx, 1",
        "syscall",
        "2: dec r8",
        "jnz 2b",
        "mov eax, 16",
        "mov esi, 0x2401",
        "syscall",
        "mov eax, 1",
        "mov edi, 3",
        "vmmcall",
        "sub rax, r9",
        "ret",
    )
}

/// Ends the machine. If the processor records branches and nothing failed, the last test is the host's.
pub fn end(passed: usize, failed: usize) -> ! {
    if failed == 0 && branches::has_recorder() {
        summarise(passed + 1, failed);
        let Err(reason) = branches::shut_down();
        println!("{reason}");
    } else {
        summarise(passed, failed);
    }
    // SAFETY: it does not come back.
    unsafe { asm!("vmmcall", in("rax") 0, in("rdi") u64::from(failed != 0), options(noreturn)) };
}

/// Tells the host that the guest is about to shut down on purpose, in this function.
fn expect_shutdown_in(function: u64) {
    // SAFETY: it only tells.
    unsafe { asm!("vmmcall", in("rax") 2, in("rdi") function, options(nostack)) };
}

fn the_hosts_book_agrees() -> Found {
    run(open(Hardware::Instructions, Modes::User, None)?.descriptor(), 1); // see `rehearse`
    let event = open(Hardware::Instructions, Modes::User, None)?;
    let host = run(event.descriptor(), 2_000_000);
    let guest = value(&event)?;
    let found = format!("instructions:u: the guest has counted {guest}, the host has seen {host}");
    if host == guest + OUTSIDE { Ok(found) } else { Err(found) }
}

/// Each turn of the loop ends with a branch, and the system call is one.
fn branches_are_counted_one_by_one() -> Found {
    const TURNS: u64 = 1000;
    if driver(&kernel_log()).contains("Netburst") {
        return Ok("left out: the device does not count the types of branches that Linux selects".to_owned());
    }
    let event = open(Hardware::Branches, Modes::User, None)?;
    run(event.descriptor(), TURNS);
    let (count, expected) = (value(&event)?, TURNS + 1);
    let found = format!("branches:u: {count} of {expected}");
    if count == expected { Ok(found) } else { Err(found) }
}

/// The watchdog counts the cycles of the longest time that the kernel may be deaf, which is a second here.
fn the_watchdog_of_the_kernel_interrupts() -> Found {
    const TURNS: u64 = 550_000_000; // 1.1 seconds
    schedule(libc::SCHED_OTHER, 0);
    set("watchdog_thresh", "1");
    for is_on in ["1", "0", "1"] {
        set("nmi_watchdog", is_on); // see `rehearse`
    }
    let before = nmis();
    run(NO_EVENT, TURNS);
    let interrupts = nmis() - before;
    set("nmi_watchdog", "0");
    let found = format!("the watchdog has interrupted {interrupts} times in 1.1 seconds");
    if interrupts == 1 { Ok(found) } else { Err(found) }
}

/// How many NMIs the first CPU has taken.
fn nmis() -> u64 {
    let interrupts = fs::read_to_string("/proc/interrupts").unwrap_or_default();
    let line = interrupts.lines().find_map(|line| line.trim().strip_prefix("NMI:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
