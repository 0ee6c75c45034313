//! The registers of the unit, and the bits of each.

use crate::arch::x86::Msr;
use crate::arch::x86::p6::{Capabilities, Select};

/// A register of the unit, with its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// PerfEvtSel0 or PerfEvtSel1.
    Select(usize),
    /// PerfCtr0 or PerfCtr1.
    Counter(usize),
}

impl Place {
    /// Returns the register at an address, or `None` if it is not the unit's (SDM vol. 4, "MSRs in the P6 Family
    /// Processors").
    #[inline(always)]
    pub(super) const fn of(at: Msr) -> Option<Self> {
        match at.address() {
            0x0C1 => Some(Self::Counter(0)),
            0x0C2 => Some(Self::Counter(1)),
            0x186 => Some(Self::Select(0)),
            0x187 => Some(Self::Select(1)),
            _ => None,
        }
    }
}

/// The bits that exist, and whether overflows can interrupt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    has_apic: bool,
}

impl Limits {
    pub(super) const fn of(capabilities: &Capabilities) -> Self {
        Self { has_apic: capabilities.has_apic }
    }

    /// Returns the bits of a counter.
    #[inline(always)]
    pub(super) const fn mask(&self) -> u64 {
        Capabilities::WIDTH.mask()
    }

    /// Returns true if there is a local APIC that interrupts.
    #[inline(always)]
    pub(super) const fn has_apic(&self) -> bool {
        self.has_apic
    }

    /// Returns the bits of a register, or `None` if there is no such register.
    #[inline(always)]
    pub(super) const fn bits(&self, place: Place) -> Option<u64> {
        match place {
            Place::Counter(0 | 1) => Some(self.mask()),
            Place::Select(0) => Some(Select::all().bits()),
            Place::Select(1) => Some(Select::all().difference(Select::ENABLE).bits()),
            _ => None,
        }
    }
}
