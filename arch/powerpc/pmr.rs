//! The performance monitor registers of embedded cores, which MFPMR and MTPMR access by numbers of their own.
//!
//! Source: "PowerPC e500 Core Family Reference Manual", tables 7-1, "Performance Monitor Registers -
//! Supervisor Level", and 7-2, "Performance Monitor Registers - User Level (Read-Only)".

use core::fmt;

use crate::event::CounterId;

/// A performance monitor register, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pmr(u16);

impl Pmr {
    /// The number of counters that have addresses.
    pub const COUNTERS: u8 = 4;

    /// The control of all counters (PMGC0).
    pub const GLOBAL: Self = Self(400);
    /// The control of all counters, as user programs read it (UPMGC0).
    pub const USER_GLOBAL: Self = Self(384);

    const FIRST_COUNTER: u16 = 16;
    const FIRST_LOCAL: u16 = 144;
    const FIRST_THRESHOLD: u16 = 272;
    /// The distance of a register from its user copy.
    const USER: u16 = 16;

    /// Returns a counter (PMCn), or `None` if there is no such register.
    #[must_use]
    pub const fn counter(number: u8) -> Option<Self> {
        Self::one_of(Self::FIRST_COUNTER, number)
    }

    /// Returns the selection of a counter (PMLCan), or `None` if there is no such register.
    #[must_use]
    pub const fn local(number: u8) -> Option<Self> {
        Self::one_of(Self::FIRST_LOCAL, number)
    }

    /// Returns the threshold of a counter (PMLCbn), or `None` if there is no such register.
    #[must_use]
    pub const fn threshold(number: u8) -> Option<Self> {
        Self::one_of(Self::FIRST_THRESHOLD, number)
    }

    const fn one_of(first: u16, number: u8) -> Option<Self> {
        if number < Self::COUNTERS { Some(Self(first + number as u16)) } else { None }
    }

    /// Returns the register with this number, if it belongs to a unit. For hypervisors, whose guests use any
    /// number.
    #[must_use]
    pub const fn from_number(number: u16) -> Option<Self> {
        match number {
            0..=3 | 16..=19 | 128..=131 | 144..=147 | 256..=259 | 272..=275 | 384 | 400 => Some(Self(number)),
            _ => None,
        }
    }

    /// Returns the number.
    #[inline(always)]
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// Returns true if it is a copy that user programs can read.
    #[inline(always)]
    #[must_use]
    pub const fn is_user(self) -> bool {
        self.0 & Self::USER == 0
    }

    /// Returns the register that this one shows: itself, or the one that it is a copy of.
    #[inline(always)]
    #[must_use]
    pub const fn supervisor(self) -> Self {
        Self(self.0 | Self::USER)
    }

    /// Returns the copy of this register that user programs can read.
    #[inline(always)]
    #[must_use]
    pub const fn user(self) -> Self {
        Self(self.0 & !Self::USER)
    }

    /// Returns the register of a counter, which must exist.
    #[inline(always)]
    pub(in crate::arch::powerpc) const fn counter_of(counter: CounterId) -> Self {
        Self(Self::FIRST_COUNTER + (counter.number() & 3) as u16)
    }

    /// Returns the register of the selection of a counter, which must exist.
    #[inline(always)]
    pub(in crate::arch::powerpc) const fn local_of(counter: CounterId) -> Self {
        Self(Self::FIRST_LOCAL + (counter.number() & 3) as u16)
    }

    /// Returns the register of the threshold of a counter, which must exist.
    #[inline(always)]
    pub(in crate::arch::powerpc) const fn threshold_of(counter: CounterId) -> Self {
        Self(Self::FIRST_THRESHOLD + (counter.number() & 3) as u16)
    }
}

/// The manual's name.
impl fmt::Debug for Pmr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let user = if self.is_user() { "U" } else { "" };
        match self.supervisor().0 {
            400 => write!(f, "{user}PMGC0"),
            number @ 272.. => write!(f, "{user}PMLCb{}", number - Self::FIRST_THRESHOLD),
            number @ 144.. => write!(f, "{user}PMLCa{}", number - Self::FIRST_LOCAL),
            number => write!(f, "{user}PMC{}", number.wrapping_sub(Self::FIRST_COUNTER)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_where_the_manual_has_them() {
        let numbers = [Pmr::counter(3), Pmr::local(0), Pmr::threshold(1), Some(Pmr::GLOBAL), Pmr::local(4)];
        assert_eq!(numbers.map(|pmr| pmr.map(Pmr::number)), [Some(19), Some(144), Some(273), Some(400), None]);
        assert_eq!([Pmr::GLOBAL.user(), Pmr::USER_GLOBAL.supervisor()], [Pmr::USER_GLOBAL, Pmr::GLOBAL]);
    }

    #[test]
    fn every_register_has_a_user_copy_and_none_is_beyond() {
        let all: Vec<_> = (0..1024).filter_map(Pmr::from_number).collect();
        assert_eq!(all.len(), 26);
        let paired = |pmr: &Pmr| all.contains(&pmr.user()) && all.contains(&pmr.supervisor());
        assert!(all.iter().all(paired));
    }

    #[test]
    fn registers_print_as_the_manual_names_them() {
        let printed = |number| format!("{:?}", Pmr(number));
        assert_eq!([2, 19, 130, 272, 384].map(printed), ["UPMC2", "PMC3", "UPMLCa2", "PMLCb0", "UPMGC0"]);
    }
}
