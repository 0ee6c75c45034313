//! QEMU's board Malta: how the kernel speaks and how it ends, and its command line.

use core::arch::asm;

use harness::Verdict;

use harness::by_width;

/// The 16550 of the board's I/O space, where memory is neither mapped nor cached.
const UART: usize = by_width!(0xffff_ffff_b800_03f8, 0xb800_03f8);
/// Its line status, and in it: a byte can be sent.
const LINE_STATUS: usize = 5;
const IS_EMPTY: u8 = 1 << 5;

/// Writes to the board's console.
pub fn print(text: &str) {
    for byte in text.bytes() {
        // SAFETY: the board has the device there, and the kernel alone uses it.
        unsafe {
            while ((UART + LINE_STATUS) as *const u8).read_volatile() & IS_EMPTY == 0 {}
            (UART as *mut u8).write_volatile(byte);
        }
    }
}

/// Ends the machine; QEMU's exit status is 0 if all is well, else 1.
///
/// "MIPS Unified Hosting Interface", operation 1: `sdbbp 1` with the operation in $25 and the status in $4.
pub fn exit(verdict: Verdict) -> ! {
    // SAFETY: QEMU ends.
    unsafe {
        asm!(".word 0x7000007f", in("$25") 1_usize, in("$4") usize::from(verdict != Verdict::Passed), options(noreturn))
    }
}

/// `xtask` has QEMU's loader put the words there, and zeros behind them.
const WORDS: usize = 0x01f0_0000;

/// The words of the command line.
pub fn command_line() -> &'static str {
    // SAFETY: the board has memory there; it is behind the image and its copy, and nobody writes it.
    unsafe { harness::words_at(WORDS) }
}
