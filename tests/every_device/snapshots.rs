//! The contents of a unit, saved and restored on another host.

use pmu::virt::{Device as _, Fault, RestoreError, Snapshot};

use super::{Family, StateOf};
use crate::support::put::put;

pub(crate) fn a_snapshot_comes_back_bit_for_bit<F: Family>() {
    for identity in F::identities() {
        let (unit, contents) = (F::unit(&identity), F::contents(&identity));
        assert!(!contents.is_empty());
        for contents in contents.into_iter().chain([unit.state(), StateOf::<F>::default()]) {
            assert_eq!(put(&unit, &contents), Ok(()), "{}", F::name(&identity));
            assert_eq!(unit.state(), contents, "{}", F::name(&identity));
        }
    }
}

/// Each bit of each word that the fullest contents lack, in a snapshot that is in order but for it.
pub(crate) fn one_bit_more_than_a_unit_holds_is_refused_and_changes_nothing<F: Family>() {
    for identity in F::identities() {
        let unit = F::unit(&identity);
        let (before, full) = (unit.state(), Snapshot::new(unit.fingerprint(), &F::contents(&identity)[0]));
        let missing = |bit: &usize| full.as_bytes()[32 + bit / 8] >> (bit % 8) & 1 == 0;
        for bit in (0..8 * (full.as_bytes().len() - 32)).filter(missing) {
            let mut forged = full.as_bytes().to_vec();
            forged[32 + bit / 8] |= 1 << (bit % 8);
            let refused = [Fault::Reserved, Fault::Absent].map(|fault| Err(RestoreError::Contents(fault)));
            let outcome = unit.restore(&forged);
            assert!(refused.contains(&outcome), "{}: bit {} of word {}", F::name(&identity), bit % 64, bit / 64);
            assert_eq!(unit.state(), before);
        }
    }
}

pub(crate) fn contents_are_taken_or_refused_for_their_reason<F: Family>() {
    assert!(!F::JUDGED.is_empty());
    for &(identity, change, outcome) in F::JUDGED {
        let unit = F::unit(&identity);
        let (before, mut contents) = (unit.state(), StateOf::<F>::default());
        change(&mut contents);
        assert_eq!(put(&unit, &contents), outcome, "{}: {contents:x?}", F::name(&identity));
        assert_eq!(unit.state(), if outcome.is_ok() { contents } else { before });
    }
}
