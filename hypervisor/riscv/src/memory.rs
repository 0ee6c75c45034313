//! The guest's memory: a part of the machine's, at the same addresses.
//!
//! The translation of the guest's physical addresses is Sv39x4 ("The RISC-V Instruction Set Manual, volume II", "Guest Physical
//! Address Translation"). The host, and the firmware below it, are not in it.

use core::ops::Range;
use core::ptr::{addr_of, addr_of_mut};

use pmu::arch::riscv::hpm::sbi::Memory;

use crate::csr::put;

/// What the guest has: from where a firmware starts a kernel to where the host is.
pub const GUEST: Range<u64> = 0x8020_0000..0x8f00_0000;
/// The pages of the guest's devices: the serial port, and the test device, by which a kernel can end the machine. Both are in
/// the first GiB.
const DEVICES: [u64; 2] = [0x1000_0000, 0x10_0000];

/// Fields of an entry: valid, readable, writable and executable; the guest's (U), accessed and dirty.
const POINTER: u64 = 1;
const LEAF: u64 = 0b1101_1111;

const LARGE_PAGE: u64 = 1 << 21;
/// The number of the mode Sv39x4 in hgatp.
const SV39X4: u64 = 8 << 60;

#[repr(C, align(4096))]
struct Table([u64; 512]);

/// The first table has four times as many entries.
#[repr(C, align(16384))]
struct Root([u64; 2048]);

static mut ROOT: Root = Root([0; 2048]);
static mut FIRST_GIB: Table = Table([0; 512]);
static mut DEVICE_PAGES: [Table; DEVICES.len()] = [const { Table([0; 512]) }; DEVICES.len()];
static mut MEMORY: Table = Table([0; 512]);

/// Gives the guest its memory and its devices.
pub fn open() {
    // SAFETY: this is called once, and nothing else writes to the tables.
    let (root, large, small, memory) = unsafe {
        (
            &mut *addr_of_mut!(ROOT),
            &mut *addr_of_mut!(FIRST_GIB),
            &mut *addr_of_mut!(DEVICE_PAGES),
            &mut *addr_of_mut!(MEMORY),
        )
    };
    root.0[entry(GUEST.start, 30)] = pointer(addr_of!(*memory) as u64);
    for page in GUEST.step_by(LARGE_PAGE as usize) {
        memory.0[entry(page, 21) % 512] = leaf(page);
    }
    root.0[0] = pointer(addr_of!(*large) as u64);
    for (device, table) in DEVICES.into_iter().zip(small) {
        table.0[entry(device, 12) % 512] = leaf(device);
        large.0[entry(device, 21)] = pointer(addr_of!(*table) as u64);
    }
    put!("csrw", "hgatp", SV39X4 | addr_of!(*root) as u64 >> 12);
}

const fn entry(address: u64, shift: u32) -> usize {
    (address >> shift) as usize
}

const fn pointer(address: u64) -> u64 {
    address >> 12 << 10 | POINTER
}

const fn leaf(address: u64) -> u64 {
    address >> 12 << 10 | LEAF
}

/// The guest's memory, for the snapshots of its unit.
pub struct OfGuest;

impl OfGuest {
    /// Returns where a word of 64 bits is, if it is the guest's.
    fn word(address: u64) -> Option<*mut u64> {
        let is_guests = GUEST.contains(&address) && address.is_multiple_of(8);
        is_guests.then_some(address as *mut u64)
    }
}

impl Memory for OfGuest {
    fn read(&self, address: u64) -> Option<u64> {
        // SAFETY: this is memory, which the guest alone uses, and the guest does not run meanwhile.
        Self::word(address).map(|word| unsafe { word.read_volatile() })
    }

    /// All of it is.
    fn is_writable(&self, address: u64) -> bool {
        Self::word(address).is_some()
    }

    fn write(&self, address: u64, value: u64) -> Option<()> {
        // SAFETY: as above.
        Self::word(address).map(|word| unsafe { word.write_volatile(value) })
    }
}
