//! What a request takes on this unit: which counters can count it, and with which words.

use super::code::{self, Needs, Selection, Ways};
use super::events::{find_ways, plain};
use super::facts::{Facts, Privilege};
use super::registers::{Control, Freeze};
use super::words::Own;
use crate::arch::powerpc::period::check_period;
use crate::arch::powerpc::{LEAST_IN_KERNEL, LEAST_OF_OTHERS_IN_KERNEL};
use crate::counter::{CounterId, CounterSet};
use crate::error::{Refusal, Result};
use crate::event::{Event, Flags, Generic, Mode, Modes, Request};

/// What one request takes: a request that was found possible, as short as it can be said. Its ways are
/// worked out as it is placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Demand {
    event: Event,
    /// Where it does not count.
    frozen: Freeze,
    /// The counters that it may be on, one bit each.
    pub(super) reached: u8,
    /// What it selects on PMC1 to PMC4, if it needs nothing there; 0 if there is more to be known of it.
    pub(super) plain: u8,
}

impl Default for Demand {
    /// A demand that nothing satisfies.
    fn default() -> Self {
        Self { event: Event::INSTRUCTIONS, frozen: Freeze::empty(), reached: 0, plain: 0 }
    }
}

impl Demand {
    /// What a plain event puts into the fields of this counter.
    #[inline(always)]
    pub(super) const fn plain_on(&self, counter: CounterId) -> Own {
        let select = if counter.number() < 4 { self.plain } else { 0 };
        Own { select, freeze: self.frozen, ..Own::from_bits(0) }
    }

    /// Fills in the ways to count it.
    #[inline(always)]
    pub(super) fn find_ways(&self, facts: &Facts, ways: &mut Ways) {
        // Nothing is refused that was encoded.
        let _ = find_ways(facts, self.event, ways);
        let may = CounterSet::from_bits(self.reached.into());
        for way in ways {
            *way = in_modes(facts, way.on(way.counters().and(may)), self.frozen);
        }
    }
}

/// What a request takes on the unit that `facts` describe.
pub(super) fn encode(facts: &Facts, request: &Request) -> Result<Demand, Refusal> {
    let (plain, able) = match plain(facts, request.event) {
        Some(plain) => plain,
        None => (0, able(facts, request.event)?),
    };
    check_refinements(request)?;
    let is_of_instructions = request.event == Event::Generic(Generic::Instructions);
    let in_kernel = if is_of_instructions { LEAST_IN_KERNEL } else { LEAST_OF_OTHERS_IN_KERNEL };
    check_period(request, Facts::WIDTH, in_kernel)?;
    let frozen = frozen(facts, request.modes)?;
    let counters = request.usable(facts.usable, able.and(facts.usable))?;
    Ok(Demand { event: request.event, frozen, reached: counters.bits() as u8, plain })
}

/// The counters that an event's ways reach.
#[inline(never)]
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

/// The states of a hypervisor and its processes.
const HYPERVISORS: Freeze = Freeze::HYPERVISOR.union(Freeze::HYPERVISORS_PROBLEM);

/// The states in which a request does not count. Problem state is that of the kernel's own processes.
fn frozen(facts: &Facts, asked: Modes) -> Result<Freeze, Refusal> {
    if asked == Modes::NONE || !modes(facts).covers(asked) {
        return Err(Refusal::Modes);
    }
    let [user, kernel, above] = match facts.privilege {
        Privilege::Supervisor => [Freeze::PROBLEM, Freeze::SUPERVISOR, HYPERVISORS],
        Privilege::Hypervisor => [Freeze::HYPERVISORS_PROBLEM, Freeze::HYPERVISOR, Freeze::SUPERVISOR],
    };
    let counted = [(Mode::User, user), (Mode::Kernel, kernel), (Mode::Hypervisor, above)];
    let in_mode = |freeze: Freeze, &(mode, state)| if asked.contains(mode) { freeze - state } else { freeze };
    Ok(counted.iter().fold(Freeze::EVERYWHERE, in_mode))
}

/// Puts the freezes where they are: the counter's own, or before POWER8 those that all counters
/// share, whose FCP is for all of problem state.
#[inline(always)]
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
