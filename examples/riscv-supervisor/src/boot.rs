//! Everything that has nothing to do with measuring: entry, stack, traps; console and exit are the machine's.
//!
//! The firmware enters it in supervisor mode at its first address, on one hart, and QEMU zeroes what is not in the image.

#[path = "../../common/virt.rs"]
mod virt;

use core::arch::{asm, global_asm};
use core::cell::UnsafeCell;

use pmu::arch::riscv::access::Firmware;
use pmu::arch::riscv::hpm::sbi::SbiError;
use virt::on_trap;
pub(crate) use virt::println;
pub use virt::{Console, exit, first_frame, switch_stacks};

global_asm!(
    ".section .text.boot, \"ax\"",
    ".global start",
    "start:",
    "la sp, stack_end",
    "la t0, trap",
    "csrw stvec, t0",
    "call {main}",
    "1: wfi",
    "j 1b",
    // Every trap comes here (stvec in direct mode). A function saves the other registers if it uses them.
    ".balign 4",
    "trap:",
    "addi sp, sp, -128",
    "sd ra, 0(sp)",
    "sd t0, 8(sp)",
    "sd t1, 16(sp)",
    "sd t2, 24(sp)",
    "sd t3, 32(sp)",
    "sd t4, 40(sp)",
    "sd t5, 48(sp)",
    "sd t6, 56(sp)",
    "sd a0, 64(sp)",
    "sd a1, 72(sp)",
    "sd a2, 80(sp)",
    "sd a3, 88(sp)",
    "sd a4, 96(sp)",
    "sd a5, 104(sp)",
    "sd a6, 112(sp)",
    "sd a7, 120(sp)",
    "csrr a0, scause",
    "csrr a1, sepc",
    "call {on_trap}",
    "ld ra, 0(sp)",
    "ld t0, 8(sp)",
    "ld t1, 16(sp)",
    "ld t2, 24(sp)",
    "ld t3, 32(sp)",
    "ld t4, 40(sp)",
    "ld t5, 48(sp)",
    "ld t6, 56(sp)",
    "ld a0, 64(sp)",
    "ld a1, 72(sp)",
    "ld a2, 80(sp)",
    "ld a3, 88(sp)",
    "ld a4, 96(sp)",
    "ld a5, 104(sp)",
    "ld a6, 112(sp)",
    "ld a7, 120(sp)",
    "addi sp, sp, 128",
    "sret",
    ".section .bss",
    ".balign 16",
    ".skip 1 << 16",
    "stack_end:",
    main = sym crate::main,
    on_trap = sym on_trap,
);

/// The stack of the software event.
#[repr(align(16))]
struct Stack(UnsafeCell<[u8; 1 << 14]>);

// SAFETY: only the event's entry uses it.
unsafe impl Sync for Stack {}

static EVENT_STACK: Stack = Stack(UnsafeCell::new([0; 1 << 14]));

/// Registers the handler of the firmware's software event, which comes with interrupts off too.
pub fn register_event() -> Result<(), SbiError> {
    // SAFETY: this is a supervisor under a firmware; the entry has a stack of its own, and keeps the registers.
    unsafe {
        Firmware::register_event(crate::OverflowEvent::address(), EVENT_STACK.0.get().addr() + size_of::<Stack>())
    }
}

/// Sets the timer far in the future: a call that the firmware counts.
pub fn set_timer() {
    // SAFETY: it is the call set_timer (extension 0x54494D45, function 0), and changes A0 and A1.
    unsafe {
        asm!("ecall", inlateout("a0") u64::MAX => _, out("a1") _, in("a6") 0, in("a7") 0x5449_4D45, options(nostack));
    }
}

/// Runs `section` with interrupts off.
pub fn with_interrupts_off(section: impl FnOnce()) {
    // SAFETY: it changes when interrupts come, and no memory.
    unsafe { asm!("csrci sstatus, 2", options(nostack)) };
    section();
    unmask_interrupts();
}

/// Lets this hart take interrupts from now on (SIE in sstatus).
pub fn unmask_interrupts() {
    // SAFETY: the vector has a handler.
    unsafe { asm!("csrsi sstatus, 2", options(nostack)) };
}
