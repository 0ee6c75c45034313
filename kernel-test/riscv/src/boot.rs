//! From QEMU's entry to Rust: a stack, and the mode that the kernel runs in.
//!
//! QEMU loads the image and zeroes what is not in it. OpenSBI starts it at its first instruction, in supervisor mode; without
//! firmware the harts start at the next one, in machine mode: the first one goes on, and a second one waits for what a test asks
//! of it. Where the kernel is to run in supervisor mode, a stub gives it all that machine mode can delegate.

use core::arch::{asm, global_asm};

use pmu::arch::riscv::hpm::Privilege;

use crate::csr::put;
use crate::guest::{calls, entry};
use crate::{board, csr, identity};

/// The bytes of a stack.
const SIZE: usize = 512 * 1024;

// What firmware passes on is not used.
global_asm!(
    r#"
    .section .text.boot, "ax"
    .option push
    .option norvc
    .global start
start:
    j 1f
    csrr a0, mhartid
    beqz a0, 3f
    tail second_hart
3:  li a0, 1
    j 2f
1:  li a0, 0
2:  la sp, stack_of_kernel_end
    call {begin}
    .option pop

    .section .stacks, "aw", @nobits
    .balign 16
    .skip {SIZE}
    .global stack_of_kernel_end
stack_of_kernel_end:
    .skip {SIZE}
    .global stack_of_user_end
stack_of_user_end:
    .skip {SIZE}
    .global stack_of_machine_end
stack_of_machine_end:
    "#,
    begin = sym begin,
    SIZE = const SIZE,
);

unsafe extern "C" {
    static stack_of_user_end: u8;
    static stack_of_machine_end: u8;
}

/// The harts of a guest, which share its stack's memory.
pub const HARTS: usize = 4;

/// The stack of a guest's hart, above which machine mode keeps the kernel's for itself.
pub fn stack_of_guest(hart: usize) -> usize {
    &raw const stack_of_machine_end as usize - hart * (SIZE / HARTS)
}

/// The stack of what comes whatever the kernel does: traps that are not delegated, and the firmware's software event.
fn stack_of_machine() -> usize {
    stack_of_guest(0)
}

/// The stack of user programs.
pub fn stack_of_user() -> usize {
    &raw const stack_of_user_end as usize
}

extern "C" fn begin(is_machine: bool) -> ! {
    if is_machine {
        open_memory();
        entry::load_machine();
    }
    let found = identity::find();
    let privilege = found.map_or(Privilege::Machine, |identity| identity.privilege);
    let has_host = found.is_some_and(|identity| identity.unit().is_some());
    csr::run_in(if is_machine { privilege } else { Privilege::Supervisor });
    if is_machine && privilege == Privilege::Supervisor && !has_host {
        delegate();
        leave_machine_mode();
    }
    if !is_machine {
        entry::load_supervisor();
        calls::open(found.and_then(|identity| identity.firmware), stack_of_machine());
    }
    board::exit(crate::main())
}

extern "C" fn go_on() -> ! {
    entry::load_supervisor();
    board::exit(crate::main())
}

/// Lets the modes below use all of memory: one region of everything (pmpcfg0: NAPOT, XWR).
fn open_memory() {
    put!("csrw", "pmpaddr0", usize::MAX);
    put!("csrw", "pmpcfg0", 0x1f);
}

/// Delegates exceptions, interrupts and counters to supervisor mode, with its own timer (menvcfg\[STCE\]) and the registers
/// of counters (menvcfg\[CDE\]).
fn delegate() {
    const STCE: u64 = 1 << 63;
    const CDE: u64 = 1 << 60;
    put!("csrw", "medeleg", usize::MAX);
    put!("csrw", "mideleg", usize::MAX);
    put!("csrw", "mcounteren", usize::MAX);
    put!("csrw", "mcountinhibit", 0);
    let environment = STCE | CDE;
    #[cfg(target_pointer_width = "32")]
    put!("csrw", "menvcfgh", (environment >> 32) as usize);
    #[cfg(target_pointer_width = "64")]
    put!("csrw", "menvcfg", environment as usize);
}

/// Goes on in supervisor mode on the same stack; machine mode has its own for what is not delegated.
fn leave_machine_mode() -> ! {
    put!("csrw", "mscratch", &raw const stack_of_machine_end as usize);
    put!("csrc", "mstatus", csr::previous(true));
    put!("csrs", "mstatus", 1 << 11);
    put!("csrw", "mepc", go_on as *const () as usize);
    // SAFETY: it goes on there, in the mode that was chosen, and the stack is below.
    unsafe { asm!("mret", options(noreturn)) }
}
