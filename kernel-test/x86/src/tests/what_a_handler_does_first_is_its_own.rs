//! An interrupt comes between two instructions, and the handler's first counts as what it is, not
//! as what would have come next.

use core::arch::naked_asm;

use pmu::virt::Kind;

use super::observed;
use crate::guest::unit::{self, Unit};
use crate::guest::{enter_nmi_at, events};
use crate::width::return_from_interrupt;
use harness::Call;

/// Longer than any test lasts.
const NEVER: u64 = u32::MAX as u64;

static UNIT: Unit<1> = Unit::new();

pub fn test() {
    enter_nmi_at(handler as *const () as u64);
    let pmu = unit::claim(&UNIT);
    let branches = events::of(Kind::Branches).expect("every processor counts branches");
    let undisturbed = observed::count(&pmu, branches, row, NEVER);
    for instructions in 1..8 {
        assert_eq!(observed::count(&pmu, branches, row, instructions), undisturbed + 2);
    }
}

/// Its branches are the jump and the return.
#[unsafe(naked)]
extern "C" fn handler() {
    naked_asm!("jmp 2f", "2:", return_from_interrupt!())
}

/// Orders an NMI for when as many of these have retired as EDI says.
#[unsafe(naked)]
extern "C" fn row() {
    naked_asm!("mov eax, {call}", "vmmcall", ".rept 8", "nop", ".endr", "ret", call = const Call::InterruptAfter as u64)
}
