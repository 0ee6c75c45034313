//! What a request takes on this unit: which counters can count it, and with which control words.

use super::auxiliary::{Auxiliary, Beside};
use super::driver::Reach;
use super::events::{self, Meaning};
use super::facts::Facts;
use super::registers::{FixedControl, Select};
use crate::counter::{CounterId, CounterSet};
use crate::error::{Refusal, Result};
use crate::event::{Flag, Flags, Mode, Modes, Repeat, Request, Sampling};

/// What one request takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Demand {
    /// The counters that could count it.
    pub(super) counters: CounterSet,
    /// Its selector, on a general counter.
    pub(super) select: Select,
    /// Its bits, on a fixed counter.
    pub(super) control: FixedControl,
    /// The register beside the counter, and what it needs there.
    pub(super) beside: Option<(Beside, u64)>,
}

/// A handler that presets a counter to so few events runs again before it has returned: the
/// events of its own last instructions end the period. Counts in the kernel include them.
///
/// Below this many no period that repeats is accepted, unless only user programs are counted.
pub const LEAST_IN_KERNEL: u64 = 64;

/// No counter interrupts on every single event: the shortest period.
pub const LEAST: u64 = 2;

/// What a request takes on the unit that `facts` describe.
#[inline]
pub(super) fn encode(facts: &Facts, reach: &Reach, request: &Request) -> Result<Demand, Refusal> {
    let meaning = events::meaning(facts, request.event)?;
    let select = select(facts, request, meaning.code)?;
    let counters = counters(facts, request, meaning)?;
    if let Some(sampling) = request.sampling {
        check_least(request, sampling)?;
    }
    Ok(Demand {
        counters: reach.reaching(request, counters)?,
        select,
        control: control(request),
        beside: beside(facts, meaning)?,
    })
}

#[inline]
fn select(facts: &Facts, request: &Request, code: u64) -> Result<Select, Refusal> {
    let reserved = code & !(Select::CODE & facts.selectable).bits();
    if reserved != 0 {
        return Err(Refusal::ReservedBits(reserved));
    }
    if let Some(flag) = request.flags.beyond(flags(facts)) {
        return Err(Refusal::Flag(flag));
    }
    let on = Select::from_bits_retain(code) | Select::ENABLE | Select::INTERRUPT;
    Ok((on | modes(request.modes)? | refinements(request.flags)).with_threshold(request.threshold))
}

/// The modes that a counter tells apart are two: ring 0, and the others.
#[inline]
fn modes(modes: Modes) -> Result<Select, Refusal> {
    if modes == Modes::NONE || !Modes::ALL.covers(modes) {
        return Err(Refusal::Modes);
    }
    let mut select = Select::empty();
    select.set(Select::USER, modes.contains(Mode::User));
    select.set(Select::KERNEL, modes.contains(Mode::Kernel));
    Ok(select)
}

const REFINEMENTS: [(Flag, Select); 5] = [
    (Flag::Edge, Select::EDGE),
    (Flag::Invert, Select::INVERT),
    (Flag::Equal, Select::EQUAL),
    (Flag::AnyThread, Select::ANY_THREAD),
    (Flag::PinControl, Select::PIN_CONTROL),
];

#[inline]
fn refinements(flags: Flags) -> Select {
    if flags.is_empty() {
        return Select::empty();
    }
    let chosen = REFINEMENTS.into_iter().filter(|&(flag, _)| flags.contains(flag));
    chosen.fold(Select::empty(), |select, (_, bit)| select | bit)
}

/// The flags that the unit has.
pub(super) fn flags(facts: &Facts) -> Flags {
    let had = REFINEMENTS.into_iter().filter(|&(_, bit)| facts.selectable.contains(bit));
    had.fold(Flags::NONE, |flags, (flag, _)| flags.with(flag))
}

#[inline]
fn control(request: &Request) -> FixedControl {
    let mut control = FixedControl::INTERRUPT;
    control.set(FixedControl::USER, request.modes.contains(Mode::User));
    control.set(FixedControl::KERNEL, request.modes.contains(Mode::Kernel));
    control.set(FixedControl::ANY_THREAD, request.flags.contains(Flag::AnyThread));
    control
}

/// The counters for the event, less the fixed ones if the request asks for what those cannot do,
/// and only the pinned one if it names one.
#[inline]
fn counters(facts: &Facts, request: &Request, meaning: Meaning) -> Result<CounterSet, Refusal> {
    let plain = Flags::NONE.with(Flag::AnyThread);
    let refined = request.threshold != 0 || request.flags.beyond(plain).is_some();
    let able = if refined { meaning.counters.without(facts.fixed) } else { meaning.counters };
    match request.pin {
        None if able.is_empty() => Err(refusal_of_refined(request)),
        None => Ok(able),
        Some(pin) => pinned(facts, able, pin),
    }
}

#[cold]
fn refusal_of_refined(request: &Request) -> Refusal {
    let plain = Flags::NONE.with(Flag::AnyThread);
    request.flags.beyond(plain).map_or(Refusal::ThresholdTooLarge { largest: 0 }, Refusal::Flag)
}

fn pinned(facts: &Facts, able: CounterSet, pin: CounterId) -> Result<CounterSet, Refusal> {
    if !facts.counters_of_all_kinds().contains(pin) {
        Err(Refusal::NoSuchCounter(pin))
    } else if !able.contains(pin) {
        Err(Refusal::CounterCannot(pin))
    } else {
        Ok(pin.only())
    }
}

#[inline]
fn check_least(request: &Request, sampling: Sampling) -> Result<(), Refusal> {
    let repeats = sampling.repeat == Repeat::Continuous;
    let least = if repeats && request.modes.contains(Mode::Kernel) { LEAST_IN_KERNEL } else { LEAST };
    match sampling.period {
        0 => Err(Refusal::PeriodZero),
        period if period < least => Err(Refusal::PeriodTooShort { least }),
        _ => Ok(()),
    }
}

#[inline]
fn beside(facts: &Facts, meaning: Meaning) -> Result<Option<(Beside, u64)>, Refusal> {
    match facts.auxiliaries.iter().find(|auxiliary| auxiliary.code == meaning.code) {
        Some(Auxiliary { beside, mask, .. }) if meaning.auxiliary & !mask == 0 => {
            Ok(Some((*beside, meaning.auxiliary)))
        }
        Some(Auxiliary { mask, .. }) => Err(Refusal::Auxiliary(meaning.auxiliary & !mask)),
        None if meaning.auxiliary == 0 => Ok(None),
        None => Err(Refusal::Auxiliary(meaning.auxiliary)),
    }
}
