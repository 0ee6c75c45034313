//! The kind of a unit: which have the same events, and which take each other's placements.
//!
//! Events have codes, which mean the same on one model. Placements are taken by units that also have equal counters and
//! levels, and announce the same of the common events that generic events and pairs are made of.

use super::capabilities::{Capabilities, Privilege};
use super::events::relied_on;
use super::share::Share;
use crate::contract::Kind;

/// Distinguishes PMUv3's kinds from those of other families.
const PMUV3: u64 = 0b0011;

/// Packs everything that events depend on, and everything that demands and placements depend on.
pub(super) fn kind(capabilities: &Capabilities, share: Share) -> Kind {
    let model = [
        (PMUV3, 4),
        (u64::from(capabilities.processor >> 24), 8), // the implementer
        (u64::from(capabilities.processor >> 4 & 0xFFF), 12), // the part
    ];
    let unit = [
        (capabilities.version.into(), 4),
        (capabilities.event_counters.into(), 5),
        (share.lent().map_or(0, |lent| u64::from(lent) + 1), 5),
        ((capabilities.privilege == Privilege::El2).into(), 1),
        (capabilities.has_hypervisor.into(), 1),
        (capabilities.has_monitor.into(), 1),
        (capabilities.has_instruction_counter.into(), 1),
        (capabilities.machine.threshold_bits().into(), 4),
        (capabilities.machine.has_edges().into(), 1),
        (relied_on(capabilities), 15),
    ];
    let append = |packed: u64, (value, bits): (u64, u32)| packed << bits | value & ((1 << bits) - 1);
    let events = model.into_iter().fold(0, append);
    Kind::new(events, unit.into_iter().fold(events, append))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::aarch64::pmuv3::{Announced, Machine};

    const CORE: Capabilities = Capabilities {
        processor: 0x410F_D034,
        version: 1,
        event_counters: 6,
        privilege: Privilege::El2,
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

    /// Two other models, and then units of this one.
    #[test]
    fn each_difference_that_a_placement_could_depend_on_is_told_and_another_model_is_another_kind() {
        let others = [
            Capabilities { processor: 0x420F_D034, ..CORE },
            Capabilities { processor: 0x410F_D054, ..CORE },
            Capabilities { version: 4, ..CORE },
            Capabilities { event_counters: 31, ..CORE },
            Capabilities { privilege: Privilege::El1, ..CORE },
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
            assert!(kinds.iter().skip(number + 1).all(|other| one.alone() != other.alone()), "{number}");
            assert_eq!(*one == of(CORE), number >= 2, "{number}");
        }
    }

    #[test]
    fn another_revision_of_a_model_is_of_its_kind() {
        let other = of(Capabilities { processor: 0x411F_D03A, ..CORE });
        assert_eq!((other, other.alone()), (of(CORE), of(CORE).alone()));
    }
}
