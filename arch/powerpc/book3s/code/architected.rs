//! Microwatt's event codes: the selectors that the architecture defines, F0H to FEH, and none of an implementation's own.
//!
//! Selector in bits 0 to 7, counter in bits 16 to 19. The same selector is another event on another counter.
//!
//! Source: Microwatt's pmu.vhdl, "Event selection". What its execute1.vhdl never reports to the unit (`x_to_pmu.occur`, "others")
//! is left out, since a counter of it would stay: misses of the data cache resolved (PMC2, FEH), discarded prefetches (PMC4,
//! F8H) and loads that miss without a cache (PMC4, FEH).

use super::isa207::{CYCLES, INSTRUCTIONS, last_two};
use super::{check_layout, named};
use crate::arch::powerpc::book3s::demand::Demand;
use crate::arch::powerpc::book3s::own::Own;
use crate::event::{CounterSet, Refusal, Result};

const LAYOUT: u64 = 0xF_00FF;

/// The selectors of PMC1 to PMC4, as bit n for F0H + n.
const SELECTORS: [u16; 4] = [
    1 << 0x0 | 1 << 0x2 | 1 << 0x4 | 1 << 0x6 | 1 << 0x8 | 1 << 0xA | 1 << 0xC | 1 << 0xE,
    1 << 0x0 | 1 << 0x2 | 1 << 0x4 | 1 << 0x6 | 1 << 0x8 | 1 << 0xA | 1 << 0xC,
    1 << 0x0 | 1 << 0x2 | 1 << 0x4 | 1 << 0x6 | 1 << 0x8 | 1 << 0xE,
    1 << 0x0 | 1 << 0x2 | 1 << 0x4 | 1 << 0x6 | 1 << 0xA | 1 << 0xC,
];

pub(super) fn microwatt(code: u64, auxiliary: u64) -> Result<Demand, Refusal> {
    check_layout(code, LAYOUT)?;
    match (code, auxiliary) {
        (INSTRUCTIONS | CYCLES, _) => last_two(code, auxiliary),
        (_, 1..) => Err(Refusal::Auxiliary(auxiliary)),
        _ if has(code) => Ok(Demand::new(named(code >> 16, CounterSet::EMPTY), Own::selecting(code))),
        _ => Err(Refusal::UnknownEvent),
    }
}

/// Returns true if the code's counter has its selector.
fn has(code: u64) -> bool {
    let selectors = (code >> 16).checked_sub(1).and_then(|number| SELECTORS.get(number as usize));
    code & 0xF0 == 0xF0 && selectors.is_some_and(|selectors| selectors >> (code & 0xF) & 1 == 1)
}
