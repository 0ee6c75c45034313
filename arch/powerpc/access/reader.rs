//! The counters' readers: for each counter of Book3S 64 the instruction that reads it, with a return.
//!
//! The number of a counter is part of the instruction that reads it. To find that by the number takes a condition
//! and two or three branches at each reading; to call it where it was found before takes four instructions,
//! itself among them: MTCTR, BCTRL, MFSPR, BLR. What the interrupt reads is not reached so: nothing there is
//! called by an address.

use core::arch::asm;

use super::{Hardware, spr};
use crate::arch::powerpc::Spr;
use crate::contract::{Kernel, Shortcut};

/// Bytes from one reader to the next: two instructions.
const SIZE: usize = 8;

/// PMC1's number (Power ISA 3.1 Book III, table of special-purpose registers).
const FIRST: usize = 787;

/// Where the reader of a counter is; 0 on processors with registers of 32 bits, which have none.
#[inline(always)]
pub(super) fn find(counter: Spr) -> usize {
    if size_of::<usize>() == 8 { table() + SIZE * (usize::from(counter.number()).wrapping_sub(FIRST) & 7) } else { 0 }
}

/// Where the first reader is: eight of them are one behind the other. The function is never copied into others, so
/// that there is one table.
#[inline(never)]
fn table() -> usize {
    let at;
    // SAFETY: finds its own place, with the link register as it was, and goes around the table.
    unsafe {
        asm!(
            "mflr {kept}",
            "bcl 20, 31, 2f",
            "2: mflr {at}",
            "mtlr {kept}",
            "addi {at}, {at}, 4f - 2b",
            "b 3f",
            "4: mfspr 3, 787\n blr",
            "mfspr 3, 788\n blr",
            "mfspr 3, 789\n blr",
            "mfspr 3, 790\n blr",
            "mfspr 3, 791\n blr",
            "mfspr 3, 792\n blr",
            "mfspr 3, 793\n blr",
            "mfspr 3, 794\n blr",
            "3:",
            at = out(reg) at, kept = out(reg) _, options(nomem, nostack, preserves_flags),
        );
    }
    at
}

/// Reads the counter that a shortcut leads to.
#[inline(always)]
pub(super) fn call<K: Kernel>(shortcut: Shortcut<Hardware<K>>) -> usize {
    if size_of::<usize>() != 8 {
        return spr::read_counter(shortcut.index());
    }
    let value;
    // SAFETY: what a shortcut of `Hardware` keeps was found by `find()`, since nobody else makes one: the address
    // of a reader, which reads one of the unit's counters into R3 and returns; claim() promised supervisor state,
    // and reading those has no effect. `nomem` is left out as for MFSPR.
    unsafe {
        asm!(
            "mtctr {reader}\n bctrl",
            reader = in(reg) shortcut.kept(), lateout("r3") value, out("ctr") _, out("lr") _,
            options(nostack, preserves_flags),
        );
    }
    value
}
