//! No unit, one that is not Arm's, and one that forgets what is written to it: each is named, and none is changed.

use harness::{Disguise, Guest};
use metal::get;
use pmu::Error;
use pmu::arch::aarch64::SystemRegister;

use crate::guest::{Here, registers, unit};

pub fn test() {
    let before = registers::fingerprint();
    assert!(matches!(found(Disguise::Hidden), Some(Error::NoUnit { .. })));

    let midr = get!("midr_el1") as u32;
    let stranger = Error::UnknownProcessor { family: midr >> 24, model: midr >> 4 & 0xfff };
    assert_eq!(found(Disguise::Stranger), Some(stranger));

    let Some(Error::Swallowed { register, wrote, read }) = found(Disguise::SwallowsWrites) else {
        panic!("{:?} forgets what is written", Disguise::SwallowsWrites);
    };
    let select = SystemRegister::select(0).expect("there is one").number();
    assert_eq!((register, read), (select.into(), 0));
    assert_ne!(wrote, 0);

    assert_eq!(found(Disguise::None), None);
    assert_eq!(registers::fingerprint(), before);
}

/// What is wrong with the unit in this disguise.
fn found(disguise: Disguise) -> Option<Error> {
    Here::present(disguise);
    unit::detect().err()
}
