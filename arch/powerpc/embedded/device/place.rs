//! Maps numbers to the registers of the unit.

use crate::arch::powerpc::Pmr;

/// A register of the unit, with its number among those of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// PMCn.
    Counter(usize),
    /// PMLCan.
    Local(usize),
    /// PMLCbn.
    Threshold(usize),
    /// PMGC0.
    Global,
}

impl Place {
    /// Returns a register by its number or that of its copy.
    #[inline(always)]
    pub(super) const fn of(at: Pmr) -> Option<Self> {
        match at.supervisor().number() {
            number @ 16..=19 => Some(Self::Counter((number - 16) as usize)),
            number @ 144..=147 => Some(Self::Local((number - 144) as usize)),
            number @ 272..=275 => Some(Self::Threshold((number - 272) as usize)),
            400 => Some(Self::Global),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_register_leads_where_its_name_says_and_so_does_its_copy() {
        for number in 0..4u8 {
            let at = usize::from(number);
            assert_eq!(Pmr::counter(number).and_then(Place::of), Some(Place::Counter(at)));
            assert_eq!(Pmr::local(number).and_then(Place::of), Some(Place::Local(at)));
            assert_eq!(Pmr::threshold(number).and_then(Place::of), Some(Place::Threshold(at)));
        }
        let all = (0..1024).filter_map(Pmr::from_number);
        assert!(all.into_iter().all(|at| Place::of(at).is_some() && Place::of(at) == Place::of(at.user())));
    }
}
