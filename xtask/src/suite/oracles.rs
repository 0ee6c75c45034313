//! Do other libraries encode the events that both know as the crate does, and make up generic events alike? Are others' names
//! known as often as the guide says?

use anyhow::Result;

use super::host;
use crate::tally::Tally;
use crate::{names, place};

/// Ask libpfm4, which is linked for this alone, PAPI's text, and perf's.
///
/// # Errors
/// Cargo cannot be started, or a list cannot be had.
pub(super) fn run() -> Result<Tally> {
    let tested = host::test("libpfm4's events and PAPI's presets", &place::oracles(), None, "whole")?;
    Ok([tested, names::check()?].into_iter().collect())
}
