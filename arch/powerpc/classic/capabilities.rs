//! The classic processor, and what its unit has, by the processor version register.
//!
//! The version is PVR's upper half, the revision its lower ("PowerPC Microprocessor Family: The
//! Programming Environments for 32-Bit Microprocessors", "Processor Version Register (PVR)"; the
//! versions themselves are in each processor's user's manual, section "PVR", and in its part
//! number specification). The 601 and 603 have no unit.

use super::registers::{Mmcr0, Mmcr1, Mmcr2};
use crate::arch::powerpc::Pvr;
use crate::arch::powerpc::period;
use crate::event::{CounterSet, Error, Result, Width};

/// The models of processors that count alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Model {
    /// 604: two counters.
    P604,
    /// 604e and 604ev: four.
    P604e,
    /// 740, 745, 750, 755 and IBM's 750CX, 750CXe, 750FX, 750GX and 750CL: four, with events of
    /// their own.
    P750,
    /// 7400 and 7410: four, and a multiplier for the threshold.
    P7400,
    /// 7441 to 7457 and 7448: six.
    P745x,
}

impl Model {
    /// All models, from the oldest to the newest.
    pub const ALL: [Self; 5] = [Self::P604, Self::P604e, Self::P750, Self::P7400, Self::P745x];

    const fn of_version(version: u32) -> Option<Self> {
        match version {
            0x0004 => Some(Self::P604),
            0x0009 | 0x000A => Some(Self::P604e),
            0x0008 | 0x7000 | 0x7002 => Some(Self::P750),
            0x000C | 0x800C => Some(Self::P7400),
            0x8000..=0x8004 => Some(Self::P745x),
            _ => None,
        }
    }

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::P604 => "PowerPC 604",
            Self::P604e => "PowerPC 604e",
            Self::P750 => "PowerPC 750",
            Self::P7400 => "PowerPC 7400",
            Self::P745x => "PowerPC 745x",
        }
    }

    /// Returns the title of its manual.
    #[must_use]
    pub const fn manual(self) -> &'static str {
        match self {
            Self::P604 => "PowerPC 604 RISC Microprocessor User's Manual, chapter 9",
            Self::P604e => "PowerPC 604e RISC Microprocessor User's Manual, chapter 9",
            Self::P750 => "MPC750 RISC Microprocessor Family User's Manual, chapter 11",
            Self::P7400 => "MPC7400 RISC Microprocessor User's Manual, chapter 11",
            Self::P745x => "MPC7450 RISC Microprocessor Family Reference Manual, chapter 11",
        }
    }

    const fn counters(self) -> u8 {
        match self {
            Self::P604 => 2,
            Self::P604e | Self::P750 | Self::P7400 => 4,
            Self::P745x => 6,
        }
    }
}

/// What the unit of a processor has. Driver and device are created from the same capabilities.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Capabilities {
    /// The processor's version: PVR's upper half.
    pub version: u32,
    /// Its revision: PVR's lower half.
    pub revision: u32,
    /// The model that it counts like.
    pub model: Model,
    /// The counters. Counter 0 is PMC1.
    pub counters: CounterSet,
    /// The bits of MMCR0.
    pub control: Mmcr0,
    /// The bits of MMCR1; none if there is no such register.
    pub selects: Mmcr1,
    /// The bits of MMCR2; none if there is no such register.
    pub extension: Mmcr2,
}

/// The versions of the processors of this line that have no unit: 601, and 603, 603e, 603ev.
const WITHOUT: [u32; 4] = [0x0001, 0x0003, 0x0006, 0x0007];

impl Capabilities {
    /// The shortest period of instructions, or of events that happen at most once for each, that may repeat while the kernel
    /// is counted.
    pub const LEAST_IN_KERNEL: u64 = period::LEAST_IN_KERNEL;
    /// The shortest period of other events that may repeat while the kernel is counted.
    pub const LEAST_OF_OTHERS_IN_KERNEL: u64 = period::LEAST_OF_OTHERS_IN_KERNEL;
    /// The shortest period of instructions or cycles that may repeat while the kernel is not counted.
    pub const LEAST_IN_USER: u64 = period::LEAST_IN_USER;

    /// The width of a counter, on every processor. A counter overflows when its top bit becomes 1.
    pub const WIDTH: Width = Width::top_bit(32).expect("a width of 32 bits");

    /// Decodes the processor version register.
    ///
    /// # Errors
    /// Returns [`Error::NoUnit`] for the 601 and 603, and [`Error::UnknownProcessor`], with the version as its
    /// family and the revision as its model.
    pub const fn discover(pvr: Pvr) -> Result<Self> {
        let (version, revision) = (pvr.version() as u32, pvr.revision() as u32);
        match Model::of_version(version) {
            Some(model) => Ok(Self::of(model, version, revision)),
            None if is_one_of(&WITHOUT, version) => Err(Error::NoUnit { reason: "PVR is that of a 601 or 603" }),
            None => Err(Error::UnknownProcessor { family: version, model: revision }),
        }
    }

    const fn of(model: Model, version: u32, revision: u32) -> Self {
        let (third, last) = (Mmcr1::SELECT_3.union(Mmcr1::SELECT_4), Mmcr1::SELECT_5.union(Mmcr1::SELECT_6));
        let (selects, extension) = match model {
            Model::P604 => (Mmcr1::empty(), Mmcr2::empty()),
            Model::P604e | Model::P750 => (third, Mmcr2::empty()),
            Model::P7400 => (third, Mmcr2::all()),
            Model::P745x => (third.union(last), Mmcr2::MULTIPLIER),
        };
        let counters = CounterSet::first(model.counters());
        Self { version, revision, model, counters, control: Mmcr0::all(), selects, extension }
    }

    /// Returns true if there is MMCR1.
    #[inline(always)]
    #[must_use]
    pub const fn has_selects(&self) -> bool {
        !self.selects.is_empty()
    }

    /// Returns true if there is MMCR2.
    #[inline(always)]
    #[must_use]
    pub const fn has_extension(&self) -> bool {
        !self.extension.is_empty()
    }
}

const fn is_one_of(versions: &[u32], version: u32) -> bool {
    match versions {
        [] => false,
        [first, rest @ ..] => *first == version || is_one_of(rest, version),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_found_by_their_version() {
        let found = |pvr| {
            Capabilities::discover(Pvr::from_bits(pvr))
                .map(|capabilities| (capabilities.model, capabilities.counters.len()))
        };
        assert_eq!(found(0x0004_0103), Ok((Model::P604, 2)));
        assert_eq!(found(0x0009_0204), Ok((Model::P604e, 4)));
        assert_eq!(found(0x0008_3100), Ok((Model::P750, 4)));
        assert_eq!(found(0x7002_0102), Ok((Model::P750, 4)));
        assert_eq!(found(0x800C_1103), Ok((Model::P7400, 4)));
        assert_eq!(found(0x8004_0202), Ok((Model::P745x, 6)));
    }

    #[test]
    fn processors_without_a_unit_and_unknowns_are_refused() {
        assert_eq!(
            Capabilities::discover(Pvr::from_bits(0x0006_0101)).err(),
            Some(Error::NoUnit { reason: "PVR is that of a 601 or 603" })
        );
        let unknown = Error::UnknownProcessor { family: 0x003F, model: 0x0201 };
        assert_eq!(Capabilities::discover(Pvr::from_bits(0x003F_0201)).err(), Some(unknown));
    }
}
