//! The fields of the control registers that belong to one counter.

use super::generation::Generation;
use super::registers::Freeze;
use super::words::Words;
use crate::event::CounterId;

/// What a request puts into the fields of its counter. It does not depend on the counter, and it fits into one word,
/// [`Slot::bits`](crate::Slot).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Own {
    /// PMCnSEL.
    pub(super) select: u8,
    /// PMCnUNIT, from POWER7 on.
    pub(super) unit: u8,
    /// PMCnCOMB, from POWER7 on.
    pub(super) combine: u8,
    /// The counter's adder takes the bus's higher lanes; up to POWER6.
    pub(super) adder: bool,
    /// Load look-ahead: whether its state has to match, and the state; POWER6.
    pub(super) look_ahead: u8,
    /// Selectors of the event bus differ on PMC3 and PMC4; POWER6.
    pub(super) swaps: bool,
    /// The counter's part of MMCR3; POWER10.
    pub(super) source: u16,
    /// Where it does not count; from POWER8 on.
    pub(super) freeze: Freeze,
}

impl Own {
    pub(super) const fn to_bits(self) -> u64 {
        self.select as u64
            | (self.unit as u64) << 8
            | (self.combine as u64) << 12
            | (self.adder as u64) << 14
            | (self.look_ahead as u64) << 15
            | (self.swaps as u64) << 17
            | (self.source as u64) << 20
            | (self.freeze.bits() as u64) << 40
    }

    #[inline(always)]
    pub(super) const fn from_bits(bits: u64) -> Self {
        Self {
            select: bits as u8,
            unit: (bits >> 8 & 0xF) as u8,
            combine: (bits >> 12 & 3) as u8,
            adder: bits >> 14 & 1 != 0,
            look_ahead: (bits >> 15 & 3) as u8,
            swaps: bits >> 17 & 1 != 0,
            source: (bits >> 20 & 0x7FFF) as u16,
            freeze: Freeze::from_bits_truncate((bits >> 40) as u16),
        }
    }

    /// Returns the control registers with these fields of a counter, and 0 elsewhere.
    pub(super) fn words(self, generation: Generation, counter: CounterId) -> Words {
        let number = u32::from(counter.number());
        match generation {
            Generation::Power4 | Generation::Ppc970 => self.in_lanes(generation, number),
            Generation::Power5 | Generation::Power5Plus | Generation::Power6 => self.on_bus(generation, number),
            Generation::Power7 => Words { mmcr1: self.of_four(35, 1, number), ..Words::NOTHING },
            Generation::Power8 => self.with_freezes(35, 1, counter),
            Generation::Power9 | Generation::Power10 => self.with_freezes(38, 2, counter),
        }
    }

    /// On POWER4 and the 970 PMC1SEL and PMC2SEL are in MMCR0, and the others in MMCR1. The lowest bit of POWER4's
    /// PMC8SEL is in MMCRA too.
    fn in_lanes(self, generation: Generation, number: u32) -> Words {
        let select = u64::from(self.select);
        let adder = u64::from(self.adder) << ADDERS[number as usize & 7];
        match number {
            0 | 1 => Words { mmcr0: select << (8 - 7 * number), mmcr1: adder, ..Words::NOTHING },
            2..=6 => Words { mmcr1: select << (37 - 5 * number) | adder, ..Words::NOTHING },
            _ => {
                let low = if generation == Generation::Power4 { (select & 1) << 17 } else { 0 };
                Words { mmcr1: select << 2 | adder, mmcra: low, ..Words::NOTHING }
            }
        }
    }

    /// On POWER5 a selector has seven bits, and on POWER6 eight. PMC5 and PMC6 have none.
    fn on_bus(self, generation: Generation, number: u32) -> Words {
        if number > 3 {
            return Words::NOTHING;
        }
        let swapped = if self.swaps && number >= 2 { 0x20 } else { 0 };
        let first = if generation == Generation::Power6 { 24 } else { 25 };
        let select = u64::from(self.select ^ swapped) << (first - 8 * number);
        let look_ahead =
            u64::from(self.look_ahead & 1) << (44 - number) | u64::from(self.look_ahead >> 1) << (39 - number);
        Words { mmcr1: select | u64::from(self.adder) << (35 - number) | look_ahead, ..Words::NOTHING }
    }

    /// Returns MMCR1 with PMCnUNIT, PMCnSEL and PMCnCOMB, from POWER7 on. PMC5 and PMC6 have none. PMCnCOMB has `bits`
    /// bits, and the lowest bit of PMC1COMB is `first`.
    fn of_four(self, first: u32, bits: u32, number: u32) -> u64 {
        if number > 3 {
            return 0;
        }
        let combine = u64::from(self.combine) << (first - bits * number);
        u64::from(self.unit) << (60 - 4 * number) | u64::from(self.select) << (24 - 8 * number) | combine
    }

    /// Adds the counter's fields of MMCR2 and MMCR3, from POWER8 on.
    fn with_freezes(self, first: u32, bits: u32, counter: CounterId) -> Words {
        let number = u32::from(counter.number());
        Words {
            mmcr1: self.of_four(first, bits, number),
            mmcr2: self.freeze.of(counter),
            mmcr3: if number > 3 { 0 } else { u64::from(self.source) << (49 - 15 * number) },
            ..Words::NOTHING
        }
    }

    /// Returns the fields of a counter that does not count: it selects nothing, and is frozen everywhere.
    pub(super) const fn idle(generation: Generation) -> Self {
        let nothing = Self::from_bits(0);
        match generation {
            Generation::Ppc970 => Self { select: 8, ..nothing },
            Generation::Power8 | Generation::Power9 | Generation::Power10 => {
                Self { freeze: Freeze::EVERYWHERE, ..nothing }
            }
            _ => nothing,
        }
    }
}

/// The bit of MMCR1 that is PMCn_ADDER_SEL, on POWER4 and the 970.
const ADDERS: [u32; 8] = [39, 38, 33, 32, 36, 37, 34, 35];

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Own = Own {
        select: 0xFF,
        unit: 0xF,
        combine: 3,
        adder: true,
        look_ahead: 3,
        swaps: true,
        source: 0x7FFF,
        freeze: Freeze::EVERYWHERE,
    };

    fn words(own: Own, generation: Generation, number: u8) -> Words {
        own.words(generation, CounterId::new(number).unwrap())
    }

    #[test]
    fn a_counters_own_part_fits_into_a_slot() {
        assert_eq!(Own::from_bits(ALL.to_bits()), ALL);
        assert_eq!(Own::from_bits(0).to_bits(), 0);
    }

    #[test]
    fn counters_parts_are_disjoint_in_every_register() {
        for generation in Generation::ALL {
            let own = Own { select: if generation < Generation::Power5 { 0x1F } else { 0x7F }, ..ALL };
            let own = Own { combine: if generation <= Generation::Power8 { 1 } else { 3 }, ..own };
            let parts = (0..8).map(|number| words(own, generation, number));
            let usable = if generation < Generation::Power5 { 8 } else { 6 };
            parts.take(usable).fold(Words::NOTHING, |all, part| {
                let registers = [(all.mmcr0, part.mmcr0), (all.mmcr1, part.mmcr1), (all.mmcr2, part.mmcr2)];
                let more = [(all.mmcr3, part.mmcr3), (all.mmcra, part.mmcra)];
                assert!(registers.iter().chain(&more).all(|(all, part)| all & part == 0), "{generation:?}");
                all | part
            });
        }
    }

    #[test]
    fn selectors_are_where_the_tables_have_them() {
        let select = |generation, number| {
            let words = words(Own { select: 1, ..Own::default() }, generation, number);
            (words.mmcr0, words.mmcr1)
        };
        assert_eq!([select(Generation::Ppc970, 0), select(Generation::Ppc970, 1)], [(1 << 8, 0), (1 << 1, 0)]);
        assert_eq!([select(Generation::Ppc970, 2), select(Generation::Ppc970, 7)], [(0, 1 << 27), (0, 1 << 2)]);
        assert_eq!([select(Generation::Power5, 0), select(Generation::Power5, 3)], [(0, 1 << 25), (0, 1 << 1)]);
        assert_eq!([select(Generation::Power9, 0), select(Generation::Power9, 3)], [(0, 1 << 24), (0, 1)]);
        assert_eq!(words(Own { select: 1, ..Own::default() }, Generation::Power4, 7).mmcra, 1 << 17);
    }

    #[test]
    fn combine_grew_to_two_bits_on_power9() {
        let combine = |generation, number| words(Own { combine: 1, ..Own::default() }, generation, number).mmcr1;
        assert_eq!([combine(Generation::Power8, 0), combine(Generation::Power8, 3)], [1 << 35, 1 << 32]);
        assert_eq!([combine(Generation::Power9, 0), combine(Generation::Power9, 3)], [1 << 38, 1 << 32]);
    }

    #[test]
    fn power6_has_other_bus_selectors_on_its_last_two_counters() {
        let own = Own { select: 0x80, swaps: true, ..Own::default() };
        let select = |number| words(own, Generation::Power6, number).mmcr1 >> (24 - 8 * number) & 0xFF;
        assert_eq!([select(0), select(1), select(2), select(3)], [0x80, 0x80, 0xA0, 0xA0]);
    }
}
