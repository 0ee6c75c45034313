//! What a request takes on this unit: which counters can count it, and with which half of CESR.

use super::capabilities::Capabilities;
use super::events::Meaning;
use super::registers::Select;
use crate::arch::x86::Demand;
use crate::event::{CounterSet, Flag, Flags, Mode, Modes, Refusal, Request, Result};

/// The flags that the unit has.
pub(super) const FLAGS: Flags = Flags::NONE.with(Flag::PinControl);

/// Returns what a request takes on the unit that `capabilities` describe.
#[inline(always)]
pub(super) fn encode(capabilities: &Capabilities, request: &Request) -> Result<Demand, Refusal> {
    let Meaning { select, counters } = Meaning::of(capabilities, request.event)?;
    if request.sampling.is_some() {
        return Err(Refusal::NoInterrupt);
    }
    let select = select | modes(request.modes)? | refine(request)?;
    let usable = request.usable(capabilities.counters, counters.and(capabilities.counters));
    let counters = usable.map_err(|refusal| refused_beside(capabilities.used_by_others, counters, request, refusal))?;
    Ok(Demand { counters, word: select.bits(), auxiliary: 0 })
}

/// Returns why no counter is usable: somebody else may have those that could be.
#[cold]
fn refused_beside(others: CounterSet, able: CounterSet, request: &Request, refusal: Refusal) -> Refusal {
    let held = able.and(others);
    request.usable(held, held).map_or(refusal, Refusal::UsedByOthers)
}

/// Returns the bits for these modes. A counter tells two modes apart: privilege level 3, and the others.
#[inline(always)]
fn modes(modes: Modes) -> Result<Select, Refusal> {
    if modes == Modes::NONE || !Modes::ALL.covers(modes) {
        return Err(Refusal::Modes { able: Modes::ALL });
    }
    let user = if modes.contains(Mode::User) { Select::USER } else { Select::empty() };
    let kernel = if modes.contains(Mode::Kernel) { Select::KERNEL } else { Select::empty() };
    Ok(user | kernel)
}

/// Returns the bits for a request's flags.
#[inline(always)]
fn refine(request: &Request) -> Result<Select, Refusal> {
    if let Some(flag) = request.flags.beyond(FLAGS) {
        return Err(Refusal::Flag(flag));
    }
    if request.threshold != 0 {
        return Err(Refusal::ThresholdTooLarge { largest: 0 });
    }
    Ok(if request.flags.contains(Flag::PinControl) { Select::PIN_CONTROL } else { Select::empty() })
}
