//! The bits of CESR, which holds what both counters count.
//!
//! Sources: SDM vol. 3, "Performance Monitoring (Pentium Processors)", section "Control and Event Select Register (CESR)"
//! and its figure; checked against illumos-gate, usr/src/uts/intel/pcbe/p123_pcbe.c, and the manual page pmc.p5(3) of
//! FreeBSD.

use crate::contract::bit_set;

use crate::event::{CounterId, CounterSet};

bit_set! {
    /// What one counter counts: its half of CESR, moved to the lowest bits.
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Select: u64 {
        /// The event (ES).
        const EVENT as "ES" = 0x3F;
        /// Count while the privilege level is 0, 1 or 2 (the lowest bit of CC).
        const KERNEL = 1 << 6;
        /// Count while the privilege level is 3 (the middle bit of CC).
        const USER = 1 << 7;
        /// Count the clocks for which the event lasts, and not the events (the highest bit of CC).
        const CLOCKS = 1 << 8;
        /// Assert the counter's pin (PM0/BP0 or PM1/BP1) when it overflows, and not at each event (PC).
        const PIN_CONTROL as "PC" = 1 << 9;
    }
}

impl Select {
    /// The bits that select the event: an event code, as in [`crate::Event::Raw`].
    pub const CODE: Self = Self::EVENT.union(Self::CLOCKS);

    /// The counter control (CC). A counter whose CC is 0 counts nothing.
    pub const COUNTER_CONTROL: Self = Self::KERNEL.union(Self::USER).union(Self::CLOCKS);

    /// Returns the event's number.
    #[inline(always)]
    #[must_use]
    pub const fn event(self) -> u8 {
        (self.bits() & Self::EVENT.bits()) as u8
    }

    /// Returns true if a counter with this selection counts.
    #[inline(always)]
    #[must_use]
    pub const fn counts(self) -> bool {
        self.intersects(Self::KERNEL.union(Self::USER))
    }
}

/// CESR: the selections of both counters, counter 0's in the lower half.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cesr(u64);

/// The distance from a field of counter 0 to that of counter 1.
pub(super) const HALF: u32 = 16;

impl Cesr {
    /// The bits that exist.
    pub const ALL: Self = Self::of_each(Select::all());

    /// Keeps those bits of a value that exist. Of what is read the others are undefined.
    #[inline(always)]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// Returns the value of the register.
    #[inline(always)]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Selects the same for both counters.
    #[must_use]
    pub const fn of_each(select: Select) -> Self {
        Self(select.bits() | select.bits() << HALF)
    }

    /// Returns what a counter counts.
    #[inline(always)]
    #[must_use]
    pub const fn select(self, counter: CounterId) -> Select {
        Select::from_bits_truncate(self.0 >> shift(counter))
    }

    /// Replaces what a counter counts.
    #[inline(always)]
    #[must_use]
    pub const fn with(self, counter: CounterId, select: Select) -> Self {
        Self(self.0 & !(Select::all().bits() << shift(counter)) | select.bits() << shift(counter))
    }

    /// Leaves the halves of these counters, and clears the others.
    #[inline(always)]
    #[must_use]
    pub const fn halves(self, counters: CounterSet) -> Self {
        Self(self.0 & in_halves(Select::all(), counters))
    }

    /// Leaves the counter control of these counters, and clears it for the others, so that exactly these count. The events
    /// stay selected.
    #[inline(always)]
    #[must_use]
    pub const fn running(self, counters: CounterSet) -> Self {
        let control = Self::of_each(Select::COUNTER_CONTROL).0;
        Self(self.0 & (!control | in_halves(Select::COUNTER_CONTROL, counters)))
    }

    /// Returns the counters that count.
    #[must_use]
    pub const fn counting(self) -> CounterSet {
        let first = self.select(CounterId::ZERO).counts();
        let second = Select::from_bits_truncate(self.0 >> HALF).counts();
        CounterSet::from_bits(first as u64 | (second as u64) << 1)
    }
}

#[inline(always)]
const fn shift(counter: CounterId) -> u32 {
    (counter.number() as u32 & 1) * HALF
}

/// Returns these bits in the halves of these counters.
#[inline(always)]
const fn in_halves(select: Select, counters: CounterSet) -> u64 {
    (counters.bits() & 1 | (counters.bits() >> 1 & 1) << HALF) * select.bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: CounterId = CounterId::new(1).unwrap();

    #[test]
    fn the_second_counters_fields_are_sixteen_bits_above_the_firsts() {
        let control = Cesr::default().with(CounterId::ZERO, Select::from_bits_retain(0x96)).with(ONE, Select::all());
        assert_eq!(control.bits(), 0x03FF_0096);
        assert_eq!((control.select(CounterId::ZERO).event(), control.select(ONE)), (0x16, Select::all()));
    }

    #[test]
    fn a_counter_that_does_not_run_keeps_its_event() {
        let control = Cesr::from_bits(0x01D6_00D6);
        assert_eq!(control.running(CounterId::ZERO.only()).bits(), 0x0016_00D6);
        assert_eq!(control.running(ONE.only()).bits(), 0x01D6_0016);
        assert_eq!(control.running(CounterSet::EMPTY).counting(), CounterSet::EMPTY);
        assert_eq!(control.running(CounterSet::first(2)).counting(), CounterSet::first(2));
    }

    #[test]
    fn clocks_alone_count_nothing() {
        assert!(!Select::CLOCKS.counts() && (Select::CLOCKS | Select::USER).counts());
    }
}
