//! Does another library encode the events that both know as the crate does?

use anyhow::Result;

use super::host;
use crate::place;
use crate::tally::Tally;

/// Ask libpfm4, which is linked for this alone.
///
/// # Errors
/// Cargo cannot be started.
pub(super) fn run() -> Result<Tally> {
    host::test("libpfm4's events", &place::libpfm(), None)
}
