//! Boots Debian's Linux beneath the example hypervisor, on every processor that Linux has a driver for. The tests are the
//! guest's.

use anyhow::Result;

use super::Selection;
use super::serial::Report;
use crate::at_once::at_once;
use crate::guest::{Boot, Guest, Linux};
use crate::progress::Step;
use crate::tally::Tally;

/// Boot each of these processors once, and the newest ones with a newer kernel as well.
///
/// # Errors
/// The hypervisor does not compile, Debian's kernels cannot be had, or QEMU cannot be started.
pub(super) fn run(selection: &Selection) -> Result<Tally> {
    let mut boots = Vec::new();
    for linux in Linux::ALL {
        boots.extend(linux.boots(&selection.identities)?);
    }
    if boots.is_empty() {
        return Ok(Tally::default());
    }
    let guest = &Guest::have()?;
    at_once(boots.iter().map(|boot| move || hear(guest, boot, selection))).into_iter().collect()
}

fn hear(guest: &Guest, boot: &Boot, selection: &Selection) -> Result<Tally> {
    let step = Step::begin(boot.to_string());
    let mut report = Report::default();
    let ending = guest.run(boot, selection.limit, |line| report.hear(line))?;
    let tally = report.conclude(ending).within(&boot.to_string());
    step.end(&tally.to_string());
    Ok(tally)
}
