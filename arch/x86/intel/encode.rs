//! What a request takes on this unit: which counters can count it, and with which control words.

use super::capabilities::Capabilities;
use super::events::{Meaning, counts_slots};
use super::registers::Select;
use crate::arch::x86::request::{Refinement, check_least, flags, modes, refine};
use crate::arch::x86::{Demand, LEAST_OF_OTHERS_IN_KERNEL};
#[cfg(target_has_atomic = "64")]
use crate::event::Event;
use crate::event::{CounterSet, Flag, Flags, Refusal, Request, Result};

impl Capabilities {
    /// The shortest period of instructions that repeats while the kernel is counted; whatever else is
    /// counted there needs [`LEAST_OF_OTHERS_IN_KERNEL`](Self::LEAST_OF_OTHERS_IN_KERNEL).
    ///
    /// An interrupt counts those of its own instructions that come before it halts the unit and after
    /// it lets it go on: 64 from version 2 on and 99 on version 1, through this crate's entry, with a
    /// driver that [`Detected::detect`](crate::arch::x86::Detected::detect) has found, and as the test kernel measures
    /// them; a few less with one that is named. A period of no more than those would end before the
    /// handler has returned, and what was interrupted would never go on. 128 is beyond both, and
    /// leaves a kernel's own entry some 60 instructions more where there is a global control. With registers of 32 bits
    /// they are up to 165 on version 1 (Core Duo), and this is 256.
    ///
    /// That room is shared: requests that interrupt at different moments need periods so long that
    /// their rates together come to no more than one interrupt in this many events.
    pub const LEAST_IN_KERNEL: u64 = if cfg!(target_pointer_width = "64") { 128 } else { 256 };

    /// The shortest such period of an event that counts issue slots, of which a cycle has up to eight.
    pub const LEAST_OF_SLOTS_IN_KERNEL: u64 = 8 * Self::LEAST_OF_OTHERS_IN_KERNEL;

    /// The shortest period of other events that may repeat while the kernel is counted.
    pub const LEAST_OF_OTHERS_IN_KERNEL: u64 = LEAST_OF_OTHERS_IN_KERNEL;
}

/// The code of the instructions retired.
const INSTRUCTIONS: u64 = 0x00C0;

/// Returns what a request takes on the unit that `capabilities` describe.
#[inline(always)]
pub(super) fn encode(capabilities: &Capabilities, request: &Request) -> Result<Demand, Refusal> {
    demand(capabilities, request).map_err(|refusal| refused_beside(capabilities, request, refusal))
}

/// Returns the code of an event on a general counter. That of a code is itself.
#[cfg(target_has_atomic = "64")]
pub(super) fn code(capabilities: &Capabilities, event: Event) -> Result<u64, Refusal> {
    match event {
        Event::Raw { code, .. } => Ok(code),
        generic @ Event::Generic(_) => {
            Meaning::of(capabilities, generic).map(|meaning| Select::from_bits_truncate(meaning.word).code())
        }
    }
}

/// Returns the selector that a request takes on a general counter.
#[cfg(target_has_atomic = "64")]
pub(super) fn selector(capabilities: &Capabilities, request: &Request) -> Result<u64, Refusal> {
    encode(capabilities, request).map(|demand| Select::from_bits_truncate(demand.word).bits())
}

#[inline(always)]
fn demand(capabilities: &Capabilities, request: &Request) -> Result<Demand, Refusal> {
    let Meaning { word, counters } = Meaning::of(capabilities, request.event)?;
    let on = (Select::ENABLE | Select::INTERRUPT).bits() | modes(request.modes)?;
    let is_plain = !request.is_refined() && request.sampling.is_none();
    let (word, able) =
        if is_plain { (word | on, counters) } else { narrow(word | on, counters, capabilities, request)? };
    let counters = request.usable(capabilities.counters_of_all_kinds(), able)?;
    Ok(Demand { counters, word, auxiliary: request.event.auxiliary() })
}

/// Returns why a request is refused: somebody else may have the counters that it could use.
#[cold]
#[inline(never)]
fn refused_beside(capabilities: &Capabilities, request: &Request, refusal: Refusal) -> Refusal {
    match capabilities.alone() {
        Some(alone) => demand(&alone, request).map_or(refusal, |demand| Refusal::UsedByOthers(demand.counters)),
        None => refusal,
    }
}

/// Returns the flags that a unit has.
pub(super) fn unit_flags(capabilities: &Capabilities) -> Flags {
    flags(&REFINEMENTS, capabilities.selectable.bits())
}

/// Adds to a demand's word, and takes from its counters, what flags, a threshold and a period need.
#[inline(never)]
fn narrow(
    mut word: u64,
    mut counters: CounterSet,
    capabilities: &Capabilities,
    request: &Request,
) -> Result<(u64, CounterSet), Refusal> {
    if request.is_refined() {
        (word, counters) = refined(word, counters, capabilities, request)?;
    }
    if let Some(sampling) = request.sampling {
        let least = capabilities.least.period(Select::from_bits_truncate(word).code());
        check_least(request.modes, sampling, least, least_in_kernel(word, request))?;
    }
    Ok((word, counters))
}

/// Flags and a threshold, which a fixed counter does not have, but for one.
#[cold]
#[inline(never)]
fn refined(
    word: u64,
    mut counters: CounterSet,
    capabilities: &Capabilities,
    request: &Request,
) -> Result<(u64, CounterSet), Refusal> {
    let word = word | refine(request, &REFINEMENTS, unit_flags(capabilities))?;
    let beyond_fixed = request.flags.beyond(Flags::NONE.with(Flag::AnyThread));
    if request.threshold != 0 || beyond_fixed.is_some() {
        counters = counters.without(capabilities.fixed);
    }
    let none = beyond_fixed.map_or(Refusal::ThresholdTooLarge { largest: 0 }, Refusal::Flag);
    if counters.is_empty() && request.is_anywhere() { Err(none) } else { Ok((word, counters)) }
}

/// The shortest period that may repeat while the kernel is counted.
#[inline(always)]
fn least_in_kernel(word: u64, request: &Request) -> u64 {
    match Select::from_bits_truncate(word).code() {
        INSTRUCTIONS if !request.is_refined() => Capabilities::LEAST_IN_KERNEL,
        code if counts_slots(code) => Capabilities::LEAST_OF_SLOTS_IN_KERNEL,
        _ => Capabilities::LEAST_OF_OTHERS_IN_KERNEL,
    }
}

const REFINEMENTS: [Refinement; 5] = [
    (Flag::Edge, Select::EDGE.bits()),
    (Flag::Invert, Select::INVERT.bits()),
    (Flag::Equal, Select::EQUAL.bits()),
    (Flag::AnyThread, Select::ANY_THREAD.bits()),
    (Flag::PinControl, Select::PIN_CONTROL.bits()),
];
