//! POWER7's event codes.
//!
//! Selector in bits 0 to 7, L2 event selector in 8 to 10, combine in 11, unit in 12 to 15, counter
//! in 16 to 19, 0 for any of PMC1 to PMC4. The auxiliary value is 1 for an event of marked
//! instructions.
//!
//! Sources: the layout is that of torvalds/linux arch/powerpc/perf/power7-pmu.c and of IBM's
//! POWER7 event lists; for MMCR1's fields the same, and the words of IBM's groups of events
//! (OProfile's ppc64/power7/event_mappings).

use super::{FIRST_FOUR, Needs, check_layout, named, sampling};
use crate::arch::powerpc::book3s::demand::Demand;
use crate::arch::powerpc::book3s::own::{Field, Own};
use crate::event::{Refusal, Result};

const LAYOUT: u64 = 0xF_FFFF;
/// The unit whose events go through the L2 selector.
const L2: u64 = 6;

pub(super) fn power7(code: u64, auxiliary: u64) -> Result<Demand, Refusal> {
    check_layout(code, LAYOUT)?;
    let code = stoppable(code);
    let number = code >> 16;
    if number > 4 {
        return Err(Refusal::UnknownEvent);
    }
    let (unit, l2_select) = (code >> 12 & 0xF, code >> 8 & 7);
    let own = Own::selecting(code).with(Field::UNIT, unit).with(Field::COMBINE, code >> 11 & 1);
    let l2 = match (unit, l2_select) {
        (L2, _) => Needs::selects(7 << 45, l2_select << 45),
        (_, 0) => Needs::NOTHING,
        _ => return Err(Refusal::Impossible("an L2 selector is for events of unit 6")),
    };
    Ok(Demand::new(named(number, FIRST_FOUR), own).with(l2).with(sampling(auxiliary)?))
}

/// Replaces a code of PMC5 and PMC6, which are not used because they stop only together. PMC4 and PMC2 count the same:
/// instructions and cycles while CTRL\[RUN\] is set.
const fn stoppable(code: u64) -> u64 {
    match code {
        0x500FA => 0x400FA,
        0x600F4 => 0x200F4,
        code => code,
    }
}
