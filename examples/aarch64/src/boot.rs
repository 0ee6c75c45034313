//! Everything that has nothing to do with measuring: entry, stacks, vectors, console, exit.
//!
//! QEMU's machine "virt" starts the first CPU at EL1, with the memory management unit off, and zeroes what is not in
//! the image. The second one sleeps until [`wake`] (PSCI, DEN 0022).

use core::arch::{asm, global_asm, naked_asm};
use core::fmt::{self, Write};

use pmu::arch::aarch64::entry::Handler as _;
use qemu_exit::QEMUExit;

global_asm!(
    ".section .text.boot, \"ax\"",
    ".global start",
    "start:",
    "mov x0, #0",
    ".global start_with_number",
    "start_with_number:", // X0: the CPU's number
    "adrp x1, stacks",
    "add x1, x1, :lo12:stacks",
    "add x2, x0, #1",
    "add x1, x1, x2, lsl #16",
    "mov sp, x1",
    "adrp x1, vectors",
    "add x1, x1, :lo12:vectors",
    "msr vbar_el1, x1",
    "isb",
    "bl {main}",
    // Sixteen vectors of 128 bytes; number 5 is an interrupt to the level that is interrupted (DDI 0487, "VBAR_EL1").
    ".balign 2048",
    "vectors:",
    ".irp number, 0, 1, 2, 3, 4",
    ".balign 128",
    "mov x0, #\\number",
    "b {unexpected}",
    ".endr",
    ".balign 128",
    "b {interrupt}",
    ".irp number, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    ".balign 128",
    "mov x0, #\\number",
    "b {unexpected}",
    ".endr",
    ".section .bss",
    ".balign 4096",
    "stacks:",
    ".skip 2 << 16",
    main = sym crate::main,
    interrupt = sym crate::Irq::stub,
    unexpected = sym unexpected,
);

extern "C" fn unexpected(vector: u64) -> ! {
    panic!("unexpected exception to vector {vector}");
}

/// The CPU that runs this, as "virt" numbers them.
#[inline(always)]
pub fn cpu() -> u32 {
    let number: u64;
    // SAFETY: reading this register has no effect.
    unsafe { asm!("mrs {}, mpidr_el1", out(reg) number, options(nomem, nostack, preserves_flags)) };
    number as u32 & 0xff
}

/// Lets this CPU take interrupts from now on.
pub fn unmask_interrupts() {
    // SAFETY: the vector has a handler.
    unsafe { asm!("msr daifclr, #2", options(nostack)) };
}

/// Starts the second CPU, which begins in [`crate::main`]. Returns false if it is not off yet.
pub fn wake() -> bool {
    unsafe extern "C" {
        fn start_with_number();
    }
    call_firmware(0xc400_0003, [1, start_with_number as *const () as u64, 1]) == 0 // CPU_ON
}

/// Turns this CPU off.
pub fn sleep() -> ! {
    call_firmware(0x8400_0002, [0; 3]); // CPU_OFF
    unreachable!("a CPU that is off runs nothing")
}

fn call_firmware(function: u64, [a, b, c]: [u64; 3]) -> i64 {
    let result;
    // SAFETY: QEMU answers these calls itself, and keeps every other register (DEN 0028).
    unsafe { asm!("hvc #0", inout("x0") function => result, in("x1") a, in("x2") b, in("x3") c, options(nostack)) };
    result
}

/// The registers that a function preserves, as [`switch_stacks`] keeps them, of a thread that begins with a call of
/// `entry` with `argument`.
pub fn first_frame(entry: usize, argument: usize) -> [usize; 12] {
    let mut frame = [0; 12];
    (frame[0], frame[1], frame[11]) = (entry, argument, begin as *const () as usize);
    frame
}

#[unsafe(naked)]
extern "C" fn begin() {
    naked_asm!("mov x0, x20", "br x19")
}

/// Saves the stack pointer to `from`, with the registers below it, and goes on where `to` was saved.
///
/// # Safety
/// `to` points to such registers.
#[unsafe(naked)]
pub unsafe extern "C" fn switch_stacks(from: *mut usize, to: usize) {
    naked_asm!(
        "stp x19, x20, [sp, #-96]!",
        "stp x21, x22, [sp, #16]",
        "stp x23, x24, [sp, #32]",
        "stp x25, x26, [sp, #48]",
        "stp x27, x28, [sp, #64]",
        "stp x29, x30, [sp, #80]",
        "mov x9, sp",
        "str x9, [x0]",
        "mov sp, x1",
        "ldp x29, x30, [sp, #80]",
        "ldp x27, x28, [sp, #64]",
        "ldp x25, x26, [sp, #48]",
        "ldp x23, x24, [sp, #32]",
        "ldp x21, x22, [sp, #16]",
        "ldp x19, x20, [sp], #96",
        "ret",
    )
}

/// The serial port, for `write!`.
pub struct Console;

impl Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // SAFETY: this is the data register of the machine's PL011, and reaches no memory.
        text.bytes().for_each(|byte| unsafe { (0x0900_0000 as *mut u32).write_volatile(byte.into()) });
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

/// Ends QEMU with this status.
pub fn exit(status: u32) -> ! {
    qemu_exit::AArch64::new().exit(status)
}
