//! Hostile guests: what they find is what the oracle finds.

use proptest::prelude::*;

use super::run;
use crate::support::choices::a_million;

#[test]
fn a_million_random_accesses_find_what_the_oracle_finds() {
    a_million(run);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_short_guest_finds_what_the_oracle_finds(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        run(&bytes);
    }
}
