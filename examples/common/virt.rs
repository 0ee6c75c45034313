//! What RISC-V's examples have in common on QEMU's machine "virt": a trap's way to the kernel, the switch of stacks, the
//! console, the end.

use core::arch::naked_asm;
use core::fmt::{self, Write};

use pmu::{Interrupted, Mode};

/// The top bit of the cause says that the trap is an interrupt.
const INTERRUPT: usize = 1 << (usize::BITS - 1);

/// Where the entry of traps leads.
pub extern "C" fn on_trap(cause: usize, address: usize) {
    if cause & INTERRUPT == 0 {
        panic!("unexpected exception {cause} at {address:#x}");
    }
    crate::on_interrupt((cause & !INTERRUPT) as u32, Interrupted::new(address as u64, Mode::Kernel));
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
