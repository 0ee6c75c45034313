//! The guest's memory: a part of the machine's, at the same addresses.
//!
//! The translation of the guest's physical addresses is stage 2, with pages of 4 KiB and addresses of 39 bits (DDI 0487, "The
//! AArch64 Virtual Memory System Architecture"). The host is not in it.

use core::ops::Range;
use core::ptr::{addr_of, addr_of_mut};

use metal::put;

/// What the guest has.
pub const GUEST: Range<u64> = 0x4100_0000..0x5000_0000;
/// The interrupt controller's distributor, and the second frame of its redistributor.
const DISTRIBUTOR: Range<u64> = 0x0800_0000..0x0801_0000;
const REDISTRIBUTOR: Range<u64> = 0x080b_0000..0x080c_0000;
/// The serial port's page. Behind it are devices that are not the guest's.
const SERIAL_PORT: u64 = 0x0900_0000;

/// Descriptors: a table, or a page, and a block.
const TABLE: u64 = 0b11;
const BLOCK: u64 = 0b01;
/// Attributes: readable and writable (S2AP), accessed (AF); memory, cached and shared; a device, without instructions (XN).
const ACCESS: u64 = 0b11 << 6 | 1 << 10;
const MEMORY: u64 = ACCESS | 0b1111 << 2 | 0b11 << 8;
const DEVICE: u64 = ACCESS | 0b0001 << 2 | 1 << 54;

/// The bytes of a page, and of a block of the second level.
const PAGE: usize = 1 << 12;
const LARGE_PAGE: usize = 1 << 21;
/// VTCR_EL2: RES1, guest addresses of 39 bits (T0SZ) from the first level on (SL0), tables cached and shared, physical addresses
/// of 40 bits (PS).
const CONTROL: u64 = 1 << 31 | 25 | 1 << 6 | 0b01 << 8 | 0b01 << 10 | 0b11 << 12 | 0b010 << 16;

#[repr(C, align(4096))]
struct Table([u64; 512]);

/// The first level, and what it leads to: memory, and devices, of which the interrupt controller and the serial port have a
/// table each.
static mut TABLES: [Table; 5] = [const { Table([0; 512]) }; 5];

/// Gives the guest its memory and its devices.
pub fn open() {
    // SAFETY: this is called once, and nothing else writes to the tables.
    let [root, memory, devices, controller, port] = unsafe { &mut *addr_of_mut!(TABLES) };
    root.0[entry(GUEST.start, 30)] = pointer(memory);
    for block in GUEST.step_by(LARGE_PAGE) {
        memory.0[entry(block, 21)] = block | MEMORY | BLOCK;
    }
    root.0[entry(DISTRIBUTOR.start, 30)] = pointer(devices);
    devices.0[entry(DISTRIBUTOR.start, 21)] = pointer(controller);
    for page in DISTRIBUTOR.step_by(PAGE).chain(REDISTRIBUTOR.step_by(PAGE)) {
        controller.0[entry(page, 12)] = page | DEVICE | TABLE;
    }
    devices.0[entry(SERIAL_PORT, 21)] = pointer(port);
    port.0[entry(SERIAL_PORT, 12)] = SERIAL_PORT | DEVICE | TABLE;
    put!("vtcr_el2", CONTROL);
    put!("vttbr_el2", addr_of!(*root) as u64);
    // SAFETY: it forgets translations, of which there are none yet.
    unsafe { core::arch::asm!("dsb ish", "tlbi vmalls12e1", "dsb ish", "isb", options(nostack)) };
}

/// The entry of a table whose entries have so many bits.
const fn entry(address: u64, bits: u32) -> usize {
    (address >> bits & 511) as usize
}

fn pointer(table: &Table) -> u64 {
    addr_of!(*table) as u64 | TABLE
}
