//! Encodes a request: the counters that can count it, and their configuration.

use super::capabilities::Capabilities;
use super::events;
use super::registers::Pmcfg;
use crate::event::{CounterSet, Mode, Modes, Refusal, Request, Result};
use crate::family::Shortest;

/// The counters that can count a request, and the configuration that it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Demand {
    /// The counters that can count it.
    pub(super) counters: CounterSet,
    /// Its configuration.
    pub(super) control: u64,
}

const SHORTEST: Shortest = Shortest {
    in_kernel: Capabilities::LEAST_IN_KERNEL,
    others_in_kernel: Capabilities::LEAST_OF_OTHERS_IN_KERNEL,
    in_user: Capabilities::LEAST_IN_USER,
};

/// Encodes a request for the unit that `capabilities` describe.
#[inline(always)]
pub(super) fn encode(capabilities: &Capabilities, request: &Request) -> Result<Demand, Refusal> {
    let number = events::number(request.event)?;
    request.check_unrefined()?;
    let levels = levels(request.modes)?;
    SHORTEST.check(request, request.modes.contains(Mode::Kernel), || events::rate(number))?;
    let counters = request.usable(capabilities.counters, capabilities.counters)?;
    Ok(Demand { counters, control: (Pmcfg::of_event(number) | levels | Pmcfg::INTERRUPT).bits() })
}

/// Returns the levels of the modes that were requested.
fn levels(modes: Modes) -> Result<Pmcfg, Refusal> {
    if modes == Modes::NONE || !Modes::ALL.covers(modes) {
        return Err(Refusal::Modes { able: Modes::ALL });
    }
    let user = if modes.contains(Mode::User) { Pmcfg::PLV3 | Pmcfg::PLV2 } else { Pmcfg::empty() };
    Ok(user | if modes.contains(Mode::Kernel) { Pmcfg::PLV0 } else { Pmcfg::empty() })
}
