//! The processor, and what its unit has, by the version register.
//!
//! Sources of the versions: torvalds/linux arch/sparc/kernel/cpu.c (`manufacturer_info`) and
//! arch/sparc/include/asm/head.h, compared with illumos-gate, usr/src/uts/sun4u/sys/cheetahregs.h and spitregs.h.
//! Which of them count alike: illumos-gate, us234_pcbe.c (`us_pcbe_init`), and libpfm4, include/perfmon/pfmlib.h.

use super::registers::Pcr;
use crate::arch::sparc::{Half, Ver};
use crate::event::{Error, Result};

/// The models of processors that count alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Model {
    /// UltraSPARC I, II, IIi and IIe.
    Ultra12,
    /// UltraSPARC III.
    Ultra3,
    /// UltraSPARC III+ (III Cu) and IV.
    Ultra3Plus,
    /// UltraSPARC IIIi and IIIi+.
    Ultra3i,
    /// UltraSPARC IV+.
    Ultra4Plus,
}

impl Model {
    /// All models, from the oldest to the newest.
    pub const ALL: [Self; 5] = [Self::Ultra12, Self::Ultra3, Self::Ultra3Plus, Self::Ultra3i, Self::Ultra4Plus];

    const fn of_version(version: Ver) -> Option<Self> {
        match (version.manufacturer(), version.implementation()) {
            (0x17, 0x10..=0x13) | (0x22, 0x10) => Some(Self::Ultra12),
            (0x3E, 0x14) => Some(Self::Ultra3),
            (0x3E, 0x15 | 0x18) => Some(Self::Ultra3Plus),
            (0x3E, 0x16 | 0x22) => Some(Self::Ultra3i),
            (0x3E, 0x19) => Some(Self::Ultra4Plus),
            _ => None,
        }
    }

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ultra12 => "UltraSPARC I and II",
            Self::Ultra3 => "UltraSPARC III",
            Self::Ultra3Plus => "UltraSPARC III+ and IV",
            Self::Ultra3i => "UltraSPARC IIIi",
            Self::Ultra4Plus => "UltraSPARC IV+",
        }
    }

    /// Returns the title of its manual.
    #[must_use]
    pub const fn manual(self) -> &'static str {
        match self {
            Self::Ultra12 => "UltraSPARC I/II User's Manual (802-7220-02), appendix \"Performance Instrumentation\"",
            Self::Ultra3 | Self::Ultra3Plus => "UltraSPARC III Cu User's Manual, chapter 14",
            Self::Ultra3i => "UltraSPARC IIIi User's Manual, chapter \"Performance Instrumentation\"",
            Self::Ultra4Plus => "UltraSPARC IV+ User's Manual, chapter \"Performance Instrumentation\"",
        }
    }
}

/// What the unit of a processor has. Driver and device are created from the same capabilities.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Capabilities {
    /// The processor.
    pub version: Ver,
    /// The model that it counts like.
    pub model: Model,
}

impl Capabilities {
    /// Decodes the version register.
    ///
    /// # Errors
    /// Returns [`Error::UnknownProcessor`], with the manufacturer as its family and the implementation as its model.
    pub const fn discover(version: Ver) -> Result<Self> {
        match Model::of_version(version) {
            Some(model) => Ok(Self { version, model }),
            None => Err(Error::UnknownProcessor {
                family: version.manufacturer() as u32,
                model: version.implementation() as u32,
            }),
        }
    }

    /// Returns true if overflows interrupt and there is an event to park an idle counter on: from III on.
    #[inline(always)]
    #[must_use]
    pub const fn interrupts(&self) -> bool {
        !matches!(self.model, Model::Ultra12)
    }

    /// Returns the bits of %pcr.
    #[must_use]
    pub const fn control(&self) -> Pcr {
        let largest = self.largest_select();
        let selects = Pcr::selecting(Half::Pic0, largest).union(Pcr::selecting(Half::Pic1, largest));
        Pcr::MODES.union(Pcr::PRIVILEGED).union(selects)
    }

    /// Returns the largest selector.
    #[must_use]
    pub const fn largest_select(&self) -> u8 {
        if self.interrupts() { 0x3F } else { 0xF }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_found_by_their_version() {
        let found = |manufacturer, implementation| {
            Capabilities::discover(Ver::of(manufacturer, implementation, 0x20)).map(|found| found.model)
        };
        assert_eq!([0x10, 0x11, 0x12, 0x13].map(|version| found(0x17, version)), [Ok(Model::Ultra12); 4]);
        assert_eq!(found(0x22, 0x10), Ok(Model::Ultra12));
        assert_eq!(found(0x3E, 0x14), Ok(Model::Ultra3));
        assert_eq!([0x15, 0x18].map(|version| found(0x3E, version)), [Ok(Model::Ultra3Plus); 2]);
        assert_eq!([0x16, 0x22].map(|version| found(0x3E, version)), [Ok(Model::Ultra3i); 2]);
        assert_eq!(found(0x3E, 0x19), Ok(Model::Ultra4Plus));
        assert_eq!(found(0x3E, 0x23), Err(Error::UnknownProcessor { family: 0x3E, model: 0x23 }), "it is T1's");
        assert_eq!(found(0x04, 0x05), Err(Error::UnknownProcessor { family: 0x04, model: 0x05 }), "it is SPARC64 V's");
    }

    #[test]
    fn the_selectors_of_the_first_two_are_narrower() {
        let control = |implementation, manufacturer| {
            Capabilities::discover(Ver::of(manufacturer, implementation, 0)).map(|found| found.control().bits())
        };
        assert_eq!(control(0x11, 0x17), Ok(0x78F7));
        assert_eq!(control(0x14, 0x3E), Ok(0x1_FBF7));
    }
}
