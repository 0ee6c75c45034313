//! What the Pentium 4's driver does to its unit: finding it, encoding, placing, presetting, saving.

mod detecting;
mod device;
mod encoding;
mod errata;
mod oracle;
mod placing;
mod state;

use crate::support::bare;
use crate::support::memory::Msrs;
pub(crate) use bare::counter;
use pmu::arch::x86::Unattached;
use pmu::arch::x86::netburst::{Capabilities, Netburst, Share, View};

pub(crate) type Driver = Netburst<&'static Msrs, Unattached>;

/// The driver of a unit, over registers that only keep what is written.
pub(crate) type Bench = bare::Bench<Driver>;

/// A Pentium 4 of model 2 with this view and share.
pub(crate) fn of(view: View, share: Share) -> Capabilities {
    let mut capabilities = Capabilities::of_model(2);
    (capabilities.view, capabilities.share) = (view, share);
    capabilities
}

impl Bench {
    pub(crate) fn new(capabilities: Capabilities) -> Self {
        Self::of(Netburst::new(registers(), Unattached, capabilities))
    }
}

pub(crate) fn registers() -> &'static Msrs {
    Msrs::leaked()
}
