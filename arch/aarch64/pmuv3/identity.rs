//! The processors that a device can be: what their ID registers say about the unit.
//!
//! Six are real cores. Four of these are the first with their version of the unit; Cortex-A53 and Cortex-A72 have that of
//! Cortex-A57, and are the two kinds of cores of one processor. Three identities have what the architecture lets
//! processors announce from Armv8.7 on, and are no particular core.
//!
//! Sources: the cores' Technical Reference Manuals (DDI 0500, Cortex-A53; DDI 0488, Cortex-A57; 100095, Cortex-A72;
//! 100616, Neoverse N1; 101427, Neoverse V1; 102099, Neoverse N2), their register summaries and chapters "Performance
//! Monitors";
//! for the common events of each core, Arm's event tables (github.com/ARM-software/data, Apache-2.0);
//! DDI 0487, ID_AA64PFR0_EL1, ID_AA64DFR0_EL1, ID_AA64DFR1_EL1 and PMMIR_EL1. The ID registers contain only
//! what concerns the unit. Statistical profiling, trace buffers and branch records, which a device
//! does not model, are not announced.
//!
//! A guest that shall find the processor that it runs on is given [`Identity::of_host`].

mod host;

use super::registers::{Announced, Machine, Pmcr};
use crate::arch::aarch64::SystemRegister;
use crate::event::Mode;
use crate::virt::Fingerprint;

/// A processor, by its ID registers and the unit's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity {
    name: &'static str,
    processor: u32,
    processor_features: u64,
    debug_features: [u64; 2],
    control: u64,
    announced: Announced,
    machine: Machine,
}

/// ID_AA64PFR0_EL1.EL2 and EL3: four bits each, 0 if there is no such level.
const HYPERVISOR: u64 = 0xF << 8;
const MONITOR: u64 = 0xF << 12;
/// ID_AA64PFR0_EL1.SEL2 and RME: further features of these levels.
const SECURE_HYPERVISOR: u64 = 0xF << 36;
const REALMS: u64 = 0xF << 52;

impl Identity {
    /// Cortex-A57 (r1p0): PMUv3, six event counters of 32 bits, AArch32 at every level.
    pub const CORTEX_A57: Self = Self {
        name: "Cortex-A57",
        processor: 0x411F_D070,
        processor_features: 0x2222,
        debug_features: [0x1030_5106, 0],
        control: 0x4101_3000,
        announced: Announced { low: 0x7FFF_0F3F, high: 0 },
        machine: Machine(0),
    };

    /// Cortex-A53 (r0p4), with a level 2 cache: the unit of Cortex-A57, with other events.
    pub const CORTEX_A53: Self = Self {
        name: "Cortex-A53",
        processor: 0x410F_D034,
        control: 0x4103_3000,
        announced: Announced { low: 0x67FF_BFFF, high: 0 },
        ..Self::CORTEX_A57
    };

    /// Cortex-A72 (r0p3): the unit of Cortex-A57.
    pub const CORTEX_A72: Self =
        Self { name: "Cortex-A72", processor: 0x410F_D083, control: 0x4102_3000, ..Self::CORTEX_A57 };

    /// Neoverse N1 (r4p1): PMUv3p1, event numbers of 16 bits, AArch32 at EL0.
    pub const NEOVERSE_N1: Self = Self {
        name: "Neoverse N1",
        processor: 0x414F_D0C1,
        processor_features: 0x1100_0000_1011_1112,
        debug_features: [0x1030_5408, 0],
        control: 0x410C_3000,
        announced: Announced { low: 0x00F2_AE7F_7FFF_0F3F, high: 0xF },
        machine: Machine(0),
    };

    /// Neoverse V1 (r1p2): PMUv3p4, PMMIR_EL1.
    pub const NEOVERSE_V1: Self = Self {
        name: "Neoverse V1",
        processor: 0x411F_D402,
        processor_features: 0x1101_1101_2011_1112,
        debug_features: [0x00F0_1030_5509, 0],
        control: 0x4121_3000,
        announced: Announced { low: 0xFEF2_AE7F_7FFF_0F3F, high: 0xA7F },
        machine: Machine(8),
    };

    /// Neoverse N2 (r0p3): PMUv3p5, event counters of 64 bits.
    pub const NEOVERSE_N2: Self = Self {
        name: "Neoverse N2",
        processor: 0x410F_D493,
        processor_features: 0x1201_1111_2011_1112,
        debug_features: [0x00F0_1030_5609, 0],
        control: 0x3000,
        announced: Announced { low: 0xFEF2_AE7F_7FFF_0F3F, high: 0x77_0F0F_1A7F },
        machine: Machine(5),
    };

    /// The features that Armv8.7 permits: PMUv3p7, which freezes on overflow; 20 event counters.
    pub const ARMV8_7: Self = Self {
        name: "Armv8.7",
        processor: 0x000F_0000,
        processor_features: 0x0000_0010_0000_1111,
        debug_features: [0x0700, 0],
        control: 20 << 11,
        announced: Announced { low: u64::MAX, high: u64::MAX },
        machine: Machine(8),
    };

    /// The features that Armv8.8 permits: PMUv3p8, thresholds of four bits, a guest without event counters.
    pub const ARMV8_8: Self = Self {
        name: "Armv8.8",
        processor_features: 0x0000_0010_0000_1112,
        debug_features: [1 << 60 | 0x0800, 0],
        machine: Machine(0x0040_0008),
        ..Self::ARMV8_7
    };

    /// The features that Armv9.4 permits: PMUv3p9, the instruction counter, access counter by counter for
    /// user programs, thresholds of twelve bits with edges, 31 event counters, realms.
    pub const ARMV9_4: Self = Self {
        name: "Armv9.4",
        processor_features: 0x0010_0010_0000_1111,
        debug_features: [1 << 60 | 0x0900, 1 << 36],
        control: 31 << 11,
        machine: Machine(0x01C0_0008),
        ..Self::ARMV8_7
    };

    /// An identity of each version, in their order.
    pub const ALL: [Self; 7] = [
        Self::CORTEX_A57,
        Self::NEOVERSE_N1,
        Self::NEOVERSE_V1,
        Self::NEOVERSE_N2,
        Self::ARMV8_7,
        Self::ARMV8_8,
        Self::ARMV9_4,
    ];

    /// Returns the name of the core or of the architecture's version.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the identity without EL2 and EL3, as hypervisors usually show it to a guest.
    #[must_use]
    pub const fn for_guest(self) -> Self {
        let above = HYPERVISOR | MONITOR | SECURE_HYPERVISOR | REALMS;
        Self { processor_features: self.processor_features & !above, ..self }
    }

    /// Returns the identity with this number of event counters, at most 31.
    #[must_use]
    pub const fn with_event_counters(self, count: u8) -> Self {
        let count = if count < SystemRegister::EVENT_COUNTERS { count } else { SystemRegister::EVENT_COUNTERS };
        let control = Pmcr::from_bits_retain(self.control).with_counters(count);
        Self { control: control.bits(), ..self }
    }

    /// Returns the identity without these common events (PMCEID0_EL0, PMCEID1_EL0). A guest's driver then refuses
    /// events that the host cannot observe instead of counting nothing.
    #[must_use]
    pub const fn without_events(self, events: Announced) -> Self {
        let announced = Announced { low: self.announced.low & !events.low, high: self.announced.high & !events.high };
        Self { announced, ..self }
    }

    /// Returns the value of an ID register, or `None` if it is no ID register. It has the fields of the unit alone: a host
    /// that answers a guest's (HCR_EL2.TID3) uses [`Self::merged`].
    #[must_use]
    pub const fn register(&self, at: SystemRegister, mode: Mode) -> Option<u64> {
        Some(match at {
            SystemRegister::PROCESSOR => self.processor as u64,
            SystemRegister::PROCESSOR_FEATURES => self.processor_features,
            SystemRegister::DEBUG_FEATURES_0 => self.debug_features[0],
            SystemRegister::DEBUG_FEATURES_1 => self.debug_features[1],
            SystemRegister::LEVEL => (mode as u64) << 2,
            _ => return None,
        })
    }

    /// Returns the fingerprint of what a guest is told.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        let Self { name: _, processor, processor_features, debug_features, control, announced, machine } = *self;
        let [first, second] = debug_features;
        let unit = [control, announced.low, announced.high, machine.0];
        Fingerprint::of([processor.into(), processor_features, first, second].into_iter().chain(unit))
    }

    /// Returns the read-only fields of PMCR_EL0: IMP, IDCODE, and N as EL2 reads it.
    #[must_use]
    pub const fn control(&self) -> Pmcr {
        Pmcr::from_bits_retain(self.control)
    }

    /// Returns the common events that it counts.
    #[must_use]
    pub const fn announced(&self) -> Announced {
        self.announced
    }

    /// Returns PMMIR_EL1, if it exists.
    #[must_use]
    pub const fn machine(&self) -> Machine {
        self.machine
    }
}
