//! Branch stacks: the branches that Linux finds in the recorder of the processor that it sees.
//!
//! The command line says how many that recorder has: `branches=32`. If it does not, there is none.

use std::arch::naked_asm;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::{env, fs, hint, thread};

use super::expect_shutdown_in;
use crate::perf::branches::Stack;
use crate::perf::{Event, Modes, Ring};
use crate::{Found, Test, driver, kernel_log};

/// What Linux calls last, as it stands behind the address in `/proc/kallsyms`.
const LAST_FUNCTION: &str = " T idt_invalidate";

const WITH_RECORDER: [Test; 4] = [
    ("linux_finds_the_recorder", linux_finds_the_recorder),
    ("a_sample_has_the_branches_that_led_to_it", a_sample_has_the_branches_that_led_to_it),
    (
        "a_branch_stack_has_the_kernels_branches_if_it_is_asked_to",
        a_branch_stack_has_the_kernels_branches_if_it_is_asked_to,
    ),
    ("a_branch_stack_begins_where_the_thread_was_switched_in", a_branch_stack_begins_where_the_thread_was_switched_in),
];

const WITHOUT_RECORDER: [Test; 1] =
    [("without_a_recorder_no_sample_has_branches", without_a_recorder_no_sample_has_branches)];

/// Returns the tests of this processor.
pub fn tests() -> &'static [Test] {
    if has_recorder() { &WITH_RECORDER } else { &WITHOUT_RECORDER }
}

pub fn has_recorder() -> bool {
    depth() != 0
}

/// How many branches the recorder has. Linux passes on what it does not know of its command line.
fn depth() -> usize {
    env::var("branches").ok().and_then(|depth| depth.parse().ok()).unwrap_or(0)
}

unsafe extern "C" {
    /// The branches of each turn of [`winding`], their sources and targets, in the order in which they are taken.
    static WINDING: [[u64; 2]; 6];
    /// Those of [`yielding`].
    static YIELDING: [[u64; 2]; 2];
}

/// Enables the event, takes so many times a way with six branches of six kinds, and disables the event.
#[unsafe(naked)]
unsafe extern "C" fn winding(event: i32, turns: u64) {
    naked_asm!(
        "mov r8, rsi",
        "mov eax, 16",
        "mov esi, 0x2400",
        "mov edx, 1",
        "syscall",
        "20: call 22f",
        "21: jmp 23f",
        "22: ret",
        "23: lea r9, [rip + 25f]",
        "24: jmp r9",
        "ud2",
        "25: cmp r8, r8",
        "jne 20b", // never
        "26: je 27f",
        "ud2",
        "27: dec r8",
        "test r8, r8",
        "28: jnz 20b",
        "mov eax, 16",
        "mov esi, 0x2401",
        "syscall",
        "ret",
        ".pushsection .data.rel.ro.WINDING, \"aw\"",
        ".globl WINDING",
        ".balign 8",
        "WINDING: .quad 20b, 22b, 22b, 21b, 21b, 23b, 24b, 25b, 26b, 27b, 28b, 20b",
        ".popsection",
    )
}

/// Enables the event, yields the processor (system call 24) so many times, and executes 37 instructions after each, the last
/// a branch. Disables the event. Linux' driver of Nehalem lets none that is switched in interrupt before its 32nd instruction.
#[unsafe(naked)]
unsafe extern "C" fn yielding(event: i32, turns: u64) {
    naked_asm!(
        "mov r8, rsi",
        "mov r10, rdi",
        "mov eax, 16",
        "mov esi, 0x2400",
        "mov edx, 1",
        "syscall",
        "20: jmp 21f",
        "ud2",
        "21: mov eax, 24",
        "syscall",
        ".fill 35, 1, 0x90", // nop
        "dec r8",
        "22: jnz 20b",
        "mov rdi, r10",
        "mov eax, 16",
        "mov esi, 0x2401",
        "mov edx, 1",
        "syscall",
        "ret",
        ".pushsection .data.rel.ro.YIELDING, \"aw\"",
        ".globl YIELDING",
        ".balign 8",
        "YIELDING: .quad 20b, 21b, 22b, 20b",
        ".popsection",
    )
}

fn linux_finds_the_recorder() -> Found {
    let log = kernel_log();
    let (line, expected) = (driver(&log), format!("{}-deep LBR", depth()));
    if line.contains(&expected) { Ok(expected) } else { Err(line.to_owned()) }
}

/// All that the recorder has room for.
fn a_sample_has_the_branches_that_led_to_it() -> Found {
    const PERIOD: u64 = 1801;
    const TURNS: u64 = 500; // of 11 instructions
    let stacks = sample(Modes::User, PERIOD, winding, TURNS)?;
    // SAFETY: nobody writes to it.
    let way = unsafe { &WINDING };
    let found = format!("{} samples, the last with {}", stacks.len(), show(stacks.last()));
    let is_right = |stack: &Stack| stack.branches.len() == depth() && is_on(way, stack);
    if stacks.len() == 3 && stacks.iter().all(is_right) { Ok(found) } else { Err(found) }
}

fn a_branch_stack_has_the_kernels_branches_if_it_is_asked_to() -> Found {
    let [user, both] = [sample(Modes::User, 400, yielding, 15)?, sample(Modes::Both, 400, yielding, 15)?];
    let found = format!("user mode's {}; both modes' {}", show(user.first()), show(both.first()));
    // SAFETY: nobody writes to it.
    let way = unsafe { &YIELDING };
    let is_users = |stack: &Stack| stack.branches.iter().all(|[_, to]| to >> 63 == 0) && is_on(way, &between(stack));
    let is_right = user.len() == 1
        && both.len() == 1
        && is_users(&user[0])
        && both[0].branches.iter().any(|[_, to]| to >> 63 != 0);
    if is_right { Ok(found) } else { Err(found) }
}

/// Two threads with such events give way to each other. The period is a multiple of the turn's instructions, so that
/// each sample comes behind the first branch since.
fn a_branch_stack_begins_where_the_thread_was_switched_in() -> Found {
    let is_over = AtomicBool::new(false);
    let stacks = thread::scope(|scope| {
        let other = scope.spawn(|| {
            let event = open(Modes::User, 1 << 30)?;
            event.enable();
            while !is_over.load(Relaxed) {
                (0..50).for_each(|number| _ = hint::black_box(number));
                thread::yield_now();
            }
            Ok::<_, String>(())
        });
        thread::yield_now();
        let stacks = sample(Modes::User, 400, yielding, 35);
        is_over.store(true, Relaxed);
        other.join().expect("it does not panic").and(stacks)
    })?;
    // SAFETY: nobody writes to it.
    let newest = unsafe { YIELDING[1] };
    let found = format!("{} samples, the last with {}", stacks.len(), show(stacks.last()));
    let is_right = |stack: &Stack| between(stack).branches == [newest] && stack.address == newest[1];
    if stacks.len() == 3 && stacks.iter().all(is_right) { Ok(found) } else { Err(found) }
}

/// Most of Linux' drivers refuse the event. Those of the P6 family and of the Pentium 4 do not look.
fn without_a_recorder_no_sample_has_branches() -> Found {
    const PERIOD: u64 = 1801;
    if let Err(error) = Event::sample_branches(Modes::User, PERIOD) {
        return Ok(format!("a branch stack: {error}"));
    }
    sample(Modes::User, PERIOD, winding, 500)?; // see `rehearse`
    let stacks = sample(Modes::User, PERIOD, winding, 500)?;
    let found = format!("{} samples, the last with {}", stacks.len(), show(stacks.last()));
    let is_empty = |stack: &Stack| stack.branches.is_empty();
    if !stacks.is_empty() && stacks.iter().all(is_empty) { Ok(found) } else { Err(found) }
}

/// Has the branches of both modes recorded from now on, and Linux start the machine again by a triple fault (`reboot=t`): the
/// host prints them, and whether the last are those that led to it. Does not return if all goes well.
pub fn shut_down() -> Result<Infallible, String> {
    let symbols = fs::read_to_string("/proc/kallsyms").map_err(|error| error.to_string())?;
    let address = symbols.lines().find_map(|line| line.strip_suffix(LAST_FUNCTION));
    let address = address.and_then(|digits| u64::from_str_radix(digits, 16).ok());
    let event = open(Modes::Both, 1 << 30)?;
    event.enable();
    expect_shutdown_in(address.ok_or("the kernel does not have its last function")?);
    fs::write("/proc/sysrq-trigger", "b").map_err(|error| error.to_string())?;
    Err("the machine has not been started again".to_owned())
}

fn open(to: Modes, period: u64) -> Result<Event, String> {
    Event::sample_branches(to, period).map_err(|error| format!("perf_event_open: {error}"))
}

fn sample(to: Modes, period: u64, code: unsafe extern "C" fn(i32, u64), turns: u64) -> Result<Vec<Stack>, String> {
    let event = open(to, period)?;
    let ring = Ring::map(&event).map_err(|error| error.to_string())?;
    // SAFETY: they follow the calling convention, and their system calls concern the event and this thread alone.
    unsafe { code(event.descriptor(), turns) };
    ring.stacks().ok_or_else(|| "the ring has other records than samples".to_owned())
}

/// Leaves out the kernel's returns, which lead to user mode: Linux 6.12 shows them on AMD's processors.
fn between(stack: &Stack) -> Stack {
    let branches = stack.branches.iter().copied().filter(|[from, _]| from >> 63 == 0).collect();
    Stack { address: stack.address, branches }
}

/// Do the branches follow each other as on this way, on which code goes round, and is the sample behind the newest and not
/// behind the next?
fn is_on(way: &[[u64; 2]], stack: &Stack) -> bool {
    let Some(newest) = way.iter().position(|branch| Some(branch) == stack.branches.first()) else { return false };
    let expected = way.iter().rev().cycle().skip(way.len() - 1 - newest);
    let until = way[(newest + 1) % way.len()][0];
    stack.branches.iter().zip(expected).all(|(found, expected)| found == expected)
        && (way[newest][1]..=until).contains(&stack.address)
}

fn show(stack: Option<&Stack>) -> String {
    let Some(Stack { address, branches }) = stack else { return "nothing".to_owned() };
    let first: Vec<_> = branches.iter().take(3).map(|[from, to]| format!("{from:#x} -> {to:#x}")).collect();
    format!("{} branches before {address:#x}: {} ...", branches.len(), first.join(", "))
}
