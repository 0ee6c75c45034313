//! A processor that nobody knows is named, and its unit is not touched.

use pmu::Error;
use pmu::arch::powerpc::Pvr;
use pmu::driver::Plan;

use crate::family;
use crate::guest::{registers, unit};
use crate::identity;

/// A2, which has another unit; and nobody's.
const STRANGERS: [u16; 2] = [0x0048, 0x7777];

pub fn test() {
    let before = registers::snapshot();
    for version in STRANGERS {
        let found = family::detect_as(Pvr::from_bits(u32::from(version) << 16 | 0x0102));
        assert_eq!(found.err(), Some(Error::UnknownProcessor { family: version.into(), model: 0x0102 }));
    }
    let known = unit::detect().expect("the processor has a unit");
    assert_eq!(known.description().general, family::counters(&identity::presented().processor));
    assert_eq!(registers::snapshot(), before);
}
