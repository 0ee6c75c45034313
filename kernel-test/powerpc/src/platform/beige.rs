//! The g3beige board: a serial port inside Apple's I/O controller, and a panic device by which the
//! machine ends. Both are PCI devices that nobody has placed yet.
//!
//! Zilog's "SCC/ESCC User's Manual" for the serial port; the MPC106 (Grackle) user's manual, "PCI
//! Configuration", for the two registers that reach devices.

use harness::Verdict;

use super::panic_device;
use super::pci::{self, Bridge};

/// Both of its registers are little-endian.
const BRIDGE: Bridge = Bridge { select: |place| pci::write_little_endian(0xfec0_0000, place), data: 0xfee0_0000 };

/// Where the devices are put.
const CONTROLLER: usize = 0x8000_0000;
const PANIC_DEVICE: usize = 0x8100_0000;

/// The second channel of the serial controller: QEMU's first serial port.
const CONTROL: usize = CONTROLLER + 0x1_3020;
const DATA: usize = CONTROLLER + 0x1_3030;

/// The vendor, as configuration space begins, and the class of devices that are of no class.
const APPLE: u32 = 0x106b;
const MISCELLANEOUS: u32 = 0xff;

/// Puts the devices where they are used and lets the serial port send.
pub fn prepare() {
    BRIDGE.place(panic_device::is_it, PANIC_DEVICE);
    BRIDGE.place(|id, class| id & 0xffff == APPLE && class >> 24 == MISCELLANEOUS, CONTROLLER);
    /// Write register 5: eight bits, the transmitter is on.
    const TRANSMIT: [u8; 2] = [5, 0x68];
    TRANSMIT.into_iter().for_each(|byte| pci::write_byte(CONTROL, byte));
}

/// Writes a byte to the serial port.
pub fn send(byte: u8) {
    pci::write_byte(DATA, byte);
}

/// Ends the machine.
pub fn exit(verdict: Verdict) -> ! {
    panic_device::exit(PANIC_DEVICE, verdict)
}
