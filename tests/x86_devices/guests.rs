//! Hostile guests: whatever they do, the unit sets no reserved bit and does not panic.

use proptest::prelude::*;

use super::oracle::Oracle;
use crate::support::hostile::{run, run_a_million};

#[test]
fn a_million_random_accesses_do_what_the_manual_allows() {
    run_a_million::<Oracle>();
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_short_guest_does_what_the_manual_allows(guest in prop::collection::vec(any::<u8>(), 0..600)) {
        run::<Oracle>(&guest);
    }
}
