//! What one counter that counts changes in the control registers.
//!
//! The registers of a unit in which no counter counts have fixed contents: each counter selects nothing and is frozen.
//! A counter that counts changes some of these bits: those of its own fields, those of the shared fields that its event
//! needs, and a few that enable it. Counters that count together agree on shared fields, so the registers hold the
//! contents of the idle unit with the bits changed that any of them changes.

use super::capabilities::Capabilities;
use super::model::Model;
use super::needs::Needs;
use super::own::Own;
use super::registers::Mmcr0;
use super::words::Words;
use crate::event::{CounterId, CounterSet};

/// PMC1 to PMC4.
const FIRST_FOUR: CounterSet = CounterSet::first(4);

/// Returns the control registers of a unit in which no counter counts, except for what problem state may do.
pub(super) fn idle(capabilities: &Capabilities) -> Words {
    let model = capabilities.model;
    let registers =
        Words { mmcr0: (Mmcr0::ALERT | Mmcr0::parts_of(model)).bits(), mmcra: sampling(model, 0), ..Words::NOTHING };
    let fields = |counter| Own::idle(model).words(model, counter);
    capabilities.counters.into_iter().map(fields).fold(registers, |all, fields| all | fields)
}

/// Returns the bits of the control registers that a counter changes while it counts, given those of an idle unit.
pub(super) fn contribution(model: Model, idle: &Words, counter: CounterId, own: Own, needs: &Needs) -> Words {
    let own = own.other_than(Own::idle(model)).words(model, counter);
    let shared = needs.words();
    let mmcr0 = shared.mmcr0 | enables(model, counter).bits();
    own | Words { mmcr0, mmcra: sampling(model, shared.mmcra) ^ idle.mmcra, ..shared }
}

/// Returns the bits of MMCR0 that enable a counter: its condition, so that it alerts while it is negative, and the
/// freeze of PMC1 to PMC4 or of PMC5 and PMC6, which is cleared.
fn enables(model: Model, counter: CounterId) -> Mmcr0 {
    let condition = if counter == CounterId::ZERO { Mmcr0::FIRST } else { Mmcr0::OTHERS };
    let is_first_four = FIRST_FOUR.contains(counter);
    let freeze = if is_first_four { Mmcr0::FREEZE_FIRST_FOUR } else { Mmcr0::FREEZE_LAST_TWO };
    condition | freeze & Mmcr0::parts_of(model)
}

/// Returns MMCRA with the bits that every processor needs beside those that events need. On POWER4 and the 970 one
/// operation of an instruction is marked. From POWER5 on SDAR follows misses, as SDAR_MODE says from POWER8 on. On
/// POWER10 the branch history is off. Microwatt has neither.
const fn sampling(model: Model, mmcra: u64) -> u64 {
    const MODE: u64 = 3 << 42;
    let is_marking = mmcra & 1 != 0;
    let follows = if is_marking || mmcra & MODE != 0 { 0 } else { 2 << 42 };
    match model {
        Model::Power4 | Model::Ppc970 => mmcra | 0x2000,
        Model::Power5 | Model::Power5Plus | Model::Power6 | Model::Power7 => mmcra | 0x6000_0000,
        Model::Power8 => mmcra | 1 << 42,
        Model::Power9 => mmcra | follows,
        Model::Microwatt => mmcra,
        Model::Power10 => mmcra | follows | 1 << 37,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SAMPLE_ENABLE, without an SDAR_MODE; each SDAR_MODE without SAMPLE_ENABLE; a threshold.
    const NEEDED: [u64; 6] = [0, 1, 1 << 42, 2 << 42, 3 << 42, 0x1_2300];

    #[test]
    fn counters_that_agree_change_mmcra_as_if_one_needed_all_of_it() {
        for model in Model::ALL {
            let change = |needed| sampling(model, needed) ^ sampling(model, 0);
            for one in NEEDED {
                // An event of marked instructions needs SDAR_MODE 0.
                let agrees = |other: &u64| *other == one || *other == 0x1_2300 || *other == 0;
                for other in NEEDED.into_iter().filter(agrees) {
                    assert_eq!(change(one) | change(other), change(one | other), "{model:?}: {one:#x}, {other:#x}");
                }
            }
        }
    }
}
