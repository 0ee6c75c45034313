//! Maps numbers to the registers of the unit.

use crate::arch::powerpc::Spr;
use crate::arch::powerpc::classic::spr;

/// A register of the unit, with its number among those of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// A counter: 0 is PMC1.
    Counter(usize),
    /// MMCR0.
    Control,
    /// MMCR1.
    Selects,
    /// MMCR2.
    Extension,
    /// SIAR.
    Instruction,
    /// SDAR.
    Datum,
}

impl Place {
    /// Returns a register by its number or that of its copy, or `None` if it does not belong to a classic unit.
    #[inline(always)]
    pub(super) const fn of(at: Spr) -> Option<Self> {
        match spr::supervisor(at).number() {
            952 => Some(Self::Control),
            953 => Some(Self::Counter(0)),
            954 => Some(Self::Counter(1)),
            955 => Some(Self::Instruction),
            956 => Some(Self::Selects),
            957 => Some(Self::Counter(2)),
            958 => Some(Self::Counter(3)),
            959 => Some(Self::Datum),
            944 => Some(Self::Extension),
            945 => Some(Self::Counter(4)),
            946 => Some(Self::Counter(5)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_lead_where_their_names_say() {
        assert_eq!(Spr::CLASSIC_PMCS.map(Place::of), [0, 1, 2, 3, 4, 5].map(|number| Some(Place::Counter(number))));
        let controls = [Spr::CLASSIC_MMCR0, Spr::CLASSIC_MMCR1, Spr::CLASSIC_MMCR2].map(Place::of);
        assert_eq!(controls, [Place::Control, Place::Selects, Place::Extension].map(Some));
        assert_eq!(
            [Spr::CLASSIC_SIAR, Spr::CLASSIC_SDAR].map(Place::of),
            [Some(Place::Instruction), Some(Place::Datum)]
        );
    }

    #[test]
    fn every_register_and_its_copy_lead_to_one_place_and_book3s_registers_nowhere() {
        let all: Vec<_> = (0..1024).filter_map(Spr::from_number).collect();
        for at in &all {
            assert_eq!(Place::of(*at).is_some(), at.number() >= 900, "{at:?}");
            assert_eq!(Place::of(*at), Place::of(spr::supervisor(*at)));
        }
        assert_eq!(all.iter().filter(|at| Place::of(**at).is_some()).count(), 22);
    }
}
