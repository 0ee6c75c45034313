//! The processor, and what its unit has, by the processor version register.
//!
//! Sources: for the numbers of counters IBM's lists of events, as OProfile has them (events/ppc64); that PMC5
//! and PMC6 of POWER5 and POWER6 have no freeze and no alert, torvalds/linux arch/powerpc/perf (PPMU_LIMITED_PMC5_6);
//! for the rest Power ISA 2.03, 2.06B, 2.07B, 3.0B and 3.1, Book III, "Performance Monitor Facility".

use super::model::Model;
use super::registers::Mmcr0;
use super::words::SELECTORS;
use crate::arch::powerpc::period;
use crate::arch::powerpc::{Pvr, Spr};
use crate::contract::Kind;
use crate::event::{CounterSet, Error, Result, Width};

/// The state that the kernel runs in, which a counter must count in to count the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Privilege {
    /// MSR\[HV\] is 0: a hypervisor is above the kernel.
    #[default]
    Supervisor,
    /// MSR\[HV\] is 1: the kernel is its own hypervisor, as on every Apple G5.
    Hypervisor,
}

impl Privilege {
    /// Decodes the machine state register (Power ISA Book III, "Machine State Register", bit 3).
    #[must_use]
    pub const fn of_machine_state(msr: u64) -> Self {
        if msr & 1 << 60 == 0 { Self::Supervisor } else { Self::Hypervisor }
    }
}

/// What the unit of a processor has. Driver and device are created from the same capabilities.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Capabilities {
    /// The processor's version.
    pub pvr: Pvr,
    /// The model that it counts like.
    pub model: Model,
    /// The state that the kernel runs in.
    pub privilege: Privilege,
    /// The counters that have registers. Counter 0 is PMC1.
    pub counters: CounterSet,
    /// The counters that can be stopped and can interrupt. The others always count and are not used.
    pub usable: CounterSet,
    /// The bits of MMCR0.
    pub control: Mmcr0,
}

impl Capabilities {
    /// The shortest period of instructions, or of events that happen at most once for each, that may repeat while the kernel
    /// is counted.
    pub const LEAST_IN_KERNEL: u64 = period::LEAST_IN_KERNEL;
    /// The shortest period of other events that may repeat while the kernel is counted.
    pub const LEAST_OF_OTHERS_IN_KERNEL: u64 = period::LEAST_OF_OTHERS_IN_KERNEL;
    /// The shortest period of instructions or cycles that may repeat while the kernel is not counted.
    pub const LEAST_IN_USER: u64 = period::LEAST_IN_USER;

    /// PMC5 and PMC6, which have no selectors.
    pub(super) const LAST_TWO: CounterSet = CounterSet::from_bits(0b11_0000);
    /// The most events that POWER7 takes back (torvalds/linux arch/powerpc/perf/core-book3s.c, pmc_overflow).
    pub(super) const ROLL_BACK: i64 = 256;

    /// The width of a counter, on every processor. A counter overflows when its top bit becomes 1.
    pub const WIDTH: Width = Width::top_bit(32).expect("a width of 32 bits");

    /// Decodes the processor version register, for a kernel that runs in this state.
    ///
    /// # Errors
    /// Returns [`Error::UnknownProcessor`], with the version as its family and the revision as its model.
    pub const fn discover(pvr: Pvr, privilege: Privilege) -> Result<Self> {
        match Model::of_version(pvr.version()) {
            Some(model) => Ok(Self::of(model, pvr, privilege)),
            None => Err(Error::UnknownProcessor { family: pvr.version() as u32, model: pvr.revision() as u32 }),
        }
    }

    const fn of(model: Model, pvr: Pvr, privilege: Privilege) -> Self {
        Self {
            pvr,
            model,
            privilege,
            counters: CounterSet::first(model.counters()),
            usable: CounterSet::first(model.usable()),
            control: Mmcr0::of(model),
        }
    }

    /// Returns the unit's kind: all that demands and placements depend on.
    pub(super) const fn kind(&self) -> Kind {
        let processor = (self.model as u64) << 8 | (self.privilege as u64) << 24 | self.errata() << 28;
        Kind::from_bits(b'B' as u64 | processor | self.usable.bits() << 16)
    }

    /// Returns true if there are MMCR2 and SIER: from Power ISA 2.07 on.
    #[inline(always)]
    #[must_use]
    pub const fn has_freezes(&self) -> bool {
        self.model.has_freezes()
    }

    /// Returns true if there is MMCR3: from Power ISA 3.1 on.
    #[inline(always)]
    #[must_use]
    pub const fn has_sources(&self) -> bool {
        self.model as u8 >= Model::Power10 as u8
    }

    /// Returns the control registers except for MMCR0.
    pub(super) const fn selectors(&self) -> &'static [Spr] {
        let count = match self.model {
            Model::Power10 => 4,
            Model::Power8 | Model::Power9 | Model::Microwatt => 3,
            _ => 2,
        };
        SELECTORS.split_at(count).0
    }

    /// Returns true if SIAR holds only the addresses of marked instructions: on POWER4 and the 970, which do not
    /// sample continuously.
    #[must_use]
    pub const fn samples_only_marked(&self) -> bool {
        matches!(self.model, Model::Power4 | Model::Ppc970)
    }

    /// Returns true if counts of speculated events can be taken back, by up to 256: on POWER7.
    #[inline(always)]
    #[must_use]
    pub const fn rolls_back(&self) -> bool {
        matches!(self.model, Model::Power7)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capabilities(pvr: u32) -> Result<Capabilities> {
        Capabilities::discover(Pvr::from_bits(pvr), Privilege::Supervisor)
    }

    #[test]
    fn processors_are_found_by_their_version() {
        let found = |pvr| {
            capabilities(pvr)
                .map(|capabilities| (capabilities.model, capabilities.counters.len(), capabilities.usable.len()))
        };
        assert_eq!(found(0x0035_0304), Ok((Model::Power4, 8, 8)));
        assert_eq!(found(0x003C_0300), Ok((Model::Ppc970, 8, 8)));
        assert_eq!(found(0x003B_0301), Ok((Model::Power5Plus, 6, 4)));
        assert_eq!(found(0x003F_0201), Ok((Model::Power7, 6, 4)));
        assert_eq!(found(0x004B_0201), Ok((Model::Power8, 6, 6)));
        assert_eq!(found(0x004E_1202), Ok((Model::Power9, 6, 6)));
        assert_eq!(found(0x0063_0000), Ok((Model::Microwatt, 6, 6)));
        assert_eq!(found(0x0080_0200), Ok((Model::Power10, 6, 6)));
    }

    #[test]
    fn unknown_processors_are_named() {
        assert_eq!(capabilities(0x0070_0501).err(), Some(Error::UnknownProcessor { family: 0x70, model: 0x501 }));
    }

    #[test]
    fn registers_came_one_by_one() {
        let had = |pvr| {
            capabilities(pvr)
                .map(|capabilities| (capabilities.has_freezes(), capabilities.has_sources(), capabilities.rolls_back()))
        };
        assert_eq!(had(0x003F_0201), Ok((false, false, true)));
        assert_eq!(had(0x004D_0200), Ok((true, false, false)));
        assert_eq!(had(0x0063_0000), Ok((true, false, false)));
        assert_eq!(had(0x0080_0200), Ok((true, true, false)));
    }
}
