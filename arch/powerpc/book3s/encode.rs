//! What a request takes on this unit: which counters can count it, and with which words.

use super::code::{self, Needs, Selection, Ways};
use super::events::{find_ways, plain, plain_ways, rate};
use super::facts::{Facts, Privilege};
use super::registers::{Control, Freeze};
use super::words::Own;
use crate::arch::powerpc::period::check_period;
use crate::event::{CounterId, CounterSet, Event, Flags, Generic, Mode, Modes, Refusal, Request, Result};

/// What one request takes: a request that was found possible, as short as it can be said. Its ways are
/// worked out as it is placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Demand {
    /// The event, as the two words of its code, or the generic one. Of a plain event none is looked at.
    code: u64,
    auxiliary: u64,
    generic: Option<Generic>,
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
        Self { code: 0, auxiliary: 0, generic: None, frozen: Freeze::empty(), reached: 0, plain: 0 }
    }
}

impl Demand {
    /// What a plain event puts into the fields of this counter.
    #[inline(always)]
    pub(super) const fn plain_on(&self, counter: CounterId) -> Own {
        let select = if counter.number() < 4 { self.plain } else { 0 };
        Own { select, freeze: self.frozen, ..Own::from_bits(0) }
    }

    const fn event(&self) -> Event {
        match self.generic {
            Some(generic) => Event::Generic(generic),
            None => Event::Raw { code: self.code, auxiliary: self.auxiliary },
        }
    }

    /// Does POWER9 count it by a bank that PMC4 selects?
    pub(super) const fn is_of_bank(&self) -> bool {
        self.generic.is_none() && self.plain == 0 && code::is_of_cache(self.code)
    }

    /// Fills in the ways to count it, where PMC4 selects a bank of the caches' events or is free to count others.
    #[inline(always)]
    pub(super) fn find_ways(&self, facts: &Facts, selects_bank: bool, ways: &mut Ways) {
        self.find_all_ways(facts, ways);
        if selects_bank && !self.is_of_bank() {
            ways.iter_mut().for_each(Selection::leave_fourth);
        }
    }

    #[inline(always)]
    fn find_all_ways(&self, facts: &Facts, ways: &mut Ways) {
        let may = CounterSet::from_bits(self.reached.into());
        if self.plain == 0 {
            // Nothing is refused that was encoded.
            let _ = find_ways(facts, self.event(), ways);
        } else {
            *ways = plain_ways(self.plain, may);
        }
        for way in ways {
            *way = in_modes(facts, way.on(way.counters().and(may)), self.frozen);
        }
    }
}

/// What a request takes on the unit that `facts` describe.
#[inline(always)]
pub(super) fn encode(facts: &Facts, request: &Request) -> Result<Demand, Refusal> {
    if let Some((plain, able)) = plain(facts, request.event) {
        let (frozen, reached) = limits(facts, request, able)?;
        return Ok(Demand { frozen, reached, plain, ..Demand::default() });
    }
    let mut demand = Demand::default();
    encode_any(facts, request, &mut demand)?;
    Ok(demand)
}

/// Of an event that may be any. The demand is filled in, so that the short way need not pass it through memory.
#[inline(never)]
fn encode_any(facts: &Facts, request: &Request, demand: &mut Demand) -> Result<(), Refusal> {
    let (frozen, reached) = limits(facts, request, able(facts, request.event)?)?;
    let (code, auxiliary, generic) = match request.event {
        Event::Raw { code, auxiliary } => (code, auxiliary, None),
        Event::Generic(generic) => (0, 0, Some(generic)),
    };
    *demand = Demand { code, auxiliary, generic, frozen, reached, plain: 0 };
    Ok(())
}

/// Where a request does not count, and on which counters it may, of those that are `able` to count its event.
#[inline(always)]
fn limits(facts: &Facts, request: &Request, able: CounterSet) -> Result<(Freeze, u8), Refusal> {
    check_refinements(request)?;
    check_period(request, Facts::WIDTH, || rate(facts, request.event))?;
    let frozen = frozen(facts, request.modes)?;
    let counters = request.usable(facts.usable, able.and(facts.usable))?;
    Ok((frozen, counters.bits() as u8))
}

/// The counters that an event's ways reach.
#[inline(never)]
fn able(facts: &Facts, event: Event) -> Result<CounterSet, Refusal> {
    let mut ways = code::NO_WAYS;
    find_ways(facts, event, &mut ways)?;
    Ok(ways.iter().fold(CounterSet::EMPTY, |set, way| set.or(way.counters())))
}

/// Every counter counts events, one by one: edges and thresholds are part of their codes.
#[inline(always)]
fn check_refinements(request: &Request) -> Result<(), Refusal> {
    if request.flags == Flags::NONE && request.threshold == 0 { Ok(()) } else { refuse_refinements(request) }
}

#[cold]
#[inline(never)]
fn refuse_refinements(request: &Request) -> Result<(), Refusal> {
    match request.flags.beyond(Flags::NONE) {
        Some(flag) => Err(Refusal::Flag(flag)),
        None if request.threshold != 0 => Err(Refusal::ThresholdTooLarge { largest: 0 }),
        None => Ok(()),
    }
}

/// The modes that the unit tells apart: where the kernel is its own hypervisor, no other is above
/// it, and what it has for guests is not counted.
pub(super) const fn modes(facts: &Facts) -> Modes {
    modes_of(facts.privilege)
}

const fn modes_of(privilege: Privilege) -> Modes {
    match privilege {
        Privilege::Supervisor => Modes::ALL.and(Modes::HYPERVISOR),
        Privilege::Hypervisor => Modes::ALL,
    }
}

/// The states of a hypervisor and its processes.
const HYPERVISORS: Freeze = Freeze::HYPERVISOR.union(Freeze::HYPERVISORS_PROBLEM);

/// The states in which a request does not count. Problem state is that of the kernel's own processes.
#[inline(always)]
fn frozen(facts: &Facts, asked: Modes) -> Result<Freeze, Refusal> {
    let of_privilege = match facts.privilege {
        Privilege::Supervisor => &BELOW_ANOTHER,
        Privilege::Hypervisor => &ABOVE_ALL,
    };
    let place = |(bit, mode)| usize::from(asked.contains(mode)) << bit;
    of_privilege[place(MODES[0]) | place(MODES[1]) | place(MODES[2])].ok_or(Refusal::Modes)
}

/// The modes, in the order of their bits in a place of the tables below.
const MODES: [(u32, Mode); 3] = [(0, Mode::User), (1, Mode::Kernel), (2, Mode::Hypervisor)];

/// What a request is frozen in, by the modes that it asks for: where the kernel has a hypervisor above it.
const BELOW_ANOTHER: [Option<Freeze>; 8] =
    by_modes([Freeze::PROBLEM, Freeze::SUPERVISOR, HYPERVISORS], modes_of(Privilege::Supervisor));

/// The same where it is its own hypervisor.
const ABOVE_ALL: [Option<Freeze>; 8] =
    by_modes([Freeze::HYPERVISORS_PROBLEM, Freeze::HYPERVISOR, Freeze::SUPERVISOR], modes_of(Privilege::Hypervisor));

/// Everywhere but in the state of each mode that is asked for; `None` if that is none, or one that is not had.
const fn by_modes(states: [Freeze; 3], had: Modes) -> [Option<Freeze>; 8] {
    let mut frozen = [None; 8];
    let mut asked = 1;
    while asked < 8 {
        frozen[asked] = frozen_but(states, had, asked);
        asked += 1;
    }
    frozen
}

const fn frozen_but(states: [Freeze; 3], had: Modes, asked: usize) -> Option<Freeze> {
    let mut freeze = Freeze::EVERYWHERE;
    let mut number = 0;
    while number < 3 {
        let (bit, mode) = MODES[number];
        if asked >> bit & 1 != 0 {
            if !had.contains(mode) {
                return None;
            }
            freeze = freeze.difference(states[number]);
        }
        number += 1;
    }
    Some(freeze)
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
