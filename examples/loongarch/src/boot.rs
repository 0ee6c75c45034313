//! Everything that has nothing to do with measuring: entry, stack, exceptions, console, the end.
//!
//! QEMU's machine "virt" starts the first CPU at PLV0 with physical addresses, and zeroes what is not in the image. The others
//! wait in its firmware.

use core::arch::{asm, global_asm, naked_asm};
use core::fmt::{self, Write};

use pmu::{Interrupted, Mode};

use crate::software;

global_asm!(
    ".section .text.boot, \"ax\"",
    ".global boot",
    "boot:",
    // Two windows: addresses as they are, cached; and devices from 8000_0000_0000_0000H on, which are not.
    "li.w $t0, 0x11",
    "csrwr $t0, 0x180",
    "lu52i.d $t0, $zero, -2048",
    "ori $t0, $t0, 0x01",
    "csrwr $t0, 0x181",
    // CRMD: addresses by windows, PLV0, no interrupts.
    "li.w $t0, 0xb0",
    "csrwr $t0, 0x0",
    "la.pcrel $sp, host_stack_top",
    "la.pcrel $t0, exception",
    "csrwr $t0, 0xc",
    "bl {main}",
    // Every exception and interrupt comes here: EENTRY, with ECFG.VS = 0. A function saves the other registers if it uses them.
    ".balign 4096",
    "exception:",
    "addi.d $sp, $sp, -160",
    "st.d $ra, $sp, 0",
    ".irp number, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21",
    "st.d $r\\number, $sp, 8 * (\\number - 3)",
    ".endr",
    "csrrd $a0, 0x5",
    "csrrd $a1, 0x6",
    "bl {on_exception}",
    "csrwr $a0, 0x6",
    "ld.d $ra, $sp, 0",
    ".irp number, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21",
    "ld.d $r\\number, $sp, 8 * (\\number - 3)",
    ".endr",
    "addi.d $sp, $sp, 160",
    "ertn",
    main = sym crate::main,
    on_exception = sym on_exception,
);

/// ESTAT's exceptions: an interrupt, and BREAK.
const INTERRUPT: u64 = 0;
const BREAK: u64 = 0xc;

/// Where the entry of exceptions leads, with ESTAT and ERA. Returns where the kernel goes on.
extern "C" fn on_exception(status: u64, address: u64) -> u64 {
    let at = Interrupted::new(address, Mode::Kernel);
    match status >> 16 & 0x3f {
        INTERRUPT => {
            crate::on_interrupt((status & 0x1fff).trailing_zeros() as u8, at);
            address
        }
        BREAK => {
            software::on_break(at);
            address + 4
        }
        other => panic!("unexpected exception {other:#x} at {address:#x}"),
    }
}

/// Lets this CPU take this interrupt from now on (ECFG.LIE, CRMD.IE).
pub fn enable_interrupt(number: u8) {
    // SAFETY: the vector has a handler.
    unsafe {
        asm!("csrwr {}, 0x4", inout(reg) 1_u64 << number => _, options(nostack));
        asm!("csrxchg {0}, {0}, 0x0", inout(reg) 4_u64 => _, options(nostack));
    }
}

/// The registers that a function preserves, as [`switch_stacks`] keeps them, of a thread that begins with a call of
/// `entry` with `argument`.
pub fn first_frame(entry: usize, argument: usize) -> [usize; 12] {
    let mut frame = [0; 12];
    (frame[0], frame[1], frame[2]) = (begin as *const () as usize, entry, argument);
    frame
}

#[unsafe(naked)]
extern "C" fn begin() {
    naked_asm!("move $a0, $r23", "jirl $zero, $r22, 0")
}

/// Saves the stack pointer to `from`, with the registers below it, and goes on where `to` was saved.
///
/// # Safety
/// `to` points to such registers.
#[unsafe(naked)]
pub unsafe extern "C" fn switch_stacks(from: *mut usize, to: usize) {
    naked_asm!(
        "addi.d $sp, $sp, -96",
        "st.d $ra, $sp, 0",
        ".irp number, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
        "st.d $r\\number, $sp, 8 * (\\number - 21)",
        ".endr",
        "st.d $sp, $a0, 0",
        "move $sp, $a1",
        "ld.d $ra, $sp, 0",
        ".irp number, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
        "ld.d $r\\number, $sp, 8 * (\\number - 21)",
        ".endr",
        "addi.d $sp, $sp, 96",
        "ret",
    )
}

/// The window of devices.
const DEVICES: usize = 0x8000_0000_0000_0000;

/// The serial port, for `write!`.
pub struct Console;

impl Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // SAFETY: this is the data register of the machine's 16550, and reaches no memory.
        text.bytes().for_each(|byte| unsafe { ((DEVICES + 0x1fe0_01e0) as *mut u8).write_volatile(byte) });
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

/// Turns the machine off, by the sleep control of its generic event device.
pub fn turn_off() -> ! {
    // SAFETY: this is the device's register, and reaches no memory.
    unsafe { ((DEVICES + 0x100e_001c) as *mut u8).write_volatile(0x34) };
    loop {
        core::hint::spin_loop();
    }
}

/// Says that the kernel has panicked, by PCI device 1, which is for that (`run.sh`).
pub fn fail() -> ! {
    const DEVICE: usize = DEVICES + 0x2000_0000 + (1 << 15);
    const REGISTER: u32 = 0x4000_0000;
    // SAFETY: these are the device's base address and command, and then its register, which ends QEMU.
    unsafe {
        ((DEVICE + 0x10) as *mut u32).write_volatile(REGISTER);
        ((DEVICE + 4) as *mut u16).write_volatile(2);
        ((DEVICES + REGISTER as usize) as *mut u8).write_volatile(1);
    }
    loop {
        core::hint::spin_loop();
    }
}
