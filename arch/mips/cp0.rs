//! The registers of coprocessor 0, by number and select.
//!
//! Sources: "MIPS32 Architecture For Programmers, volume III", table "Coprocessor 0 Registers"; "MIPS R10000
//! Microprocessor User's Manual", section 14.20, whose MTPS, MFPS, MTPC and MFPC are accesses of register 25 with the
//! selects 2n (control) and 2n+1 (counter); torvalds/linux arch/mips/include/asm/mipsregs.h has the same selects.

use core::fmt;

use crate::event::CounterId;

/// A register of coprocessor 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cp0 {
    number: u8,
    /// The select, and whether the register has 64 bits.
    select: u8,
}

/// The register has 64 bits, and DMFC0 and DMTC0 access it.
const WIDE: u8 = 1 << 3;

impl Cp0 {
    /// The number of counters that have selects.
    pub const COUNTERS: u8 = 4;

    /// The processor's identification (PRId).
    pub const PRID: Self = Self { number: 15, select: 0 };
    /// The second configuration register (Config1), which the R10000 does not have.
    pub const CONFIG1: Self = Self { number: 16, select: 1 };

    pub(in crate::arch::mips) const PERFORMANCE: u8 = 25;

    /// Returns the control of a counter (PerfCtl), or `None` if there is no such register.
    #[must_use]
    pub const fn control(counter: u8) -> Option<Self> {
        if counter < Self::COUNTERS { Some(Self::performance(2 * counter)) } else { None }
    }

    /// Returns a counter (PerfCnt), accessed as 32 bits, or `None` if there is no such register.
    #[must_use]
    pub const fn counter(counter: u8) -> Option<Self> {
        if counter < Self::COUNTERS { Some(Self::performance(2 * counter + 1)) } else { None }
    }

    /// Returns the register of a unit or of its detection with this number and select. For hypervisors, whose guests use
    /// any number.
    #[must_use]
    pub const fn from_number(number: u8, select: u8) -> Option<Self> {
        match (number, select) {
            (15, 0) | (16, 1) | (25, 0..=7) => Some(Self { number, select }),
            _ => None,
        }
    }

    const fn performance(select: u8) -> Self {
        Self { number: Self::PERFORMANCE, select }
    }

    /// Returns the number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.number
    }

    /// Returns the select.
    #[must_use]
    pub const fn select(self) -> u8 {
        self.select & !WIDE
    }

    /// Returns true if the register has 64 bits, as a driver knows that has read PerfCtl\[W\].
    #[inline(always)]
    #[must_use]
    pub const fn is_wide(self) -> bool {
        self.select & WIDE != 0
    }

    /// Returns the control of a counter, which must exist.
    #[inline(always)]
    pub(in crate::arch::mips) const fn control_of(counter: CounterId) -> Self {
        Self::performance((counter.number() & 3) * 2)
    }

    /// Returns the register of a counter, which must exist, and which may have 64 bits.
    #[inline(always)]
    pub(in crate::arch::mips) const fn counter_of(counter: CounterId, is_wide: bool) -> Self {
        let width = if is_wide { WIDE } else { 0 };
        Self::performance(((counter.number() & 3) * 2 + 1) | width)
    }
}

/// The manual's name.
impl fmt::Debug for Cp0 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.number, self.select()) {
            (15, _) => f.write_str("PRId"),
            (16, _) => f.write_str("Config1"),
            (_, select) if select % 2 == 0 => write!(f, "PerfCtl{}", select / 2),
            (_, select) => write!(f, "PerfCnt{}", select / 2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_have_even_selects_and_counters_odd_ones() {
        let select = |register: Option<Cp0>| register.map(|at| (at.number(), at.select()));
        assert_eq!((select(Cp0::control(0)), select(Cp0::counter(0))), (Some((25, 0)), Some((25, 1))));
        assert_eq!((select(Cp0::control(3)), select(Cp0::counter(3))), (Some((25, 6)), Some((25, 7))));
        assert_eq!((Cp0::control(4), Cp0::counter(4)), (None, None));
    }

    #[test]
    fn registers_print_as_the_manual_names_them() {
        let printed = [Cp0::PRID, Cp0::CONFIG1, Cp0::performance(2), Cp0::performance(7)].map(|at| format!("{at:?}"));
        assert_eq!(printed, ["PRId", "Config1", "PerfCtl1", "PerfCnt3"]);
    }

    #[test]
    fn registers_of_other_units_have_no_address() {
        assert_eq!([Cp0::from_number(12, 0), Cp0::from_number(16, 0), Cp0::from_number(25, 8)], [None; 3]);
        assert_eq!(Cp0::from_number(25, 4), Cp0::control(2));
    }
}
