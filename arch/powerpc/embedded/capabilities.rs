//! The embedded core, and what its unit has, by the processor version register.
//!
//! Sources: "PowerPC e500 Core Family Reference Manual", sections "Processor Version Register" and
//! 7.2; "e300 Power Architecture Core Family Reference Manual", chapter "Performance Monitor" (e300c3
//! and e300c4; earlier cores have none); "e500mc Core Reference Manual". The topmost bit of an
//! e300's version is set on some parts only: torvalds/linux arch/powerpc/kernel/cputable.c ignores
//! it (by the mask 7FFF0000H), and QEMU's e300c3 is 00850010H.

use super::registers::{Pmgc0, Pmlca, Pmlcb};
use crate::arch::powerpc::Pvr;
use crate::arch::powerpc::period;
use crate::event::{CounterSet, Error, Result, Width};

/// The models of processors that count alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Model {
    /// e300c3 and e300c4.
    E300,
    /// e500v1 and e500v2.
    E500,
    /// e500mc.
    E500mc,
}

impl Model {
    /// All models, from the oldest to the newest.
    pub const ALL: [Self; 3] = [Self::E300, Self::E500, Self::E500mc];

    const fn of_version(version: u32) -> Option<Self> {
        match version {
            0x0085 | 0x0086 | 0x8085 | 0x8086 => Some(Self::E300),
            0x8020 | 0x8021 => Some(Self::E500),
            0x8023 => Some(Self::E500mc),
            _ => None,
        }
    }

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::E300 => "e300",
            Self::E500 => "e500",
            Self::E500mc => "e500mc",
        }
    }

    /// Returns the title of its manual.
    #[must_use]
    pub const fn manual(self) -> &'static str {
        match self {
            Self::E300 => "e300 Power Architecture Core Family Reference Manual, \"Performance Monitor\"",
            Self::E500 => "PowerPC e500 Core Family Reference Manual, chapter 7",
            Self::E500mc => "e500mc Core Reference Manual, \"Performance Monitor Facility\"",
        }
    }
}

/// What the unit of a core has. Driver and device are created from the same capabilities.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Capabilities {
    /// The core's version: PVR's upper half.
    pub version: u32,
    /// Its revision: PVR's lower half.
    pub revision: u32,
    /// The model that it counts like.
    pub model: Model,
    /// The counters. Counter 0 is PMC0.
    pub counters: CounterSet,
    /// The bits of PMGC0.
    pub global: Pmgc0,
    /// The bits of PMLCan.
    pub local: Pmlca,
    /// The bits of PMLCbn; none if there are no such registers.
    pub threshold: Pmlcb,
}

/// The versions of e300c1 and e300c2, which have no unit.
const WITHOUT: [u32; 4] = [0x0083, 0x0084, 0x8083, 0x8084];
/// e500v1 has no time base events.
const E500_V1: u32 = 0x8020;

impl Capabilities {
    /// The shortest period of instructions, or of events that happen at most once for each, that may repeat while the kernel
    /// is counted.
    pub const LEAST_IN_KERNEL: u64 = period::LEAST_IN_KERNEL;
    /// The shortest period of other events that may repeat while the kernel is counted.
    pub const LEAST_OF_OTHERS_IN_KERNEL: u64 = period::LEAST_OF_OTHERS_IN_KERNEL;
    /// The shortest period of instructions or cycles that may repeat while the kernel is not counted.
    pub const LEAST_IN_USER: u64 = period::LEAST_IN_USER;

    /// The width of a counter, on every core. A counter overflows when its top bit becomes 1.
    pub const WIDTH: Width = Width::top_bit(32).expect("a width of 32 bits");

    /// Decodes the processor version register.
    ///
    /// # Errors
    /// Returns [`Error::NoUnit`] for e300c1 and e300c2, and [`Error::UnknownProcessor`], with the version as its
    /// family and the revision as its model.
    pub fn discover(pvr: Pvr) -> Result<Self> {
        let (version, revision) = (u32::from(pvr.version()), u32::from(pvr.revision()));
        match Model::of_version(version) {
            Some(model) => Ok(Self::of(model, version, revision)),
            None if WITHOUT.contains(&version) => Err(Error::NoUnit { reason: "PVR is that of an e300c1 or e300c2" }),
            None => Err(Error::UnknownProcessor { family: version, model: revision }),
        }
    }

    fn of(model: Model, version: u32, revision: u32) -> Self {
        let time_base = Pmgc0::TIME_BASE_BIT | Pmgc0::TIME_BASE;
        let guest = Pmlca::FREEZE_GUEST | Pmlca::FREEZE_HYPERVISOR;
        let short = Pmlca::all().difference(Pmlca::of_event(0x80) | guest);
        Self {
            version,
            revision,
            model,
            counters: CounterSet::first(4),
            global: if version == E500_V1 { Pmgc0::all().difference(time_base) } else { Pmgc0::all() },
            local: if model == Model::E500mc { Pmlca::all() } else { short },
            threshold: if model == Model::E300 { Pmlcb::empty() } else { Pmlcb::all() },
        }
    }

    /// Returns true if there are PMLCbn.
    #[inline(always)]
    #[must_use]
    pub const fn has_threshold(&self) -> bool {
        !self.threshold.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_found_by_their_version() {
        let found = |pvr| Capabilities::discover(Pvr::from_bits(pvr)).map(|capabilities| capabilities.model);
        let versions = [0x8085_0010, 0x8086_0010, 0x8020_0020, 0x8021_0030, 0x8023_0031];
        assert_eq!(versions.map(found), [Model::E300, Model::E300, Model::E500, Model::E500, Model::E500mc].map(Ok));
    }

    #[test]
    fn an_e300_is_one_whether_the_topmost_bit_of_its_version_is_set_or_not() {
        let found = |pvr| Capabilities::discover(Pvr::from_bits(pvr)).map(|capabilities| capabilities.model);
        assert_eq!([0x0085_0010, 0x0086_0010].map(found), [Ok(Model::E300); 2]);
        assert_eq!(
            [0x0083_0010, 0x0084_0010].map(found),
            [Err(Error::NoUnit { reason: "PVR is that of an e300c1 or e300c2" }); 2]
        );
    }

    #[test]
    fn cores_without_a_unit_and_unknowns_are_refused() {
        assert_eq!(
            Capabilities::discover(Pvr::from_bits(0x8083_0011)).err(),
            Some(Error::NoUnit { reason: "PVR is that of an e300c1 or e300c2" })
        );
        assert_eq!(
            Capabilities::discover(Pvr::from_bits(0x8040_0120)).err(),
            Some(Error::UnknownProcessor { family: 0x8040, model: 0x0120 })
        );
    }

    #[test]
    fn events_have_eight_bits_on_e500mc_and_seven_elsewhere() {
        let event = |pvr| {
            Capabilities::discover(Pvr::from_bits(pvr)).map(|capabilities| (capabilities.local & Pmlca::EVENT).bits())
        };
        assert_eq!([0x8085_0010, 0x8021_0030, 0x8023_0031].map(event), [0x7F_0000, 0x7F_0000, 0xFF_0000].map(Ok));
    }
}
