//! QEMU's machine "virt" for RISC-V: its serial port, and the test device.

/// The data register of the machine's 16550, and its line status (PC16550D data sheet, "Register addresses").
const DATA: *mut u8 = 0x1000_0000 as *mut u8;
const LINE_STATUS: *const u8 = 0x1000_0005 as *const u8;
/// The transmitter takes another byte (LSR, bit 5, THRE).
const TRANSMITTER_EMPTY: u8 = 1 << 5;

/// The machine's test device. Its word 3333H says that the upper half is QEMU's exit status. (`qemu-exit` knows it where
/// registers have 64 bits alone.)
const TEST: *mut u32 = 0x10_0000 as *mut u32;

/// Prints this on the serial port.
pub fn print(text: &str) {
    text.bytes().for_each(send);
}

fn send(byte: u8) {
    // SAFETY: this register is the serial port's on this machine. A guest that has it too does not run meanwhile.
    while unsafe { LINE_STATUS.read_volatile() } & TRANSMITTER_EMPTY == 0 {}
    // SAFETY: as above.
    unsafe { DATA.write_volatile(byte) };
}

/// Ends the machine. QEMU's exit status is 33 if it went well, and 35 otherwise.
pub fn end(went_well: bool) -> ! {
    let status = if went_well { 33 } else { 35 };
    // SAFETY: this register is the device's, and reaches no memory.
    unsafe { TEST.write_volatile(status << 16 | 0x3333) };
    loop {
        core::hint::spin_loop();
    }
}
