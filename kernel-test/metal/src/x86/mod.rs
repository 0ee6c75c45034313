//! The PC: its first serial port, and the port that ends QEMU.

pub mod boot;
pub mod vmcb;

use core::arch::asm;

use qemu_exit::{QEMUExit as _, X86};

/// The data register of the first serial port, and its line status (PC16550D data sheet, "Register addresses").
const DATA: u16 = 0x3f8;
const LINE_STATUS: u16 = DATA + 5;
/// The transmitter takes another byte (LSR, bit 5, THRE).
const TRANSMITTER_EMPTY: u8 = 1 << 5;

/// QEMU is told to have its `isa-debug-exit` here.
const EXIT: u16 = 0xf4;

/// Prints this on the first serial port.
pub fn print(text: &str) {
    text.bytes().for_each(send);
}

fn send(byte: u8) {
    while line_status() & TRANSMITTER_EMPTY == 0 {}
    // SAFETY: this port is the serial port's on every PC. A guest that has it too does not run meanwhile.
    unsafe { asm!("out dx, al", in("dx") DATA, in("al") byte, options(nomem, nostack, preserves_flags)) };
}

fn line_status() -> u8 {
    let status;
    // SAFETY: as above, and reading it changes nothing that matters here.
    unsafe { asm!("in al, dx", in("dx") LINE_STATUS, out("al") status, options(nomem, nostack, preserves_flags)) };
    status
}

/// Ends the machine. QEMU's exit status is 33 if it went well, and 35 otherwise.
pub fn end(went_well: bool) -> ! {
    const PASSED: u32 = 33;
    const FAILED: u32 = 35;
    // SAFETY: QEMU has its exit device at this port.
    let device = unsafe { X86::new(EXIT, PASSED) };
    // QEMU's status is 2 * code + 1.
    if went_well { device.exit_success() } else { device.exit(FAILED / 2) }
}
