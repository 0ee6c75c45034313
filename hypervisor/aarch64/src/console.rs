//! The serial port, which the guest has too, and the call that ends QEMU.

use core::arch::asm;
use core::fmt::{self, Write};
use core::panic::PanicInfo;

/// The data register of the machine's PL011, and its flags (PL011 Technical Reference Manual, UARTDR, UARTFR).
const DATA: *mut u32 = 0x0900_0000 as *mut u32;
const FLAGS: *const u32 = 0x0900_0018 as *const u32;
/// The transmitter takes no other byte (UARTFR.TXFF).
const TRANSMITTER_FULL: u32 = 1 << 5;

/// Arm's semihosting, SYS_EXIT, and the reason that has a status (ADP_Stopped_ApplicationExit).
const EXIT: u64 = 0x18;
const WITH_STATUS: u64 = 0x2_0026;

/// The serial port, for `write!`.
pub struct Console;

impl Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(send);
        Ok(())
    }
}

fn send(byte: u8) {
    // SAFETY: this register is the serial port's on this machine. The guest does not run meanwhile.
    while unsafe { FLAGS.read_volatile() } & TRANSMITTER_FULL != 0 {}
    // SAFETY: as above.
    unsafe { DATA.write_volatile(byte.into()) };
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
    let block = [WITH_STATUS, if went_well { 33 } else { 35 }];
    // SAFETY: the emulator reads the block, and the machine does not go on.
    unsafe { asm!("hlt #0xf000", in("x0") EXIT, in("x1") block.as_ptr(), options(nostack)) };
    loop {
        core::hint::spin_loop();
    }
}

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    println!("hypervisor: {panic}");
    end(false)
}
