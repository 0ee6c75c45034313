//! Hostile guests of a MIPS unit: what they find is what the oracle finds.

mod guest;

use proptest::prelude::*;

#[test]
fn a_million_random_accesses_find_what_the_oracle_finds() {
    guest::run_a_million();
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_short_guest_finds_what_the_oracle_finds(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        guest::run(&bytes);
    }
}
