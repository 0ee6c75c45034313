//! What a request takes on this unit: which counters can count it, and with which words.

use super::capabilities::Capabilities;
use super::events::{Meaning, rate};
use super::registers::Local;
use crate::arch::powerpc::Demand;
use crate::arch::powerpc::period::check_period;
use crate::event::{Flags, Mode, Modes, Refusal, Request, Result};

/// What a request takes on the unit that `capabilities` describe; the demand's word is PMLCan in its low half
/// and PMLCbn in its high half.
#[inline(always)]
pub(super) fn encode(capabilities: &Capabilities, request: &Request) -> Result<Demand, Refusal> {
    let meaning = Meaning::of(capabilities, request.event)?;
    check_refinements(request)?;
    check_period(request, || rate(meaning.number))?;
    let local = Local::of_event(meaning.number) | modes(request.modes)? | Local::CONDITION;
    let counters = request.usable(capabilities.counters, meaning.counters)?;
    let word = u64::from(local.bits()) | u64::from(meaning.threshold) << 32;
    Ok(Demand { counters, select: 0, word })
}

/// Every counter counts events, one by one.
fn check_refinements(request: &Request) -> Result<(), Refusal> {
    match request.flags.beyond(Flags::NONE) {
        Some(flag) => Err(Refusal::Flag(flag)),
        None if request.threshold != 0 => Err(Refusal::ThresholdTooLarge { largest: 0 }),
        None => Ok(()),
    }
}

/// Where the counter is frozen: wherever it was not asked for.
fn modes(modes: Modes) -> Result<Local, Refusal> {
    if modes == Modes::NONE || !Modes::ALL.covers(modes) {
        return Err(Refusal::Modes);
    }
    let user = if modes.contains(Mode::User) { Local::empty() } else { Local::FREEZE_USER };
    let kernel = if modes.contains(Mode::Kernel) { Local::empty() } else { Local::FREEZE_SUPERVISOR };
    Ok(user | kernel)
}
