//! How the kernel speaks and how it ends: the serial port, and semihosting.
//!
//! Arm's semihosting (github.com/ARM-software/abi-aa, semihosting.rst) is a call to whatever emulates
//! the processor: it hands over the command line and takes the exit status.

use core::arch::asm;
use core::cell::UnsafeCell;
use core::fmt::{self, Write};

use harness::Verdict;
use qemu_exit::QEMUExit;

/// The data register of QEMU's PL011 on its machine "virt" (PL011 TRM, UARTDR); it takes what it is
/// given at once.
const DATA: *mut u32 = 0x0900_0000 as *mut u32;

/// SYS_GET_CMDLINE.
const GET_COMMAND_LINE: u64 = 0x15;

/// The serial port, for `write!`.
pub struct Console;

impl Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(send);
        Ok(())
    }
}

fn send(byte: u8) {
    // SAFETY: this register is the serial port's on this machine, and reaches no memory.
    unsafe { DATA.write_volatile(byte.into()) };
}

/// Where the emulator writes the command line.
struct Buffer(UnsafeCell<[u8; 512]>);

// SAFETY: it is written once, by the first CPU, before anything else runs.
unsafe impl Sync for Buffer {}

static BUFFER: Buffer = Buffer(UnsafeCell::new([0; 512]));

/// The words that QEMU was given for the kernel, behind the kernel's own name; asked for once.
pub fn command_line() -> &'static str {
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

/// Ends the machine: QEMU's exit status is 33 if all is well, and else 35, as on x86.
pub fn exit(verdict: Verdict) -> ! {
    let status = match verdict {
        Verdict::Passed => 33,
        Verdict::Failed => 35,
    };
    qemu_exit::AArch64::new().exit(status)
}

/// Prints a line to the serial port.
macro_rules! println {
    ($($arguments:tt)*) => {{
        use core::fmt::Write as _;
        let _ = writeln!($crate::console::Console, $($arguments)*);
    }};
}

pub(crate) use println;
