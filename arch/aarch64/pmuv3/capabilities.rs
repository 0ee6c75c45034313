//! What a processor announces of its unit.
//!
//! Source: Arm Architecture Reference Manual for A-profile (DDI 0487 M.a), section D24.2, pages of
//! ID_AA64DFR0_EL1 (PMUVer, HPMN0), ID_AA64DFR1_EL1 (PMICNTR), ID_AA64PFR0_EL1 (EL2, EL3) and
//! MIDR_EL1; PMUVer is read by the scheme of D24.1.3.2, "Alternative ID scheme used for the
//! Performance Monitors Extension version".

use super::registers;
use super::registers::{Announced, Machine, Pmcr, Select, counters};
use crate::arch::aarch64::SystemRegister;
use crate::contract::Registers;
use crate::event::{CounterSet, Error, Result};

/// The exception level that the driver runs at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Privilege {
    /// EL1: a kernel, or the kernel of a guest.
    El1,
    /// EL2: a hypervisor, or a kernel that runs there.
    El2,
}

/// What the unit of a processor has. Driver and device are created from the same capabilities.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Capabilities {
    /// The processor (MIDR_EL1).
    pub processor: u32,
    /// The unit's version: 0 is PMUv3, n is PMUv3p`n`.
    pub version: u8,
    /// The number of event counters that the driver's level sees: 0 to 31.
    pub event_counters: u8,
    /// The level that the driver runs at.
    pub privilege: Privilege,
    /// Whether there is EL2.
    pub has_hypervisor: bool,
    /// Whether there is EL3, and with it Secure state.
    pub has_monitor: bool,
    /// Whether there is an instruction counter (FEAT_PMUv3_ICNTR).
    pub has_instruction_counter: bool,
    /// Whether a hypervisor may lend no event counter at all (FEAT_HPMN0).
    pub may_lend_none: bool,
    /// The common events that it counts.
    pub announced: Announced,
    /// Parameters of the implementation.
    pub machine: Machine,
}

impl Capabilities {
    /// The number of the cycle counter, to which a request for cycles can be [pinned](crate::Request::pinned_to).
    pub const CYCLE_COUNTER: u8 = registers::CYCLE_COUNTER;
    /// The number of the instruction counter (FEAT_PMUv3_ICNTR).
    pub const INSTRUCTION_COUNTER: u8 = registers::INSTRUCTION_COUNTER;
    /// The number of the private interrupt (PPI) that the architecture recommends for the unit's overflows, as the
    /// interrupt controller returns it (D13.3.1). The firmware's tables take precedence (ACPI's MADT, "Performance
    /// Interrupt GSIV"; a device tree's node `pmu`).
    pub const INTERRUPT: u32 = 23;

    /// Reads the ID registers and those of the unit.
    ///
    /// # Errors
    /// Returns [`Error::NoUnit`] if there is none, and [`Error::UnknownProcessor`] if it is not PMUv3 (PMUVer
    /// is FH). Only PMCR_EL0, PMCEID0_EL0, PMCEID1_EL0 and PMMIR_EL1 of the unit are read, and only if it is
    /// PMUv3.
    pub fn discover<R: Registers<Address = SystemRegister>>(registers: &R) -> Result<Self> {
        let processor = registers.read(SystemRegister::PROCESSOR) as u32;
        let debug = registers.read(SystemRegister::DEBUG_FEATURES_0);
        let version = version(debug, processor)?;
        let levels = registers.read(SystemRegister::PROCESSOR_FEATURES);
        let events = [SystemRegister::EVENTS_0, SystemRegister::EVENTS_1].map(|at| registers.read(at));
        let icntr = version >= 9 && field(registers.read(SystemRegister::DEBUG_FEATURES_1), 36) != 0;
        Ok(Self {
            processor,
            version,
            event_counters: Pmcr::from_bits_retain(registers.read(SystemRegister::CONTROL)).counters(),
            privilege: privilege(registers.read(SystemRegister::LEVEL)),
            has_hypervisor: field(levels, 8) != 0,
            has_monitor: field(levels, 12) != 0,
            has_instruction_counter: icntr,
            may_lend_none: field(debug, 60) != 0,
            announced: Announced::of(events[0], events[1]),
            machine: Machine(if version >= 4 { registers.read(SystemRegister::MACHINE) } else { 0 }),
        })
    }

    /// Returns all counters: event counters from 0, cycles at 31, instructions at 32.
    #[inline(always)]
    #[must_use]
    pub const fn counters(&self) -> CounterSet {
        counters(self.event_counters, self.has_instruction_counter)
    }

    /// Returns true if event counters can overflow from 64 bits.
    #[inline(always)]
    #[must_use]
    pub const fn has_long_events(&self) -> bool {
        self.version >= 5
    }

    /// Returns true if user programs can be given some counters without the others (PMUACR_EL1).
    #[inline(always)]
    #[must_use]
    pub const fn has_user_access(&self) -> bool {
        self.version >= 9
    }

    /// Returns true if counting can be prohibited, and the cycle counter can be made to follow (PMCR_EL0.DP).
    #[must_use]
    pub const fn can_prohibit(&self) -> bool {
        self.has_monitor || self.has_hypervisor && self.version >= 1 || self.version >= 7
    }

    /// Returns the bits that select an event.
    #[must_use]
    pub const fn event_bits(&self) -> Select {
        if self.version >= 1 { Select::EVENT } else { Select::from_bits_retain(0x3FF) }
    }
}

/// Returns the field of four bits at bit `from` of an ID register.
const fn field(register: u64, from: u32) -> u8 {
    (register >> from & 0xF) as u8
}

/// Decodes PMUVer: 1 is PMUv3, 4 is PMUv3p1, 5 is p4, 6 is p5, and from 7 on the value is the version's.
fn version(debug_features: u64, processor: u32) -> Result<u8> {
    match field(debug_features, 8) {
        0 => Err(Error::NoUnit { reason: "ID_AA64DFR0_EL1.PMUVer is 0" }),
        1..=3 => Ok(0),
        4 => Ok(1),
        5 => Ok(4),
        6 => Ok(5),
        0xF => Err(Error::UnknownProcessor { family: processor >> 24, model: processor >> 4 & 0xFFF }),
        version => Ok(version),
    }
}

/// Decodes CurrentEL, which has the level in bits 2 and 3.
const fn privilege(current: u64) -> Privilege {
    if current >> 2 & 0b11 >= 2 { Privilege::El2 } else { Privilege::El1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_what_its_field_says() {
        let versions = [1, 4, 5, 6, 7, 8, 9].map(|field| version(field << 8, 0));
        assert_eq!(versions, [Ok(0), Ok(1), Ok(4), Ok(5), Ok(7), Ok(8), Ok(9)]);
    }

    #[test]
    fn no_unit_and_a_unit_of_another_kind_are_told_apart() {
        assert_eq!(version(0, 0), Err(Error::NoUnit { reason: "ID_AA64DFR0_EL1.PMUVer is 0" }));
        let other = Error::UnknownProcessor { family: 0x61, model: 0x22 };
        assert_eq!(version(0xF00, 0x6102_0220), Err(other));
    }

    #[test]
    fn the_level_is_in_bits_2_and_3() {
        assert_eq!((privilege(0b0100), privilege(0b1000)), (Privilege::El1, Privilege::El2));
    }
}
