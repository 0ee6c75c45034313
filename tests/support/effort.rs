//! How much a run tries. The short run tries a sample, which is the same every time; `cargo xtask test --all` sets
//! PMU_EFFORT=whole, and everything is tried.

/// Returns true if everything is tried.
pub(crate) fn is_whole() -> bool {
    std::env::var("PMU_EFFORT").is_ok_and(|effort| effort == "whole")
}

/// Returns the one number in a whole run, and the other in a short one.
pub(crate) fn whole_or(whole: u64, short: u64) -> u64 {
    if is_whole() { whole } else { short }
}
