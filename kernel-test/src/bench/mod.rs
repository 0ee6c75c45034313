//! The bench.

/// What the guest runs.
pub fn run() {}
