//! The fields of the control registers that belong to one counter.

use super::model::Model;
use super::registers::Freeze;
use super::words::Words;
use crate::event::CounterId;

/// What a request puts into the fields of its counter. It does not depend on the counter, and is kept in
/// [`Slot::bits`](crate::driver::Slot).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Own(u64);

/// A field of [`Own`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    shift: u32,
    width: u32,
}

impl Field {
    /// PMCnSEL.
    pub(super) const SELECT: Self = Self { shift: 0, width: 8 };
    /// PMCnUNIT, from POWER7 on.
    pub(super) const UNIT: Self = Self { shift: 8, width: 4 };
    /// PMCnCOMB, from POWER7 on.
    pub(super) const COMBINE: Self = Self { shift: 12, width: 2 };
    /// The counter's adder takes the bus's higher lanes; up to POWER6.
    pub(super) const ADDER: Self = Self { shift: 14, width: 1 };
    /// Load look-ahead: whether its state has to match, and the state; POWER6.
    pub(super) const LOOK_AHEAD: Self = Self { shift: 15, width: 2 };
    /// The selector of the event bus differs on PMC3 and PMC4; POWER5+ and POWER6.
    pub(super) const SWAPS: Self = Self { shift: 17, width: 1 };
    /// The counter's field of MMCR3; POWER10.
    pub(super) const SOURCE: Self = Self { shift: 20, width: 15 };
    /// The states in which it does not count: its field of MMCR2, from POWER8 on.
    pub(super) const FREEZE: Self = Self { shift: 40, width: 9 };

    const fn mask(self) -> u64 {
        (1 << self.width) - 1
    }
}

impl Own {
    /// Fields that select nothing.
    pub(super) const NOTHING: Self = Self(0);

    /// Fields with this selector.
    pub(super) const fn selecting(select: u64) -> Self {
        Self::NOTHING.with(Field::SELECT, select)
    }

    /// Sets a field that is 0.
    #[inline(always)]
    pub(super) const fn with(self, field: Field, value: u64) -> Self {
        Self(self.0 | (value & field.mask()) << field.shift)
    }

    /// Sets a field to 0.
    #[inline(always)]
    pub(super) const fn with_not(self, field: Field) -> Self {
        Self(self.0 & !(field.mask() << field.shift))
    }

    /// Returns the bits that differ from these fields. The bits of the registers that differ are those that
    /// [`Own::words`] returns for them.
    #[inline(always)]
    pub(super) const fn other_than(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    #[inline(always)]
    pub(super) const fn get(self, field: Field) -> u64 {
        self.0 >> field.shift & field.mask()
    }

    #[inline(always)]
    pub(super) const fn bits(self) -> u64 {
        self.0
    }

    #[inline(always)]
    pub(super) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Returns the control registers with these fields of a counter, and 0 elsewhere.
    pub(super) fn words(self, model: Model, counter: CounterId) -> Words {
        let number = u32::from(counter.number());
        match model {
            Model::Power4 | Model::Ppc970 => self.in_lanes(model, number),
            Model::Power5 | Model::Power5Plus | Model::Power6 => self.on_bus(model, number),
            Model::Power7 => Words { mmcr1: self.of_four(35, 1, number), ..Words::NOTHING },
            Model::Power8 => self.with_freezes(35, 1, counter),
            Model::Power9 | Model::Microwatt | Model::Power10 => self.with_freezes(38, 2, counter),
        }
    }

    /// On POWER4 and the 970 PMC1SEL and PMC2SEL are in MMCR0, and the others in MMCR1. The lowest bit of POWER4's
    /// PMC8SEL is in MMCRA too.
    fn in_lanes(self, model: Model, number: u32) -> Words {
        let select = self.get(Field::SELECT);
        let adder = self.get(Field::ADDER) << ADDERS[number as usize & 7];
        match number {
            0 | 1 => Words { mmcr0: select << (8 - 7 * number), mmcr1: adder, ..Words::NOTHING },
            2..=6 => Words { mmcr1: select << (37 - 5 * number) | adder, ..Words::NOTHING },
            _ => {
                let low = if model == Model::Power4 { (select & 1) << 17 } else { 0 };
                Words { mmcr1: select << 2 | adder, mmcra: low, ..Words::NOTHING }
            }
        }
    }

    /// On POWER5 a selector has seven bits, and on POWER6 eight. PMC5 and PMC6 have none.
    fn on_bus(self, model: Model, number: u32) -> Words {
        if number > 3 {
            return Words::NOTHING;
        }
        let (first, swaps_at) = if model == Model::Power6 { (24, 5) } else { (25, 4) };
        let swapped = if number >= 2 { self.get(Field::SWAPS) << swaps_at } else { 0 };
        let select = (self.get(Field::SELECT) ^ swapped) << (first - 8 * number);
        let look_ahead = self.get(Field::LOOK_AHEAD);
        let look_ahead = (look_ahead & 1) << (44 - number) | look_ahead >> 1 << (39 - number);
        Words { mmcr1: select | self.get(Field::ADDER) << (35 - number) | look_ahead, ..Words::NOTHING }
    }

    /// Returns MMCR1 with PMCnUNIT, PMCnSEL and PMCnCOMB, from POWER7 on. PMC5 and PMC6 have none. PMCnCOMB has `bits`
    /// bits, and the lowest bit of PMC1COMB is `first`.
    #[inline(always)]
    fn of_four(self, first: u32, bits: u32, number: u32) -> u64 {
        if number > 3 {
            return 0;
        }
        let combine = self.get(Field::COMBINE) << (first - bits * number);
        self.get(Field::UNIT) << (60 - 4 * number) | self.get(Field::SELECT) << (24 - 8 * number) | combine
    }

    /// Adds the counter's fields of MMCR2 and MMCR3, from POWER8 on.
    #[inline(always)]
    fn with_freezes(self, first: u32, bits: u32, counter: CounterId) -> Words {
        let number = u32::from(counter.number());
        Words {
            mmcr1: self.of_four(first, bits, number),
            mmcr2: Freeze::from_bits_truncate(self.get(Field::FREEZE) as u16).of(counter),
            mmcr3: if number > 3 { 0 } else { self.get(Field::SOURCE) << (49 - 15 * number) },
            ..Words::NOTHING
        }
    }

    /// Returns the fields of a counter that does not count: it selects nothing, and is frozen everywhere.
    #[inline(always)]
    pub(super) const fn idle(model: Model) -> Self {
        match model {
            Model::Ppc970 => Self::selecting(8),
            Model::Power8 | Model::Power9 | Model::Microwatt | Model::Power10 => {
                Self::NOTHING.with(Field::FREEZE, Freeze::EVERYWHERE.bits() as u64)
            }
            _ => Self::NOTHING,
        }
    }
}

/// The bit of MMCR1 that is PMCn_ADDER_SEL, on POWER4 and the 970.
const ADDERS: [u32; 8] = [39, 38, 33, 32, 36, 37, 34, 35];

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: [Field; 8] = [
        Field::SELECT,
        Field::UNIT,
        Field::COMBINE,
        Field::ADDER,
        Field::LOOK_AHEAD,
        Field::SWAPS,
        Field::SOURCE,
        Field::FREEZE,
    ];

    fn words(own: Own, model: Model, number: u8) -> Words {
        own.words(model, CounterId::new(number).unwrap())
    }

    #[test]
    fn fields_are_disjoint() {
        for (number, field) in FIELDS.iter().enumerate() {
            let alone = Own::NOTHING.with(*field, u64::MAX);
            assert!(FIELDS.iter().enumerate().all(|(other, it)| alone.get(*it) == 0 || other == number), "{number}");
        }
    }

    #[test]
    fn counters_parts_are_disjoint_in_every_register() {
        for model in Model::ALL {
            let own = |field: &Field| match *field {
                Field::SELECT if model < Model::Power5 => 0x1F,
                Field::SELECT => 0x7F,
                Field::COMBINE if model <= Model::Power8 => 1,
                Field::FREEZE => Freeze::EVERYWHERE.bits().into(),
                _ => u64::MAX,
            };
            let own = FIELDS.iter().fold(Own::NOTHING, |all, field| all.with(*field, own(field)));
            let parts = (0..8).map(|number| words(own, model, number));
            let usable = if model < Model::Power5 { 8 } else { 6 };
            parts.take(usable).fold(Words::NOTHING, |all, part| {
                let registers = [(all.mmcr0, part.mmcr0), (all.mmcr1, part.mmcr1), (all.mmcr2, part.mmcr2)];
                let more = [(all.mmcr3, part.mmcr3), (all.mmcra, part.mmcra)];
                assert!(registers.iter().chain(&more).all(|(all, part)| all & part == 0), "{model:?}");
                all | part
            });
        }
    }

    #[test]
    fn selectors_are_where_the_tables_have_them() {
        let select = |model, number| {
            let words = words(Own::selecting(1), model, number);
            (words.mmcr0, words.mmcr1)
        };
        assert_eq!([select(Model::Ppc970, 0), select(Model::Ppc970, 1)], [(1 << 8, 0), (1 << 1, 0)]);
        assert_eq!([select(Model::Ppc970, 2), select(Model::Ppc970, 7)], [(0, 1 << 27), (0, 1 << 2)]);
        assert_eq!([select(Model::Power5, 0), select(Model::Power5, 3)], [(0, 1 << 25), (0, 1 << 1)]);
        assert_eq!([select(Model::Power9, 0), select(Model::Power9, 3)], [(0, 1 << 24), (0, 1)]);
        assert_eq!(words(Own::selecting(1), Model::Power4, 7).mmcra, 1 << 17);
    }

    #[test]
    fn fields_differ_in_the_registers_where_they_differ_themselves() {
        let all = |value| FIELDS.iter().fold(Own::NOTHING, |all, field| all.with(*field, value));
        let (one, other) = (all(0x5A5A), all(0x3C3C));
        for model in Model::ALL {
            for number in 0..8 {
                let both = words(one, model, number) ^ words(other, model, number);
                assert_eq!(words(one.other_than(other), model, number), both, "{model:?}");
            }
        }
    }

    #[test]
    fn combine_grew_to_two_bits_on_power9() {
        let combine = |model, number| words(Own::NOTHING.with(Field::COMBINE, 1), model, number).mmcr1;
        assert_eq!([combine(Model::Power8, 0), combine(Model::Power8, 3)], [1 << 35, 1 << 32]);
        assert_eq!([combine(Model::Power9, 0), combine(Model::Power9, 3)], [1 << 38, 1 << 32]);
    }

    #[test]
    fn power6_has_other_bus_selectors_on_its_last_two_counters() {
        let own = Own::selecting(0x80).with(Field::SWAPS, 1);
        let select = |number| words(own, Model::Power6, number).mmcr1 >> (24 - 8 * number) & 0xFF;
        assert_eq!([select(0), select(1), select(2), select(3)], [0x80, 0x80, 0xA0, 0xA0]);
    }
}
