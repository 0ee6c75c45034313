//! How the kernel speaks and how it ends: the first serial port, and QEMU's exit port.

use core::fmt::{self, Write};

use harness::Verdict;

use x86::io::{inb, outb};

use crate::machine_code::halt;

/// The first serial port's data register (PC16550D data sheet, "Register addresses").
const DATA: u16 = 0x3f8;
/// Its line status register.
const LINE_STATUS: u16 = DATA + 5;
/// The transmitter takes another byte (LSR, bit 5, THRE).
const TRANSMITTER_EMPTY: u8 = 1 << 5;

/// The port at which QEMU was told to put its `isa-debug-exit`.
const EXIT: u16 = 0xf4;

/// What the kernel writes there when all is well: QEMU's exit status is 33.
const PASSED: u8 = 0x10;
/// What it writes when something is not: the exit status is 35.
const FAILED: u8 = 0x11;

/// The serial port, for `write!`.
pub struct Console;

impl Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(send);
        Ok(())
    }
}

fn send(byte: u8) {
    // SAFETY: these ports are the serial port's on every PC, and nobody else uses it.
    while unsafe { inb(LINE_STATUS) } & TRANSMITTER_EMPTY == 0 {}
    // SAFETY: as above.
    unsafe { outb(DATA, byte) };
}

/// Ends the machine.
pub fn exit(verdict: Verdict) -> ! {
    let code = match verdict {
        Verdict::Passed => PASSED,
        Verdict::Failed => FAILED,
    };
    // SAFETY: QEMU is started with its exit device at this port.
    unsafe { outb(EXIT, code) };
    loop {
        halt();
    }
}

/// Prints a line to the serial port.
macro_rules! println {
    ($($arguments:tt)*) => {{
        use core::fmt::Write as _;
        let _ = writeln!($crate::console::Console, $($arguments)*);
    }};
}

pub(crate) use println;
