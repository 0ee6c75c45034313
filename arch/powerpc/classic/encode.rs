//! Encodes a request: the counters that can count it, its selector, and what it needs in the fields that all
//! counters share.

use super::capabilities::Capabilities;
use super::events::{Meaning, rate};
use super::need::Need;
use super::registers::Mmcr0;
use crate::arch::powerpc::Demand;
use crate::arch::powerpc::period::SHORTEST;
use crate::event::{Mode, Modes, Refusal, Request, Result};

/// Encodes a request for the unit that `capabilities` describe. The demand's word is a [`Need`].
pub(super) fn encode(capabilities: &Capabilities, request: &Request) -> Result<Demand, Refusal> {
    let meaning = Meaning::of(capabilities, request.event)?;
    request.check_unrefined()?;
    SHORTEST.check(request, request.modes.contains(Mode::Kernel), || rate(capabilities, &meaning))?;
    let counters = request.usable(capabilities.counters, meaning.counters)?;
    let word = shared(&meaning, modes(request.modes)?).bits();
    Ok(Demand { counters, select: meaning.select, word })
}

fn shared(meaning: &Meaning, modes: Mmcr0) -> Need {
    let need = Need::frozen_in(modes);
    let Some(threshold) = meaning.threshold else { return need };
    let need = need.comparing(threshold.value);
    threshold.scale.map_or(need, |scale| need.scaled(scale))
}

/// Returns the freezes for all modes that were not requested.
fn modes(modes: Modes) -> Result<Mmcr0, Refusal> {
    if modes == Modes::NONE || !Modes::ALL.covers(modes) {
        return Err(Refusal::Modes { able: Modes::ALL });
    }
    let user = if modes.contains(Mode::User) { Mmcr0::empty() } else { Mmcr0::FREEZE_PROBLEM };
    let kernel = if modes.contains(Mode::Kernel) { Mmcr0::empty() } else { Mmcr0::FREEZE_SUPERVISOR };
    Ok(user | kernel)
}
