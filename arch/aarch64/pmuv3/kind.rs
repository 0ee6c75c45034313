//! The kind of a unit. Units of one kind take each other's demands and placements.
//!
//! They are of one model and version, have equal counters and levels, and announce the same
//! of the common events that generic events and pairs are made of. Other events have codes, which mean the same
//! on one model.

use super::capabilities::{Capabilities, Level};
use super::events::relied_on;
use super::share::Share;
use crate::contract::Kind;

/// Distinguishes PMUv3's kinds from those of other families.
const PMUV3: u64 = 0b0011;

/// Packs everything that demands and placements depend on.
pub(super) fn kind(capabilities: &Capabilities, share: Share) -> Kind {
    let fields = [
        (PMUV3, 4),
        (u64::from(capabilities.processor >> 24), 8), // the implementer
        (u64::from(capabilities.processor >> 4 & 0xFFF), 12), // the part
        (capabilities.version.into(), 4),
        (capabilities.event_counters.into(), 5),
        (share.lent().map_or(0, |lent| u64::from(lent) + 1), 5),
        ((capabilities.level == Level::Two).into(), 1),
        (capabilities.has_hypervisor.into(), 1),
        (capabilities.has_monitor.into(), 1),
        (capabilities.has_instruction_counter.into(), 1),
        (capabilities.machine.threshold_bits().into(), 4),
        (capabilities.machine.has_edges().into(), 1),
        (relied_on(capabilities), 15),
    ];
    let append = |packed: u64, (value, bits): (u64, u32)| packed << bits | value & ((1 << bits) - 1);
    Kind::from_bits(fields.into_iter().fold(0, append))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::aarch64::pmuv3::{Announced, Machine};

    const CORE: Capabilities = Capabilities {
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

    fn of(capabilities: Capabilities) -> Kind {
        kind(&capabilities, Share::WHOLE)
    }

    #[test]
    fn each_difference_that_a_placement_could_depend_on_makes_another_kind() {
        let others = [
            Capabilities { processor: 0x420F_D034, ..CORE },
            Capabilities { processor: 0x410F_D054, ..CORE },
            Capabilities { version: 4, ..CORE },
            Capabilities { event_counters: 31, ..CORE },
            Capabilities { level: Level::One, ..CORE },
            Capabilities { has_hypervisor: false, ..CORE },
            Capabilities { has_monitor: false, ..CORE },
            Capabilities { has_instruction_counter: true, ..CORE },
            Capabilities { machine: Machine(1 << 20), ..CORE },
            Capabilities { machine: Machine(1 << 24), ..CORE },
            Capabilities { announced: Announced { low: !(1 << 0x1E), high: u64::MAX }, ..CORE },
            Capabilities { announced: Announced { low: u64::MAX, high: !(1 << 4) }, ..CORE },
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
        assert_eq!(of(Capabilities { processor: 0x411F_D03A, ..CORE }), of(CORE));
    }
}
