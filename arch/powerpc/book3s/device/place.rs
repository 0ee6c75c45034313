//! Maps numbers to the registers of the unit.

use crate::arch::powerpc::Spr;

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
    Freezes,
    /// MMCR3.
    Sources,
    /// MMCRA.
    Marks,
    /// SIAR.
    Instruction,
    /// SDAR.
    Datum,
    /// SIER, SIER2, SIER3.
    Sampled(usize),
}

/// The distance of a register from the copy that problem state can read.
const COPY: u16 = 16;

impl Place {
    /// Returns the register with a number, or `None` if it does not belong to a Book3S 64 unit.
    #[inline(always)]
    pub(super) const fn of(at: Spr) -> Option<Self> {
        match at.number() | COPY {
            number @ 787..=794 => Some(Self::Counter((number - 787) as usize)),
            795 => Some(Self::Control),
            798 => Some(Self::Selects),
            785 => Some(Self::Freezes),
            786 => Some(Self::Marks),
            796 => Some(Self::Instruction),
            797 => Some(Self::Datum),
            784 => Some(Self::Sampled(0)),
            number @ 752..=753 => Some(Self::Sampled((number - 751) as usize)),
            754 => Some(Self::Sources),
            _ => None,
        }
    }

    /// Returns true if it is in group A, which problem state can be permitted to write (Power ISA 2.07B Book III-S,
    /// section 9.4.1, "Performance Monitor SPRs").
    #[inline(always)]
    pub(super) const fn is_in_group_a(self) -> bool {
        matches!(self, Self::Counter(_) | Self::Control | Self::Freezes | Self::Marks)
    }
}

/// Returns true if this is the number by which problem state accesses the register.
#[inline(always)]
pub(super) const fn is_copy(at: Spr) -> bool {
    at.number() & COPY == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_register_and_its_copy_lead_to_one_place() {
        let all: Vec<_> = (736..800).filter_map(Spr::from_number).collect();
        for at in &all {
            let other = Spr::from_number(at.number() ^ COPY).unwrap();
            assert!(Place::of(*at).is_some() && Place::of(*at) == Place::of(other), "{at:?} and {other:?}");
            assert_ne!(is_copy(*at), is_copy(other));
        }
        assert_eq!(all.len(), 36);
    }

    #[test]
    fn the_classic_units_registers_lead_nowhere() {
        assert!((900..1024).filter_map(Spr::from_number).all(|at| Place::of(at).is_none()));
    }
}
