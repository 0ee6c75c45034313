//! QEMU's machine "virt" for Arm: its serial port, and semihosting.
//!
//! Arm's semihosting (github.com/ARM-software/abi-aa, semihosting.rst) is a call to whatever emulates the processor: it hands
//! over the command line and takes the exit status.

pub mod world;

use core::arch::asm;
use core::cell::UnsafeCell;

use qemu_exit::{AArch64, QEMUExit as _};

/// The data register of the machine's PL011, and its flags (PL011 Technical Reference Manual, UARTDR, UARTFR).
const DATA: *mut u32 = 0x0900_0000 as *mut u32;
const FLAGS: *const u32 = 0x0900_0018 as *const u32;
/// The transmitter takes no other byte (UARTFR.TXFF).
const TRANSMITTER_FULL: u32 = 1 << 5;

/// Prints this on the serial port.
pub fn print(text: &str) {
    text.bytes().for_each(send);
}

fn send(byte: u8) {
    // SAFETY: this register is the serial port's on this machine. A guest that has it too does not run meanwhile.
    while unsafe { FLAGS.read_volatile() } & TRANSMITTER_FULL != 0 {}
    // SAFETY: as above.
    unsafe { DATA.write_volatile(byte.into()) };
}

/// Ends the machine. QEMU's exit status is 33 if it went well, and 35 otherwise.
pub fn end(went_well: bool) -> ! {
    AArch64::new().exit(if went_well { 33 } else { 35 })
}

/// Where the emulator writes the command line.
struct Buffer(UnsafeCell<[u8; 512]>);

// SAFETY: it is written once, by the first CPU, before anything else runs.
unsafe impl Sync for Buffer {}

static BUFFER: Buffer = Buffer(UnsafeCell::new([0; 512]));

/// Returns the words that QEMU was given for the kernel, behind the kernel's own name. It is to be asked for once.
///
/// # Panics
/// Semihosting is off, or the words are no text.
pub fn command_line() -> &'static str {
    /// SYS_GET_CMDLINE.
    const GET_COMMAND_LINE: u64 = 0x15;
    let mut block = [BUFFER.0.get() as u64, size_of::<Buffer>() as u64];
    let failed: u64;
    // SAFETY: the emulator writes no more than the buffer holds, and says how much it was.
    unsafe { asm!("hlt #0xf000", inout("x0") GET_COMMAND_LINE => failed, in("x1") &raw mut block, options(nostack)) };
    // SAFETY: nobody writes to it any more.
    let bytes = unsafe { &*BUFFER.0.get() };
    let text = bytes.get(..block[1] as usize).and_then(|text| core::str::from_utf8(text).ok());
    match (failed, text) {
        (0, Some(text)) => text.split_once(' ').map_or("", |(_, words)| words.trim_end_matches('\0')),
        _ => panic!("the emulator hands over no command line: is semihosting on?"),
    }
}

/// Reads a system register, by the name that the assembler knows.
#[macro_export]
macro_rules! get {
    ($register:expr) => {{
        let value: u64;
        // SAFETY: reading it changes nothing that the compiler knows of.
        unsafe { core::arch::asm!(concat!("mrs {}, ", $register), out(reg) value, options(nostack)) };
        value
    }};
}

/// Writes a system register; what follows finds it written.
#[macro_export]
macro_rules! put {
    ($register:expr, $value:expr) => {{
        let value: u64 = $value;
        // SAFETY: whoever writes this knows that the program goes on with it.
        unsafe { core::arch::asm!(concat!("msr ", $register, ", {}"), "isb", in(reg) value, options(nostack)) };
    }};
}
