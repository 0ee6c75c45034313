//! Which units take each other's demands and placements?
//!
//! Two units of one kind are of one model and version, with equal counters and levels; and they announce the same
//! of the common events that generic events and pairs are made of. Other events go by their codes, which mean the same
//! on one model.

use super::events::relied_on;
use super::facts::{Facts, Level};
use super::share::Share;
use crate::contract::Kind;

/// Tells PMUv3's kinds from those of other families.
const PMUV3: u64 = 0b0011;

/// Packs all that demands and placements depend on.
pub(super) fn kind(facts: &Facts, share: Share) -> Kind {
    let fields = [
        (PMUV3, 4),
        (u64::from(facts.processor >> 24), 8),         // the implementer
        (u64::from(facts.processor >> 4 & 0xFFF), 12), // the part
        (facts.version.into(), 4),
        (facts.event_counters.into(), 5),
        (share.lent().map_or(0, |lent| u64::from(lent) + 1), 5),
        ((facts.level == Level::Two).into(), 1),
        (facts.has_hypervisor.into(), 1),
        (facts.has_monitor.into(), 1),
        (facts.has_instruction_counter.into(), 1),
        (facts.machine.threshold_bits().into(), 4),
        (facts.machine.has_edges().into(), 1),
        (relied_on(facts), 15),
    ];
    let append = |packed: u64, (value, bits): (u64, u32)| packed << bits | value & ((1 << bits) - 1);
    Kind::from_bits(fields.into_iter().fold(0, append))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::aarch64::pmuv3::{Announced, Machine};

    const CORE: Facts = Facts {
        processor: 0x410F_D034,
        version: 1,
        event_counters: 6,
        level: Level::Two,
        has_hypervisor: true,
        has_monitor: true,
        has_instruction_counter: false,
        may_lend_none: false,
        announced: Announced { low: u64::MAX, high: u64::MAX },
        machine: Machine(0),
    };

    fn of(facts: Facts) -> Kind {
        kind(&facts, Share::WHOLE)
    }

    #[test]
    fn each_difference_that_a_placement_could_depend_on_makes_another_kind() {
        let others = [
            Facts { processor: 0x420F_D034, ..CORE },
            Facts { processor: 0x410F_D054, ..CORE },
            Facts { version: 4, ..CORE },
            Facts { event_counters: 31, ..CORE },
            Facts { level: Level::One, ..CORE },
            Facts { has_hypervisor: false, ..CORE },
            Facts { has_monitor: false, ..CORE },
            Facts { has_instruction_counter: true, ..CORE },
            Facts { machine: Machine(1 << 20), ..CORE },
            Facts { machine: Machine(1 << 24), ..CORE },
            Facts { announced: Announced { low: !(1 << 0x1E), high: u64::MAX }, ..CORE },
            Facts { announced: Announced { low: u64::MAX, high: !(1 << 4) }, ..CORE },
        ];
        let mut kinds: Vec<_> = others.into_iter().map(of).collect();
        kinds.push(of(CORE));
        kinds.extend(Share::beside_guests(&CORE, 5).map(|share| kind(&CORE, share)));
        assert_eq!(kinds.len(), 14);
        for (number, one) in kinds.iter().enumerate() {
            assert!(kinds.iter().skip(number + 1).all(|other| one != other), "{number}");
        }
    }

    #[test]
    fn another_revision_of_a_model_is_of_its_kind() {
        assert_eq!(of(Facts { processor: 0x411F_D03A, ..CORE }), of(CORE));
    }
}
