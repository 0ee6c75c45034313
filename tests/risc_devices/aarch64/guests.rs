//! Hostile guests: whatever they do, the unit behaves as the manual's pseudocode.

use proptest::prelude::*;

use super::guest::{run, trap};

/// Marsaglia's xorshift.
fn noise(seed: u64) -> impl Iterator<Item = u8> {
    let step = |x: &u64| {
        let x = x ^ x << 13;
        let x = x ^ x >> 7;
        Some(x ^ x << 17)
    };
    std::iter::successors(Some(seed), step).flat_map(u64::to_le_bytes)
}

#[test]
fn random_accesses_from_every_level_do_what_the_pseudocode_does() {
    let mut accesses = 0;
    let mut bytes = noise(0x9E37_79B9_7F4A_7C15);
    while accesses < 200_000 {
        let guest: Vec<u8> = bytes.by_ref().take(4096).collect();
        accesses += run(&guest);
    }
}

#[test]
fn a_host_survives_any_syndrome_and_any_work() {
    let mut bytes = noise(0x0123_4567_89AB_CDEF);
    for _ in 0..200 {
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
