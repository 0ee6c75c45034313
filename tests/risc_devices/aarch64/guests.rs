//! Hostile guests: whatever they do, the unit behaves as the manual's pseudocode.

use proptest::prelude::*;

use crate::support::choices::noise;
use crate::support::effort;

use super::guest::{run, trap};

#[test]
fn random_accesses_from_every_level_do_what_the_pseudocode_does() {
    let mut accesses = 0;
    let mut bytes = noise(0x9E37_79B9_7F4A_7C15);
    while accesses < effort::whole_or(200_000, 40_000) {
        let guest: Vec<u8> = bytes.by_ref().take(4096).collect();
        accesses += run(&guest);
    }
}

#[test]
fn a_host_survives_any_syndrome_and_any_work() {
    let mut bytes = noise(0x0123_4567_89AB_CDEF);
    for _ in 0..effort::whole_or(200, 40) {
        let guest: Vec<u8> = bytes.by_ref().take(4096).collect();
        trap(&guest);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_short_guest_does_what_the_pseudocode_does(guest in prop::collection::vec(any::<u8>(), 0..600)) {
        run(&guest);
    }
}
