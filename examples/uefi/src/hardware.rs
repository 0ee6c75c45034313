//! A processor that has a unit.

use pmu::arch::x86::access::{Cpuid, Hardware};

use crate::Mine;

pub const CPUID: Cpuid = Cpuid;
pub type Registers = Hardware<Mine>;

pub fn registers() -> Registers {
    // SAFETY: ring 0; nobody else programs the unit.
    unsafe { Registers::claim(Mine) }
}

pub fn executed(_: u64) {}
