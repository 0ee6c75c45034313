//! What a request takes on this unit: which counters can count it, and with which selector.

use super::capabilities::Capabilities;
use super::events::Meaning;
use super::registers::Select;
use crate::arch::x86::request::{Refinement, check_least, flags, modes, refine};
use crate::arch::x86::{Demand, LEAST, LEAST_OF_OTHERS_IN_KERNEL};
use crate::event::{Flag, Flags, Refusal, Request, Result};

impl Capabilities {
    /// The shortest period of instructions, or of branches among them, that repeats while the kernel is
    /// counted; whatever else is counted there needs
    /// [`LEAST_OF_OTHERS_IN_KERNEL`](Self::LEAST_OF_OTHERS_IN_KERNEL), but for misaligned
    /// references: an interrupt makes none.
    ///
    /// An interrupt counts those of its own instructions that come before its counter is halted and after it is let go on:
    /// 78 where there are four counters, 82 where there are six, and 66 from version 2 on, through this crate's entry, with
    /// a driver that [`Detected::detect`](crate::arch::x86::Detected::detect) has found, and as the test kernel measures them. A period of no
    /// more than those would end before the handler has returned, and what was interrupted would never go on. 128 leaves a
    /// kernel's own entry some 40 instructions more. With registers of 32 bits there are some twice as many, and this is 256.
    ///
    /// Counters that only count add nothing to that. Before version 2 each further one that interrupts adds 8, and it
    /// shares the room: requests that interrupt at different moments need periods so long that their rates together come to
    /// no more than one interrupt in this many events.
    pub const LEAST_IN_KERNEL: u64 = if cfg!(target_pointer_width = "64") { 128 } else { 256 };

    /// The shortest period of other events that may repeat while the kernel is counted.
    pub const LEAST_OF_OTHERS_IN_KERNEL: u64 = LEAST_OF_OTHERS_IN_KERNEL;
}

/// A demand's word has this bit beside the selector's where it takes a pair of counters.
pub(super) const PAIR: u64 = 1 << 63;
/// And this where its overflows are asked for, not only counted on.
const SAMPLED: u64 = 1 << 62;

/// Does the demand take a pair of counters?
#[inline(always)]
pub(super) const fn takes_pair(demand: &Demand) -> bool {
    demand.word & PAIR != 0
}

/// Does whoever wrote this word ask for overflows?
#[inline(always)]
pub(super) const fn is_sampled(word: u64) -> bool {
    word & SAMPLED != 0
}

/// Returns what a request takes on the unit that `capabilities` describe.
#[inline(always)]
pub(super) fn encode(capabilities: &Capabilities, request: &Request) -> Result<Demand, Refusal> {
    let Meaning { code, counters, merged } = Meaning::of(capabilities, request.event)?;
    let on = (Select::ENABLE | Select::INTERRUPT).bits() | modes(request.modes)?;
    let word = code | on | if merged { PAIR } else { 0 };
    let is_plain = !request.is_refined() && request.sampling.is_none();
    let word = if is_plain { word } else { narrow(word, capabilities, request)? };
    let word = if code & Select::EXACT.bits() == 0 { word } else { silent(word, request)? };
    Ok(Demand { counters: request.usable(capabilities.counters, counters)?, word, auxiliary: 0 })
}

/// Returns the word of a request that counts exactly, which works without an interrupt alone (PERF_CTL2[20]).
#[cold]
const fn silent(word: u64, request: &Request) -> Result<u64, Refusal> {
    match request.sampling {
        Some(_) => Err(Refusal::Impossible(
            "an event that is counted exactly (bit 43) does not interrupt; sample the event without that bit",
        )),
        None => Ok(word & !Select::INTERRUPT.bits()),
    }
}

/// Returns the flags that a unit has.
pub(super) fn unit_flags(capabilities: &Capabilities) -> Flags {
    flags(&REFINEMENTS, capabilities.selectable.bits())
}

/// Adds to a demand's word what flags, a threshold and a period need.
#[inline(never)]
fn narrow(mut word: u64, capabilities: &Capabilities, request: &Request) -> Result<u64, Refusal> {
    if request.is_refined() {
        word |= refine(request, &REFINEMENTS, unit_flags(capabilities))?;
    }
    if let Some(sampling) = request.sampling {
        check_least(request.modes, sampling, LEAST, least_in_kernel(word, request))?;
        word |= SAMPLED;
    }
    Ok(word)
}

/// The shortest period that may repeat while the kernel is counted.
#[inline(always)]
fn least_in_kernel(code: u64, request: &Request) -> u64 {
    match Select::from_bits_truncate(code).event() {
        _ if request.is_refined() => Capabilities::LEAST_OF_OTHERS_IN_KERNEL,
        0x0C0 | 0x0C2..=0x0C5 => Capabilities::LEAST_IN_KERNEL,
        0x047 => LEAST,
        _ => Capabilities::LEAST_OF_OTHERS_IN_KERNEL,
    }
}

const REFINEMENTS: [Refinement; 5] = [
    (Flag::Edge, Select::EDGE.bits()),
    (Flag::Invert, Select::INVERT.bits()),
    (Flag::PinControl, Select::PIN_CONTROL.bits()),
    (Flag::GuestOnly, Select::GUEST_ONLY.bits()),
    (Flag::HostOnly, Select::HOST_ONLY.bits()),
];
