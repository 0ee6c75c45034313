//! The loops that other tests count have as many instructions as they are asked for, by a clock that is not the driver's.

use crate::Kernel;

/// Shows it.
pub fn test<K: Kernel>() {
    let empty = around::<K>(K::FEWEST) - K::FEWEST;
    for length in (K::FEWEST..300).chain([1000, 4321, 65_536, K::LONGEST_LOOP]) {
        assert_eq!(around::<K>(length), empty + length);
    }
}

#[inline(never)]
fn around<K: Kernel>(length: u64) -> u64 {
    let before = K::clock();
    K::exactly(length);
    K::clock() - before
}
