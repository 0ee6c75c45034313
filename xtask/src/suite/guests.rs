//! Boots Debian's Linux beneath the example hypervisors, on every processor that Linux has a driver for. The tests are
//! the guest's.

use anyhow::Result;

use super::Selection;
use crate::at_once::at_once;
use crate::guest::{self, Boot};
use crate::progress::Step;
use crate::serial::Report;
use crate::tally::Tally;

/// Boot each of these processors that its extent boots, and some of the newest ones of x86 with a newer kernel as well.
///
/// # Errors
/// A hypervisor does not compile, Debian's kernels cannot be had, or QEMU cannot be started.
pub(super) fn run(selection: &Selection) -> Result<Tally> {
    let mut identities = selection.identities.clone();
    identities.retain(|&identity| selection.extent.has_guests(identity));
    let boots = guest::boots(&identities, selection.extent)?;
    at_once(boots.iter().map(|boot| move || hear(boot.as_ref(), selection))).into_iter().collect()
}

fn hear(boot: &dyn Boot, selection: &Selection) -> Result<Tally> {
    let step = Step::begin(boot.to_string());
    let mut report = Report::default();
    let ending = boot.run(selection.limit, &mut |line| report.hear(line))?;
    let tally = report.conclude(ending).within(&boot.to_string());
    step.end(&tally.to_string());
    Ok(tally.run_again_by(&format!("--only guests --identity {}", boot.identity())))
}
