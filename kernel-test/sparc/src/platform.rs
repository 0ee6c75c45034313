//! How the kernel speaks and how it ends, on QEMU's sun4u board: an UltraSPARC IIi's PCI bridge, behind which a second
//! bridge leads to a bus of peripherals with a 16550.
//!
//! QEMU, hw/sparc64/sun4u.c (`PBM_SPECIAL_BASE`, `ebus`, the power device) and hw/pci-bridge/simba.c. Translation is off, so
//! that every address is a physical one.

use core::arch::asm;

use harness::Verdict;

/// Where the bridge has its buses' ports, and their configuration.
const PORTS: u64 = 0x1fe_0200_0000;
const CONFIGURATION: u64 = 0x1fe_0100_0000;
/// The second bridge: bus 0, device 1, function 1; and what is behind it: bus 1, device 1.
const BRIDGE: u64 = CONFIGURATION | 1 << 11 | 1 << 8;
const PERIPHERALS: u64 = CONFIGURATION | 1 << 16 | 1 << 11;
/// A command register: ports, memory, master.
const COMMAND: u64 = 0x04;
const OPEN: u32 = 7;
/// A bridge's buses, and the ports that it passes on ("PCI-to-PCI Bridge Architecture Specification", section 3.2.5).
const BUSES: u64 = 0x18;
const FIRST_PORTS: u64 = 0x1c;
/// The 16550's registers.
const TRANSMIT: u64 = PORTS | 0x3f8;
const LINE_STATUS: u64 = PORTS | 0x3fd;
const CAN_TRANSMIT: u8 = 1 << 5;
/// The power device; 1 in this place ends QEMU, with the status 0.
const POWER: u64 = PORTS | 0x7240;
const OFF: u32 = 1 << 24;

/// Opens the way to the console.
pub fn prepare() {
    write_little(BRIDGE + BUSES, 1 << 16 | 1 << 8);
    write_little(BRIDGE + FIRST_PORTS, 0xf101);
    write_little(BRIDGE + COMMAND, OPEN);
    write_little(PERIPHERALS + COMMAND, OPEN);
}

/// Writes a register whose first byte is the lowest.
fn write_little(at: u64, value: u32) {
    /// ASI_PHYS_BYPASS_EC_WITH_EBIT_LITTLE ("UltraSPARC User's Manual", table "UltraSPARC Extended ASIs").
    const LITTLE: u64 = 0x1d;
    // SAFETY: the addresses are those of bridges, which change no memory.
    unsafe { asm!("stwa {value}, [{at}] {asi}", value = in(reg) value, at = in(reg) at, asi = const LITTLE) };
}

/// Writes to the board's console.
pub fn print(text: &str) {
    for byte in text.bytes() {
        // SAFETY: the registers are those of a 16550.
        unsafe {
            while (LINE_STATUS as *const u8).read_volatile() & CAN_TRANSMIT == 0 {}
            (TRANSMIT as *mut u8).write_volatile(byte);
        }
    }
}

/// Ends the machine; QEMU's status is 0 if all is well. The board has no way to end with another status: a trap from the
/// highest level, which VER\[MAXTL\] says, makes QEMU abort.
pub fn exit(verdict: Verdict) -> ! {
    if verdict == Verdict::Passed {
        // SAFETY: the power goes off.
        unsafe { (POWER as *mut u32).write_volatile(OFF) };
        loop {
            core::hint::spin_loop();
        }
    }
    // SAFETY: nothing runs after it.
    unsafe {
        asm!("rdpr %ver, %g1", "srl %g1, 8, %g1", "and %g1, 7, %g1", "wrpr %g1, 0, %tl", "ta 0", options(noreturn))
    }
}

/// Where `xtask` has QEMU's loader put the command line, and zeros behind it.
const WORDS: usize = 0x0300_0000;

/// The words of the command line.
pub fn command_line() -> &'static str {
    // SAFETY: the board has memory there; it is behind the image and its copy, and nobody writes it.
    unsafe { harness::words_at(WORDS) }
}
