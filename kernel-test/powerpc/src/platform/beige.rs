//! The g3beige board: a serial port inside Apple's I/O controller, and a panic device by which the
//! machine ends. Both are PCI devices that nobody has placed yet.
//!
//! Zilog's "SCC/ESCC User's Manual" for the serial port; QEMU's "PVPANIC DEVICE" specification; the
//! MPC106 (Grackle) user's manual, "PCI Configuration", for the two registers that reach devices.

use core::arch::asm;

use harness::Verdict;

const CONFIGURATION_ADDRESS: usize = 0xfec0_0000;
const CONFIGURATION_DATA: usize = 0xfee0_0000;

/// Where the devices are put.
const CONTROLLER: usize = 0x8000_0000;
const PANIC_DEVICE: usize = 0x8100_0000;

/// The second channel of the serial controller: QEMU's first serial port.
const CONTROL: usize = CONTROLLER + 0x1_3020;
const DATA: usize = CONTROLLER + 0x1_3030;

/// Vendor and device, as configuration space begins.
const RED_HATS_PANIC_DEVICE: u32 = 0x0011_1b36;
const APPLE: u32 = 0x106b;
/// The class of devices that are of no class.
const MISCELLANEOUS: u32 = 0xff;

/// Puts the devices where they are used and lets the serial port send.
pub fn prepare() {
    for device in 0..32 {
        match read_configuration(device, 0) {
            RED_HATS_PANIC_DEVICE => place(device, PANIC_DEVICE),
            id if id & 0xffff == APPLE && read_configuration(device, 8) >> 24 == MISCELLANEOUS => {
                place(device, CONTROLLER);
            }
            _ => {}
        }
    }
    /// Write register 5: eight bits, the transmitter is on.
    const TRANSMIT: [u8; 2] = [5, 0x68];
    TRANSMIT.into_iter().for_each(|byte| write_byte(CONTROL, byte));
}

/// Writes a byte to the serial port.
pub fn send(byte: u8) {
    write_byte(DATA, byte);
}

/// Ends the machine.
pub fn exit(verdict: Verdict) -> ! {
    /// The panic device's events: the guest has crashed; it has shut down.
    const CRASHED: u8 = 1 << 0;
    const SHUT_DOWN: u8 = 1 << 2;
    write_byte(PANIC_DEVICE, if verdict == Verdict::Passed { SHUT_DOWN } else { CRASHED });
    loop {}
}

fn place(device: u32, address: usize) {
    const BASE_ADDRESS: u32 = 0x10;
    const COMMAND: u32 = 4;
    /// It answers to its address and may be a master.
    const ENABLED: u32 = 0b110;
    write_configuration(device, BASE_ADDRESS, address as u32);
    write_configuration(device, COMMAND, ENABLED);
}

fn select(device: u32, register: u32) {
    write_little_endian(CONFIGURATION_ADDRESS, 1 << 31 | device << 11 | register);
}

fn read_configuration(device: u32, register: u32) -> u32 {
    select(device, register);
    let value;
    // SAFETY: reading configuration space has no effect.
    unsafe { asm!("lwbrx {}, 0, {}", out(reg) value, in(reg) CONFIGURATION_DATA, options(nostack)) };
    value
}

fn write_configuration(device: u32, register: u32, value: u32) {
    select(device, register);
    write_little_endian(CONFIGURATION_DATA, value);
}

fn write_little_endian(address: usize, value: u32) {
    // SAFETY: callers name registers of the PCI bridge.
    unsafe { asm!("stwbrx {}, 0, {}", in(reg) value, in(reg) address, options(nostack)) };
}

fn write_byte(address: usize, byte: u8) {
    // SAFETY: callers name registers of the devices that were placed; none of them reaches memory.
    unsafe { (address as *mut u8).write_volatile(byte) };
}
