//! No unit, another vendor's, and one that forgets what is written to it: each is named, and none
//! is changed.

use pmu::Error;

use super::programs;
use crate::guest::{mischief, truth, unit};
use crate::hypercall::Disguise;
use crate::identity;

pub fn test() {
    let before = truth::fingerprint();
    assert_eq!(found(Disguise::Hidden), Some(Error::NoUnit));

    let (family, model) = identity::presented().processor.family_and_model();
    assert_eq!(found(Disguise::Stranger), Some(Error::UnknownProcessor { family, model }));

    let Some(Error::Swallowed { register, wrote, read }) = found(Disguise::SwallowsWrites) else {
        panic!("{:?} forgets what is written", Disguise::SwallowsWrites);
    };
    assert_eq!((register, read), (programs::select(), 0));
    assert_ne!(wrote, 0);

    assert_eq!(found(Disguise::None), None);
    assert_eq!(truth::fingerprint(), before);
}

/// What is wrong with the unit in this disguise.
fn found(disguise: Disguise) -> Option<Error> {
    mischief::present(disguise);
    unit::detect().err()
}
