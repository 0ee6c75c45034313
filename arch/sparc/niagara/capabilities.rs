//! The processor, and what its unit has.
//!
//! A kernel above a hypervisor cannot read the version register, so that the processor is known by its name in the
//! machine description ("compatible" of a node "cpu"). A hyperprivileged program reads the version: implementation 23H
//! of manufacturer 3EH is T1, and 24H is T2.
//!
//! Sources: the names are those of torvalds/linux arch/sparc/kernel/head_64.S and of illumos-gate,
//! usr/src/uts/sun4v/pcbe/niagara2_pcbe.c; the versions those of OpenSPARC T1's and T2's designs as in QEMU,
//! target/sparc/cpu.c ("Sun-UltraSparc-T1", "Sun-UltraSparc-T2"). The versions of T2+ and T3 were not found: they are
//! known by their names alone.

use crate::arch::sparc::Ver;
use crate::event::{Error, Modes, Result};

/// The processors whose units differ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Model {
    /// UltraSPARC T1: pic1 counts instructions, pic0 one of eight events.
    T1,
    /// UltraSPARC T2.
    T2,
    /// UltraSPARC T2+: the unit of T2.
    T2Plus,
    /// SPARC T3: the unit of T2, with another cipher among the events.
    T3,
}

impl Model {
    /// All models, from the oldest to the newest.
    pub const ALL: [Self; 4] = [Self::T1, Self::T2, Self::T2Plus, Self::T3];

    /// Returns the model by its name in the machine description.
    #[must_use]
    pub fn of_compatible(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|model| model.compatible() == name)
    }

    /// Returns the model by the contents of the version register.
    #[must_use]
    pub const fn of_version(version: Ver) -> Option<Self> {
        match (version.manufacturer(), version.implementation()) {
            (0x3E, 0x23) => Some(Self::T1),
            (0x3E, 0x24) => Some(Self::T2),
            _ => None,
        }
    }

    /// Returns the name in the machine description.
    #[must_use]
    pub const fn compatible(self) -> &'static str {
        match self {
            Self::T1 => "SUNW,UltraSPARC-T1",
            Self::T2 => "SUNW,UltraSPARC-T2",
            Self::T2Plus => "SUNW,UltraSPARC-T2+",
            Self::T3 => "SPARC-T3",
        }
    }

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::T1 => "UltraSPARC T1",
            Self::T2 => "UltraSPARC T2",
            Self::T2Plus => "UltraSPARC T2+",
            Self::T3 => "SPARC T3",
        }
    }

    /// Returns the title of its manual.
    #[must_use]
    pub const fn manual(self) -> &'static str {
        match self {
            Self::T1 => "UltraSPARC T1 Supplement to the UltraSPARC Architecture 2005",
            Self::T2 => "UltraSPARC T2 Supplement to the UltraSPARC Architecture 2007",
            Self::T2Plus => "UltraSPARC T2+ Supplement to the UltraSPARC Architecture 2007",
            Self::T3 => "SPARC T3 Supplement to the UltraSPARC Architecture 2007",
        }
    }

    /// Returns the number of events before a counter's wrap on which it can first overflow.
    ///
    /// T2's counter sets its overflow bit on the first event that it counts from a value between -16 and -1, so that the
    /// trap is precise: the value is -15 then (OpenSPARC T2, pmu_pct_ctl.v, "Near-overflow values (-16..-1) for each
    /// counter" and set_ovl_spec; illumos-gate, niagara2regs.h, PIC_IN_OV_RANGE). T1's overflows at the wrap
    /// (OpenSPARC T1, tlu_pib.v, "generating the over-flow").
    #[inline(always)]
    #[must_use]
    pub const fn early(self) -> u64 {
        match self {
            Self::T1 => 0,
            Self::T2 | Self::T2Plus | Self::T3 => 15,
        }
    }
}

/// Whether the driver's writes of %pcr reach the bit that counts in the hypervisor (HT).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Privilege {
    /// They do not: hardware ignores the bit in a kernel's write.
    Kernel,
    /// They do: the program is hyperprivileged, or its writes go through the hypervisor's call for it (SETPERF), to
    /// which it has the right.
    Hypervisor,
}

/// What the unit of a processor has. Driver and device are created from the same capabilities.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Capabilities {
    /// The processor.
    pub model: Model,
    /// Whether it can count in the hypervisor.
    pub privilege: Privilege,
}

impl Capabilities {
    /// Returns the capabilities of a processor's unit, as a kernel has them.
    #[must_use]
    pub const fn of(model: Model) -> Self {
        Self { model, privilege: Privilege::Kernel }
    }

    /// Returns the capabilities of the processor with this name in the machine description.
    ///
    /// # Errors
    /// Returns [`Error::NoUnit`] if this family does not have it.
    pub fn discover(compatible: &str) -> Result<Self> {
        let reason = "the machine description names no UltraSPARC T1, T2, T2+ or SPARC T3";
        Model::of_compatible(compatible).map(Self::of).ok_or(Error::NoUnit { reason })
    }

    /// Sets the privilege. The caller promises that writes of %pcr have it; [`Niagara::detect`](super::Niagara::detect)
    /// tries it.
    #[must_use]
    pub const fn with(self, privilege: Privilege) -> Self {
        Self { privilege, ..self }
    }

    /// Returns true if there is T1's unit, whose counters cannot be stopped singly.
    #[inline(always)]
    #[must_use]
    pub const fn is_t1(&self) -> bool {
        matches!(self.model, Model::T1)
    }

    /// Returns the modes that can be counted. T1 counts nothing in the hypervisor.
    #[must_use]
    pub const fn modes(&self) -> Modes {
        match (self.model, self.privilege) {
            (Model::T1, _) | (_, Privilege::Kernel) => Modes::ALL,
            (_, Privilege::Hypervisor) => Modes::ALL.and(Modes::HYPERVISOR),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_found_by_their_names() {
        for model in Model::ALL {
            assert_eq!(Capabilities::discover(model.compatible()).map(|found| found.model), Ok(model));
        }
        assert!(matches!(Capabilities::discover("SPARC-T4"), Err(Error::NoUnit { .. })));
    }

    #[test]
    fn processors_are_found_by_their_versions() {
        let model = |implementation| Model::of_version(Ver::of(0x3E, implementation, 2));
        assert_eq!([0x22, 0x23, 0x24].map(model), [None, Some(Model::T1), Some(Model::T2)]);
    }

    #[test]
    fn the_hypervisor_is_counted_only_by_who_has_the_right() {
        let kernel = Capabilities::of(Model::T2);
        assert_eq!(kernel.modes(), Modes::ALL);
        assert_eq!(kernel.with(Privilege::Hypervisor).modes(), Modes::ALL.and(Modes::HYPERVISOR));
        assert_eq!(Capabilities::of(Model::T1).with(Privilege::Hypervisor).modes(), Modes::ALL);
    }
}
