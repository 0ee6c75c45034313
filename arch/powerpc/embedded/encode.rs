//! Encodes a request: the counters that can count it, and their PMLCan and PMLCbn.

use super::capabilities::Capabilities;
use super::events::{Meaning, rate};
use super::registers::Pmlca;
use crate::arch::powerpc::Demand;
use crate::arch::powerpc::period::SHORTEST;
use crate::event::{Mode, Modes, Refusal, Request, Result};

/// Encodes a request for the unit that `capabilities` describe. The demand's word is PMLCan in its low half
/// and PMLCbn in its high half.
#[inline(always)]
pub(super) fn encode(capabilities: &Capabilities, request: &Request) -> Result<Demand, Refusal> {
    let meaning = Meaning::of(capabilities, request.event)?;
    request.check_unrefined()?;
    SHORTEST.check(request, request.modes.contains(Mode::Kernel), || rate(meaning.number))?;
    let local = Pmlca::of_event(meaning.number) | modes(request.modes)? | Pmlca::CONDITION;
    let counters = request.usable(capabilities.counters, meaning.counters)?;
    let word = u64::from(local.bits()) | u64::from(meaning.threshold) << 32;
    Ok(Demand { counters, select: 0, word })
}

/// Returns the freezes for all modes that were not requested.
fn modes(modes: Modes) -> Result<Pmlca, Refusal> {
    if modes == Modes::NONE || !Modes::ALL.covers(modes) {
        return Err(Refusal::Modes { able: Modes::ALL });
    }
    let user = if modes.contains(Mode::User) { Pmlca::empty() } else { Pmlca::FREEZE_USER };
    let kernel = if modes.contains(Mode::Kernel) { Pmlca::empty() } else { Pmlca::FREEZE_SUPERVISOR };
    Ok(user | kernel)
}
