//! What a request takes on this unit: which counters can count it, and with which words.

use super::code::{FIELDS, MODES, Selection, WAYS};
use super::events::selections;
use super::facts::{Facts, Privilege};
use super::registers::{Control, Freeze};
use crate::arch::powerpc::period::check_period;
use crate::arch::powerpc::{LEAST_IN_KERNEL, LEAST_OF_OTHERS_IN_KERNEL};
use crate::assign::{self, Field};
use crate::counter::CounterSet;
use crate::error::{Refusal, Result};
use crate::event::{Event, Flags, Generic, Mode, Modes, Request};

/// What one request takes.
pub type Demand = assign::Demand<WAYS, FIELDS>;

/// What a request takes on the unit that `facts` describe.
pub(super) fn encode(facts: &Facts, request: &Request) -> Result<Demand, Refusal> {
    let mut selections = selections(facts, request.event)?;
    check_refinements(request)?;
    let is_of_instructions = request.event == Event::Generic(Generic::Instructions);
    let in_kernel = if is_of_instructions { LEAST_IN_KERNEL } else { LEAST_OF_OTHERS_IN_KERNEL };
    check_period(request, Facts::WIDTH, in_kernel)?;
    let frozen = frozen(facts, request.modes)?;
    for selection in &mut selections {
        selection.counters = selection.counters.and(facts.usable);
        *selection = in_modes(facts, *selection, frozen);
    }
    keep(facts, &mut selections, request)?;
    Ok(Demand { ways: selections.map(|selection| selection.way()) })
}

/// Every counter counts events, one by one: edges and thresholds are part of their codes.
fn check_refinements(request: &Request) -> Result<(), Refusal> {
    match request.flags.beyond(Flags::NONE) {
        Some(flag) => Err(Refusal::Flag(flag)),
        None if request.threshold != 0 => Err(Refusal::ThresholdTooLarge { largest: 0 }),
        None => Ok(()),
    }
}

/// The modes that the unit tells apart: where the kernel is its own hypervisor, no other is above
/// it, and what it has for guests is not counted.
pub(super) const fn modes(facts: &Facts) -> Modes {
    match facts.privilege {
        Privilege::Supervisor => Modes::ALL.and(Modes::HYPERVISOR),
        Privilege::Hypervisor => Modes::ALL,
    }
}

/// The states in which a request does not count.
fn frozen(facts: &Facts, asked: Modes) -> Result<Freeze, Refusal> {
    if asked == Modes::NONE || !modes(facts).covers(asked) {
        return Err(Refusal::Modes);
    }
    let (kernel, above) = match facts.privilege {
        Privilege::Supervisor => (Freeze::SUPERVISOR, Freeze::HYPERVISOR),
        Privilege::Hypervisor => (Freeze::HYPERVISOR, Freeze::SUPERVISOR),
    };
    let counted = [(Mode::User, Freeze::PROBLEM), (Mode::Kernel, kernel), (Mode::Hypervisor, above)];
    let in_mode = |freeze: Freeze, &(mode, state)| if asked.contains(mode) { freeze - state } else { freeze };
    Ok(counted.iter().fold(Freeze::EVERYWHERE, in_mode))
}

/// Puts the freezes where they are: the counter's own, or before POWER8 those that all counters
/// share.
fn in_modes(facts: &Facts, mut selection: Selection, frozen: Freeze) -> Selection {
    if facts.has_freezes() {
        selection.own.freeze = frozen;
        return selection;
    }
    let states = [
        (Freeze::SUPERVISOR, Control::FREEZE_SUPERVISOR),
        (Freeze::PROBLEM, Control::FREEZE_PROBLEM),
        (Freeze::HYPERVISOR, Control::FREEZE_HYPERVISOR),
    ];
    let shared = states.into_iter().filter(|&(state, _)| frozen.contains(state)).map(|(_, control)| control);
    let value = shared.fold(Control::empty(), Control::union);
    selection.with(Field::new(&MODES, Control::MODES.bits(), value.bits()))
}

/// Leaves only the ways to counters that the request may use.
fn keep(facts: &Facts, selections: &mut [Selection; WAYS], request: &Request) -> Result<(), Refusal> {
    let able = selections.iter().fold(CounterSet::EMPTY, |set, selection| set.or(selection.counters));
    let usable = request.usable(facts.usable, able)?;
    for selection in selections {
        selection.counters = selection.counters.and(usable);
    }
    Ok(())
}
