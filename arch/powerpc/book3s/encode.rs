//! What a request takes on this unit: which counters can count it, and with which words.

use super::code::{self, Needs, Selection, Ways};
use super::events::{find_ways, rate};
use super::facts::{Facts, Privilege};
use super::registers::{Control, Freeze};
use crate::arch::powerpc::period::check_period;
use crate::event::{CounterSet, Event, Flags, Mode, Modes, Refusal, Request, Result};

/// What one request takes: a request that was found possible, as short as it can be said. Its ways are
/// worked out as it is placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Demand {
    event: Event,
    /// Where it does not count.
    frozen: Freeze,
    /// The counters that it may be on, one bit each.
    reached: u8,
}

impl Default for Demand {
    /// A demand that nothing satisfies.
    fn default() -> Self {
        Self { event: Event::raw(0), frozen: Freeze::empty(), reached: 0 }
    }
}

impl Demand {
    /// Does POWER9 count it by a bank that PMC4 selects?
    pub(super) fn is_of_bank(&self) -> bool {
        matches!(self.event, Event::Raw { code, .. } if code::is_of_cache(code))
    }

    /// Fills in the ways to count it, where PMC4 selects a bank of the caches' events or is free to count others.
    pub(super) fn find_ways(&self, facts: &Facts, selects_bank: bool, ways: &mut Ways) {
        // Nothing is refused that was encoded.
        let _ = find_ways(facts, self.event, ways);
        let may = CounterSet::from_bits(self.reached.into());
        for way in ways {
            *way = in_modes(facts, way.on(way.counters().and(may)), self.frozen);
            if selects_bank && !self.is_of_bank() {
                way.leave_fourth();
            }
        }
    }
}

/// What a request takes on the unit that `facts` describe.
pub(super) fn encode(facts: &Facts, request: &Request) -> Result<Demand, Refusal> {
    let (frozen, reached) = limits(facts, request, able(facts, request.event)?)?;
    Ok(Demand { event: request.event, frozen, reached })
}

/// Where a request does not count, and on which counters it may, of those that are `able` to count its event.
fn limits(facts: &Facts, request: &Request, able: CounterSet) -> Result<(Freeze, u8), Refusal> {
    check_refinements(request)?;
    check_period(request, || rate(facts, request.event))?;
    let frozen = frozen(facts, request.modes)?;
    let counters = request.usable(facts.usable, able.and(facts.usable))?;
    Ok((frozen, counters.bits() as u8))
}

/// The counters that an event's ways reach.
fn able(facts: &Facts, event: Event) -> Result<CounterSet, Refusal> {
    let mut ways = code::NO_WAYS;
    find_ways(facts, event, &mut ways)?;
    Ok(ways.iter().fold(CounterSet::EMPTY, |set, way| set.or(way.counters())))
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

/// The states in which a request does not count. Problem state is that of the kernel's own processes, and a hypervisor
/// above the kernel has processes too.
fn frozen(facts: &Facts, asked: Modes) -> Result<Freeze, Refusal> {
    if asked == Modes::NONE || !modes(facts).covers(asked) {
        return Err(Refusal::Modes);
    }
    let states = match facts.privilege {
        Privilege::Supervisor => [
            (Mode::User, Freeze::PROBLEM),
            (Mode::Kernel, Freeze::SUPERVISOR),
            (Mode::Hypervisor, Freeze::HYPERVISOR | Freeze::HYPERVISORS_PROBLEM),
        ],
        Privilege::Hypervisor => [
            (Mode::User, Freeze::HYPERVISORS_PROBLEM),
            (Mode::Kernel, Freeze::HYPERVISOR),
            (Mode::Hypervisor, Freeze::SUPERVISOR),
        ],
    };
    let counted = states.into_iter().filter(|(mode, _)| asked.contains(*mode)).map(|(_, state)| state);
    Ok(Freeze::EVERYWHERE.difference(counted.fold(Freeze::empty(), Freeze::union)))
}

/// Puts the freezes where they are: the counter's own, or before POWER8 those that all counters
/// share, whose FCP is for all of problem state.
fn in_modes(facts: &Facts, mut way: Selection, frozen: Freeze) -> Selection {
    if facts.has_freezes() {
        way.own.freeze = frozen;
        return way;
    }
    let states = [
        (Freeze::SUPERVISOR, Control::FREEZE_SUPERVISOR),
        (Freeze::ALL_PROBLEM, Control::FREEZE_PROBLEM),
        (Freeze::HYPERVISOR, Control::FREEZE_HYPERVISOR),
    ];
    let shared = states.into_iter().filter(|&(state, _)| frozen.contains(state)).map(|(_, control)| control);
    way.with(Needs::states(shared.fold(Control::empty(), Control::union).bits()))
}
