//! The host's own way from an interrupt and back: its NMI is the timer's and goes nowhere, and whatever else comes
//! is its failure.

use core::arch::naked_asm;

use spin::Once;
use x86::dtables::{DescriptorTablePointer, lgdt, lidt};
use x86::segmentation::SegmentSelector;
use x86::task::load_tr;

use crate::guest::entry;
use crate::trap::{self, Table};
use crate::width::return_from_interrupt;

/// Loads them.
pub fn load() {
    let segments = DescriptorTablePointer::new(trap::segments());
    let interrupts = DescriptorTablePointer::new(table());
    // SAFETY: the table lives for ever; the boot code's segments are at the same places in it.
    unsafe { lgdt(&segments) };
    // SAFETY: the table is complete and lives for ever.
    unsafe { lidt(&interrupts) };
    // SAFETY: the descriptor there is that of a task state segment which lives for ever.
    unsafe { load_tr(SegmentSelector::from_raw(trap::TASK)) };
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
    naked_asm!(return_from_interrupt!())
}
