//! The fields of Book3S 64's registers, by the manual's names.
//!
//! Source: Power ISA 3.1 Book III, "Performance Monitor Facility"; PowerPC 970 User's Manual, "MMCR0" for PMC1SEL and PMC2SEL.

use super::capabilities::Capabilities;
use super::model::Model;
use super::registers::Mmcr0;
use crate::arch::powerpc::Spr;
use crate::contract::Field;

/// MMCR0 with the selectors of two counters.
const FIRST_CONTROL: &[Field] = &control::<16>(Mmcr0::of(Model::Power4));
/// MMCR0 from POWER5 to POWER7. What was FCWAIT there is FC1-4WAIT later.
const MIDDLE_CONTROL: &[Field] =
    &control::<16>(Mmcr0::of(Model::Power5).union(Mmcr0::PARTS).difference(Mmcr0::FREEZE_WAITING));
/// MMCR0 from POWER8 on.
const CONTROL: &[Field] = &control::<22>(Mmcr0::of(Model::Power8));
/// Microwatt's.
const CONTROL_OF_MICROWATT: &[Field] = &control::<20>(Mmcr0::of(Model::Microwatt));
/// Its MMCR1: units are kept, and mean nothing.
const SELECTS_OF_MICROWATT: &[Field] = SELECTS.split_at(4).0;

/// Returns the fields of an MMCR0 that has these bits. A bit that several fields have is in the first that is whole.
const fn control<const N: usize>(bits: Mmcr0) -> [Field; N] {
    let (mut fields, mut length, mut next, mut rest) = ([Mmcr0::FIELDS[0]; N], 0, 0, bits.bits());
    while next < Mmcr0::FIELDS.len() {
        let field = Mmcr0::FIELDS[next];
        if rest & field.bits == field.bits {
            (fields[length], length, rest) = (field, length + 1, rest & !field.bits);
        }
        next += 1;
    }
    assert!(length == N);
    fields
}

/// MMCR1 from POWER8 on.
const SELECTS: &[Field] = &[
    Field::new("PMC4SEL", 0xFF),
    Field::new("PMC3SEL", 0xFF << 8),
    Field::new("PMC2SEL", 0xFF << 16),
    Field::new("PMC1SEL", 0xFF << 24),
    Field::new("PMC4UNIT", 0xF << 48),
    Field::new("PMC3UNIT", 0xF << 52),
    Field::new("PMC2UNIT", 0xF << 56),
    Field::new("PMC1UNIT", 0xF << 60),
];
macro_rules! freezes {
    ($($counter:literal: $first:literal)*) => {
        &[$(
            Field::new(concat!("FC", $counter, "S"), 1 << $first),
            Field::new(concat!("FC", $counter, "P0"), 1 << ($first - 1)),
            Field::new(concat!("FC", $counter, "P1"), 1 << ($first - 2)),
            Field::new(concat!("FC", $counter, "M1"), 1 << ($first - 3)),
            Field::new(concat!("FC", $counter, "M0"), 1 << ($first - 4)),
            Field::new(concat!("FC", $counter, "WAIT"), 1 << ($first - 5)),
            Field::new(concat!("FC", $counter, "H"), 1 << ($first - 6)),
        )*]
    };
}
/// MMCR2: the states in which each counter does not count, from the highest bit of each on.
const FREEZES: &[Field] = freezes!(1: 63 2: 54 3: 45 4: 36 5: 27 6: 18);

impl Capabilities {
    /// Returns the fields of a register; none if it is one number, or its fields differ by unit.
    #[must_use]
    pub const fn fields(&self, at: Spr) -> &'static [Field] {
        let has_freezes = self.model.has_freezes();
        match at {
            Spr::MMCR0 if matches!(self.model, Model::Microwatt) => CONTROL_OF_MICROWATT,
            Spr::MMCR1 if matches!(self.model, Model::Microwatt) => SELECTS_OF_MICROWATT,
            Spr::MMCR0 if has_freezes => CONTROL,
            Spr::MMCR0 if matches!(self.model, Model::Power4 | Model::Ppc970) => FIRST_CONTROL,
            Spr::MMCR0 => MIDDLE_CONTROL,
            Spr::MMCR1 if has_freezes => SELECTS,
            Spr::MMCR2 if has_freezes => FREEZES,
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Identity;
    use super::*;

    #[test]
    fn a_bit_of_mmcr0_has_the_name_that_its_generation_gives_it() {
        let named =
            |identity: Identity, value| Field::explain(identity.capabilities().fields(Spr::MMCR0), value).to_string();
        assert_eq!(named(Identity::PPC970, 0x0132), "8-12 PMC1SEL = 0x1, 1-5 PMC2SEL = 0x19");
        assert_eq!(named(Identity::POWER7, 0x0032), "5 FC1-4, 4 FC5-6, no field 0x2");
        assert_eq!(named(Identity::POWER9, 0x0132), "8 CC56RUN, 5 FC1-4, 4 FC5-6, 1 FC1-4WAIT");
    }
}
