//! Boots Debian's Linux beneath the example hypervisor, on every processor that Linux has a driver for. The tests are the
//! guest's.

use anyhow::Result;

use super::Selection;
use super::serial::Report;
use crate::at_once::at_once;
use crate::guest::{self, Guest};
use crate::identity::Identity;
use crate::progress::Step;
use crate::tally::Tally;

/// Boot each of these processors once.
///
/// # Errors
/// The hypervisor does not compile, Debian's kernel cannot be had, or QEMU cannot be started.
pub(super) fn run(selection: &Selection) -> Result<Tally> {
    let identities = selection.identities.iter().copied().filter(|&identity| guest::driver(identity).is_some());
    let identities: Vec<_> = identities.collect();
    if identities.is_empty() {
        return Ok(Tally::default());
    }
    let guest = &Guest::have()?;
    at_once(identities.into_iter().map(|identity| move || boot(guest, identity, selection))).into_iter().collect()
}

fn boot(guest: &Guest, identity: Identity, selection: &Selection) -> Result<Tally> {
    let step = Step::begin(format!("Debian's Linux on {identity}"));
    let mut report = Report::default();
    let ending = guest.run(identity, selection.limit, |line| report.hear(line))?;
    let tally = report.conclude(ending).within(&format!("Linux on {identity}"));
    step.end(&tally.to_string());
    Ok(tally)
}
