//! The registers of the unit, which are control and status registers, and the words of CPUCFG that describe it.
//!
//! Sources: "LoongArch Reference Manual, volume 1", tables of the control and status registers and of the words of CPUCFG;
//! torvalds/linux arch/loongarch/include/asm/loongarch.h has the same numbers, and PERFCTRL and PERFCNTR for PMCFG and
//! PMCNT. One sentence of the manual has them at 200H + n and 201H + n, its table and Linux at 200H + 2n and 201H + 2n.

use core::fmt;

use crate::event::CounterId;

/// A register of the unit, or a word that describes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Register(u16);

/// A word of CPUCFG. The number of a control and status register has 14 bits.
const WORD: u16 = 1 << 14;
/// PMCFG0.
const FIRST: u16 = 0x200;

impl Register {
    /// The number of counters that have registers here. Every known processor has so many; the manual has numbers for more.
    pub const COUNTERS: u8 = 4;

    /// The processor's identification (PRID), word 0 of CPUCFG.
    pub const PRID: Self = Self(WORD);
    /// What the unit has, word 6 of CPUCFG.
    pub const UNIT: Self = Self(WORD | 6);

    /// Returns the configuration of a counter (PMCFG), or `None` if there is no such register.
    #[doc(alias = "PERFCTRL")]
    #[must_use]
    pub const fn control(counter: u8) -> Option<Self> {
        if counter < Self::COUNTERS { Some(Self(FIRST + 2 * counter as u16)) } else { None }
    }

    /// Returns a counter (PMCNT), or `None` if there is no such register.
    #[doc(alias = "PERFCNTR")]
    #[must_use]
    pub const fn counter(counter: u8) -> Option<Self> {
        if counter < Self::COUNTERS { Some(Self(FIRST + 2 * counter as u16 + 1)) } else { None }
    }

    /// Returns the control and status register of the unit with this number. For hypervisors, whose guests use any number.
    #[must_use]
    pub const fn from_number(number: u16) -> Option<Self> {
        match number {
            0x200..=0x207 => Some(Self(number)),
            _ => None,
        }
    }

    /// Returns the word of CPUCFG with this number, if it is one that describes the unit. For hypervisors.
    #[must_use]
    pub const fn from_word(number: u64) -> Option<Self> {
        match number {
            0 => Some(Self::PRID),
            6 => Some(Self::UNIT),
            _ => None,
        }
    }

    /// Returns the number of the register, or of the word.
    #[inline(always)]
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0 & !WORD
    }

    /// Returns true if it is a word of CPUCFG, and no control and status register.
    #[inline(always)]
    #[must_use]
    pub const fn is_word(self) -> bool {
        self.0 & WORD != 0
    }

    /// Returns the configuration of a counter, which must exist.
    #[inline(always)]
    pub(in crate::arch::loongarch) const fn control_of(counter: CounterId) -> Self {
        Self(FIRST | (counter.number() as u16 & 3) << 1)
    }

    /// Returns the register of a counter, which must exist.
    #[inline(always)]
    pub(in crate::arch::loongarch) const fn counter_of(counter: CounterId) -> Self {
        Self(Self::control_of(counter).0 | 1)
    }
}

/// The manual's name.
impl fmt::Debug for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.number();
        match (self.is_word(), number & 1) {
            (true, _) => write!(f, "CPUCFG.{number:#x}"),
            (false, 0) => write!(f, "PMCFG{}", (number - FIRST) / 2),
            (false, _) => write!(f, "PMCNT{}", (number - FIRST) / 2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_have_even_numbers_and_counters_odd_ones() {
        let number = |register: Option<Register>| register.map(Register::number);
        assert_eq!([number(Register::control(0)), number(Register::counter(0))], [Some(0x200), Some(0x201)]);
        assert_eq!([number(Register::control(3)), number(Register::counter(3))], [Some(0x206), Some(0x207)]);
        assert_eq!([Register::control(4), Register::counter(4)], [None; 2]);
        let counter = CounterId::new(2).unwrap();
        assert_eq!(Some(Register::control_of(counter)), Register::control(2));
        assert_eq!(Some(Register::counter_of(counter)), Register::counter(2));
    }

    #[test]
    fn registers_print_as_the_manual_names_them() {
        let registers = [Some(Register::PRID), Some(Register::UNIT), Register::control(1), Register::counter(3)];
        let printed: Vec<_> = registers.into_iter().flatten().map(|at| format!("{at:?}")).collect();
        assert_eq!(printed, ["CPUCFG.0x0", "CPUCFG.0x6", "PMCFG1", "PMCNT3"]);
    }

    #[test]
    fn registers_that_are_not_the_units_have_no_address() {
        assert_eq!([Register::from_number(0x1FF), Register::from_number(0x208), Register::from_word(1)], [None; 3]);
        assert_eq!(Register::from_number(0x204), Register::control(2));
        assert_eq!([Register::from_word(0), Register::from_word(6)], [Some(Register::PRID), Some(Register::UNIT)]);
    }
}
