//! The first serial port, which the guest has too, and the port that ends QEMU.

use core::fmt::{self, Write};
use core::panic::PanicInfo;

use x86::halt;
use x86::io::{inb, outb};

/// The data register of the first serial port, and its line status (PC16550D data sheet, "Register addresses").
const DATA: u16 = 0x3f8;
const LINE_STATUS: u16 = DATA + 5;
/// The transmitter takes another byte (LSR, bit 5, THRE).
const TRANSMITTER_EMPTY: u8 = 1 << 5;

/// QEMU's `isa-debug-exit` is told to be here. It ends QEMU with the status 2 * byte + 1.
const EXIT: u16 = 0xf4;

/// The serial port, for `write!`.
pub struct Console;

impl Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(send);
        Ok(())
    }
}

fn send(byte: u8) {
    // SAFETY: these ports are the serial port's on every PC. The guest does not run meanwhile.
    while unsafe { inb(LINE_STATUS) } & TRANSMITTER_EMPTY == 0 {}
    // SAFETY: as above.
    unsafe { outb(DATA, byte) };
}

/// Prints a line.
macro_rules! println {
    ($($arguments:tt)*) => {{
        use core::fmt::Write as _;
        let _ = writeln!($crate::console::Console, $($arguments)*);
    }};
}
pub(crate) use println;

/// Ends the machine. QEMU's exit status is 33 if it went well, and 35 otherwise.
pub fn end(went_well: bool) -> ! {
    // SAFETY: QEMU has its exit device at this port.
    unsafe { outb(EXIT, if went_well { 0x10 } else { 0x11 }) };
    loop {
        // SAFETY: there is nothing left to do.
        unsafe { halt() };
    }
}

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    println!("hypervisor: {panic}");
    end(false)
}
