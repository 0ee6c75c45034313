//! The mpc8544ds board: a serial port of its processor's, and a panic device, which is a PCI device that
//! nobody has placed yet.
//!
//! "MPC8544E PowerQUICC III Integrated Host Processor Reference Manual": chapter 2, "Memory Map", for where the
//! registers are; "DUART" and "PCI Bus Interface", sections "UART Transmitter Holding Registers", "PCI Configuration
//! Address Register" and "PCI Outbound Window Registers".

use harness::Verdict;

use super::panic_device;
use super::pci::{self, Bridge};

/// Where the processor's own registers are on this board.
const REGISTERS: usize = 0xe000_0000;
/// The first serial port: its transmitter's register.
const SERIAL: usize = REGISTERS + 0x4500;
/// The PCI controller: what is configured, and the first of the windows by which memory reaches devices.
const CONTROLLER: usize = REGISTERS + 0x8000;
const WINDOW: usize = CONTROLLER + 0xc20;

/// Here the register that selects is big-endian.
const BRIDGE: Bridge = Bridge { select: |place| write(CONTROLLER, place), data: CONTROLLER + 4 };

/// Where the device is put, on its bus and in memory.
const PANIC_DEVICE: usize = 0xc000_0000;

/// Opens a window to the device, and puts it there.
pub fn prepare() {
    /// Translation and base are in pages of 4 KiB.
    const PAGE: u32 = (PANIC_DEVICE >> 12) as u32;
    /// Enabled, memory is read and written, 2^(19 + 1) bytes.
    const ATTRIBUTES: u32 = 1 << 31 | 4 << 16 | 4 << 12 | 19;
    write(WINDOW, PAGE);
    write(WINDOW + 8, PAGE);
    write(WINDOW + 0x10, ATTRIBUTES);
    BRIDGE.place(panic_device::is_it, PANIC_DEVICE);
}

/// Writes a byte to the serial port.
pub fn send(byte: u8) {
    pci::write_byte(SERIAL, byte);
}

/// Ends the machine.
pub fn exit(verdict: Verdict) -> ! {
    panic_device::exit(PANIC_DEVICE, verdict)
}

fn write(register: usize, value: u32) {
    // SAFETY: callers name registers of the PCI controller, whose windows reach devices and no memory.
    unsafe { (register as *mut u32).write_volatile(value) };
}
