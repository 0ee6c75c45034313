//! Everything that has nothing to do with measuring: entry, stack, traps, console, exit.
//!
//! The firmware enters it in supervisor mode at its first address, on one hart, and QEMU zeroes what is not in the image.

use core::arch::{asm, global_asm, naked_asm};
use core::fmt::{self, Write};

use pmu::arch::riscv::access;
use pmu::arch::riscv::hpm::sbi::SbiError;
use pmu::{Interrupted, Mode};

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

// The software event comes here, whatever the hart is doing. It has a stack of its own, whose end is its argument: in a7, or
// under OpenSBI 1.5.1 in a6. The other one of these has the hart's number, which is less. The firmware puts both back.
global_asm!(
    ".section .text",
    ".balign 4",
    "event:",
    "bgeu a7, a6, 1f",
    "mv a7, a6",
    "1: sd sp, -8(a7)",
    "addi sp, a7, -128",
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
    "csrr a0, sepc",
    "call {on_event}",
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
    "ld sp, 120(sp)",
    "li a7, 0x535345",
    "li a6, 6",
    "ecall",
    ".section .bss",
    ".balign 16",
    ".skip 1 << 14",
    "event_stack_end:",
    ".section .text",
    on_event = sym on_event,
);

extern "C" fn on_event(address: usize) {
    crate::on_overflow(Interrupted::new(address as u64, Mode::Kernel));
}

unsafe extern "C" {
    fn event();
    static event_stack_end: u8;
}

/// Registers the handler of the firmware's software event, which comes with interrupts off too.
pub fn register_event() -> Result<(), SbiError> {
    // SAFETY: this is a supervisor under a firmware; the handler has a stack of its own, and keeps the registers.
    unsafe { access::register_event(event as *const () as usize, (&raw const event_stack_end) as usize) }
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

/// The top bit of scause says that the trap is an interrupt.
const INTERRUPT: usize = 1 << (usize::BITS - 1);

extern "C" fn on_trap(cause: usize, address: usize) {
    if cause & INTERRUPT == 0 {
        panic!("unexpected exception {cause} at {address:#x}");
    }
    crate::on_interrupt((cause & !INTERRUPT) as u32, Interrupted::new(address as u64, Mode::Kernel));
}

/// Lets this hart take interrupts from now on (SIE in sstatus).
pub fn unmask_interrupts() {
    // SAFETY: the vector has a handler.
    unsafe { asm!("csrsi sstatus, 2", options(nostack)) };
}

/// The registers that a function preserves, as [`switch_stacks`] keeps them, of a thread that begins with a call of
/// `entry` with `argument`.
pub fn first_frame(entry: usize, argument: usize) -> [usize; 14] {
    let mut frame = [0; 14];
    (frame[0], frame[1], frame[2]) = (begin as *const () as usize, entry, argument);
    frame
}

#[unsafe(naked)]
extern "C" fn begin() {
    naked_asm!("mv a0, s1", "jr s0")
}

/// Saves the stack pointer to `from`, with the registers below it, and goes on where `to` was saved.
///
/// # Safety
/// `to` points to such registers.
#[unsafe(naked)]
pub unsafe extern "C" fn switch_stacks(from: *mut usize, to: usize) {
    naked_asm!(
        "addi sp, sp, -112",
        "sd ra, 0(sp)",
        "sd s0, 8(sp)",
        "sd s1, 16(sp)",
        "sd s2, 24(sp)",
        "sd s3, 32(sp)",
        "sd s4, 40(sp)",
        "sd s5, 48(sp)",
        "sd s6, 56(sp)",
        "sd s7, 64(sp)",
        "sd s8, 72(sp)",
        "sd s9, 80(sp)",
        "sd s10, 88(sp)",
        "sd s11, 96(sp)",
        "sd sp, 0(a0)",
        "mv sp, a1",
        "ld ra, 0(sp)",
        "ld s0, 8(sp)",
        "ld s1, 16(sp)",
        "ld s2, 24(sp)",
        "ld s3, 32(sp)",
        "ld s4, 40(sp)",
        "ld s5, 48(sp)",
        "ld s6, 56(sp)",
        "ld s7, 64(sp)",
        "ld s8, 72(sp)",
        "ld s9, 80(sp)",
        "ld s10, 88(sp)",
        "ld s11, 96(sp)",
        "addi sp, sp, 112",
        "ret",
    )
}

/// The serial port, for `write!`.
pub struct Console;

impl Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // SAFETY: this is the data register of the machine's 16550, and reaches no memory.
        text.bytes().for_each(|byte| unsafe { (0x1000_0000 as *mut u8).write_volatile(byte) });
        Ok(())
    }
}

/// Prints a line to the serial port.
macro_rules! println {
    ($($arguments:tt)*) => {{
        use core::fmt::Write as _;
        let _ = writeln!($crate::boot::Console, $($arguments)*);
    }};
}
pub(crate) use println;

/// Ends QEMU with this status, by its test device.
pub fn exit(status: u32) -> ! {
    // SAFETY: this is the device's register, and reaches no memory.
    unsafe { (0x10_0000 as *mut u32).write_volatile(status << 16 | 0x3333) };
    loop {
        core::hint::spin_loop();
    }
}
