//! Do other libraries encode the events that both know as the crate does, and make up generic events alike?

use anyhow::Result;

use super::host;
use crate::place;
use crate::tally::Tally;

/// Ask libpfm4, which is linked for this alone, and PAPI's text.
///
/// # Errors
/// Cargo cannot be started.
pub(super) fn run() -> Result<Tally> {
    host::test("libpfm4's events and PAPI's presets", &place::libpfm(), None, "whole")
}
