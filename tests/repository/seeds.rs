//! No test is flaky: what it draws is the same in every run.

use proptest::test_runner::{Config, RngSeed};

#[test]
fn what_proptest_draws_is_the_same_in_every_run() {
    assert!(matches!(Config::default().rng_seed, RngSeed::Fixed(_)), "PROPTEST_RNG_SEED is in .cargo/config.toml");
}
