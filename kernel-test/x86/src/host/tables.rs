//! The host's own way from an interrupt and back: its NMI is the timer's and goes nowhere, and whatever else comes
//! is its grief.

use core::arch::naked_asm;

use spin::Once;
use x86_64::VirtAddr;
use x86_64::instructions::tables::{lidt, load_tss};
use x86_64::registers::segmentation::SegmentSelector;
use x86_64::structures::DescriptorTablePointer;

use crate::guest::entry;
use crate::trap::{self, Table};

/// Loads them.
pub fn load() {
    /// Behind the null descriptor and four segments.
    const TASK: SegmentSelector = SegmentSelector(0x28);

    trap::segments().load();
    let table = DescriptorTablePointer { limit: Table::LIMIT, base: VirtAddr::new(table().base()) };
    // SAFETY: the table is complete and lives for ever; its code segment is at the same place in
    // the boot code's descriptor table and in this one.
    unsafe { lidt(&table) };
    // SAFETY: the descriptor there is that of a task state segment which lives for ever.
    unsafe { load_tss(TASK) };
}

fn table() -> &'static Table {
    static TABLE: Once<Table> = Once::new();
    TABLE.call_once(|| {
        let table = entry::new_table();
        table.set_nmi(return_at_once as *const () as u64);
        table
    })
}

#[unsafe(naked)]
extern "C" fn return_at_once() {
    naked_asm!("iretq")
}
