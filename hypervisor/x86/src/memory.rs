//! The guest's memory: its physical addresses are the host's, except for the host's own 2 MiB, which it does not have.
//!
//! APM volume 2, section 15.25, "Nested Paging": the tables have the format of the processor's own, and every access of
//! a guest counts as a user's. The guest may only read its local APIC. It is left at each write, and the host sees to it.

use crate::interrupts::{COMMAND_OFFSET, LOCAL_APIC};

/// Where the linker script puts the hypervisor: one page of 2 MiB.
pub const HIDDEN: u64 = 2 << 20;
/// The size of a page of the nested tables, but for the local APIC's.
pub const LARGE_PAGE: u64 = 2 << 20;
/// The size of the local APIC's.
pub const PAGE: u64 = 4 << 10;

const PRESENT: u64 = 1 << 0;
const WRITABLE: u64 = 1 << 1;
const USER: u64 = 1 << 2;
const LARGE: u64 = 1 << 7;
/// The bits of an entry that are an address.
const ADDRESS: u64 = 0x000f_ffff_ffff_f000;

type Table = [u64; 512];

/// Nested tables for 4 GiB.
#[repr(C, align(4096))]
pub struct NestedTables {
    level_4: Table,
    level_3: Table,
    level_2: [Table; 4],
    /// Around the local APIC.
    level_1: Table,
    /// What the guest writes to instead of the local APIC.
    page: Table,
}

/// What is the guest's in the place of its local APIC.
#[derive(Clone, Copy)]
pub enum Apic {
    /// The local APIC, to be read.
    ReadOnly,
    /// The local APIC.
    Writable,
    /// A page of memory, from which the host takes what the guest has written.
    Memory,
}

impl NestedTables {
    /// Tables that translate nothing.
    pub const fn empty() -> Self {
        Self { level_4: [0; 512], level_3: [0; 512], level_2: [[0; 512]; 4], level_1: [0; 512], page: [0; 512] }
    }

    /// Maps everything to itself but the hypervisor. Returns the address of the first table.
    pub fn fill(&mut self) -> u64 {
        const TABLE: u64 = PRESENT | WRITABLE | USER;
        self.level_4[0] = &raw const self.level_3 as u64 | TABLE;
        for (entry, table) in self.level_3.iter_mut().zip(&self.level_2) {
            *entry = table.as_ptr() as u64 | TABLE;
        }
        for (entry, address) in self.level_2.as_flattened_mut().iter_mut().zip((0..).step_by(LARGE_PAGE as usize)) {
            *entry = if address == HIDDEN { 0 } else { address | TABLE | LARGE };
        }
        self.level_2.as_flattened_mut()[(LOCAL_APIC / LARGE_PAGE) as usize] = self.level_1.as_ptr() as u64 | TABLE;
        for (entry, offset) in self.level_1.iter_mut().zip((0..).step_by(PAGE as usize)) {
            *entry = (LOCAL_APIC + offset) | TABLE;
        }
        self.map_apic(Apic::ReadOnly);
        &raw const self.level_4 as u64
    }

    /// Maps this where the guest has its local APIC. The TLB must be flushed.
    pub fn map_apic(&mut self, apic: Apic) {
        self.level_1[0] = USER
            | PRESENT
            | match apic {
                Apic::ReadOnly => LOCAL_APIC,
                Apic::Writable => LOCAL_APIC | WRITABLE,
                Apic::Memory => self.page.as_ptr() as u64 | WRITABLE,
            };
    }

    /// Returns the interrupt that the guest has sent by [`Apic::Memory`].
    pub fn command(&self) -> u32 {
        // SAFETY: this is memory of the structure's, which the guest has written and does not write now.
        unsafe { (&raw const self.page[COMMAND_OFFSET as usize / 8]).read_volatile() as u32 }
    }
}

/// Is this physical address the guest's?
pub fn is_guests(address: u64) -> bool {
    address < 1 << 32 && address & !(LARGE_PAGE - 1) != HIDDEN
}

/// Reads a byte of the guest's memory, as a guest whose page tables are at `cr3` in long mode would.
pub fn read_byte(cr3: u64, address: u64) -> Option<u8> {
    let mut table = cr3 & ADDRESS;
    for level in [39, 30, 21, 12] {
        let entry = read_word(table | (address >> level & 0x1ff) << 3)?;
        let offset = (1 << level) - 1;
        if entry & PRESENT == 0 {
            return None;
        }
        if level == 12 || entry & LARGE != 0 && level != 39 {
            let at = entry & ADDRESS & !offset | address & offset;
            // SAFETY: host memory is mapped to itself, and this byte is the guest's, which does not run now.
            return is_guests(at).then(|| unsafe { (at as *const u8).read_volatile() });
        }
        table = entry & ADDRESS;
    }
    None
}

fn read_word(at: u64) -> Option<u64> {
    // SAFETY: host memory is mapped to itself, and this word is the guest's, which does not run now.
    is_guests(at).then(|| unsafe { (at as *const u64).read_volatile() })
}
