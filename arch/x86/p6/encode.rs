//! What a request takes on this unit: which counters can count it, and with which selector.

use super::capabilities::Capabilities;
use super::events;
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
    /// An interrupt counts those of its own instructions that come before it stops the counters and after it starts them. A
    /// period of no more than those would end before the handler has returned, and what was interrupted would never go on.
    /// 128 is enough in 32 bits too, where Intel's later units and AMD's need 256: one write stops both counters here, and
    /// one starts them, unless the other is to be parked. The test kernel samples exactly at each of the eight shortest periods.
    pub const LEAST_IN_KERNEL: u64 = 128;

    /// The shortest period of other events that may repeat while the kernel is counted.
    pub const LEAST_OF_OTHERS_IN_KERNEL: u64 = LEAST_OF_OTHERS_IN_KERNEL;
}

/// Returns what a request takes on the unit that `capabilities` describe. EN is not part of it: it is both counters'.
#[inline(always)]
pub(super) fn encode(capabilities: &Capabilities, request: &Request) -> Result<Demand, Refusal> {
    let code = events::code(request.event)?;
    let interrupt = if capabilities.has_apic { Select::INTERRUPT.bits() } else { 0 };
    let word = code | interrupt | modes(request.modes)?;
    let is_plain = !request.is_refined() && request.sampling.is_none();
    let word = if is_plain { word } else { narrow(word, capabilities, request)? };
    Ok(Demand { counters: request.usable(capabilities.counters, events::counters(code))?, word, auxiliary: 0 })
}

/// Returns the flags that the unit has.
pub(super) fn unit_flags() -> Flags {
    flags(&REFINEMENTS, Select::all().bits())
}

/// Adds to a demand's word what flags, a threshold and a period need.
#[inline(never)]
fn narrow(mut word: u64, capabilities: &Capabilities, request: &Request) -> Result<u64, Refusal> {
    if request.is_refined() {
        word |= refine(request, &REFINEMENTS, unit_flags())?;
    }
    if let Some(sampling) = request.sampling {
        if !capabilities.has_apic {
            return Err(Refusal::NoInterrupt);
        }
        check_least(request.modes, sampling, LEAST, least_in_kernel(word, request))?;
    }
    Ok(word)
}

/// The shortest period that may repeat while the kernel is counted.
#[inline(always)]
const fn least_in_kernel(word: u64, request: &Request) -> u64 {
    match word & Select::EVENT.bits() {
        _ if request.is_refined() => Capabilities::LEAST_OF_OTHERS_IN_KERNEL,
        0xC0 | 0xC4 | 0xC5 | 0xC9 | 0xCA => Capabilities::LEAST_IN_KERNEL,
        0x05 => LEAST,
        _ => Capabilities::LEAST_OF_OTHERS_IN_KERNEL,
    }
}

const REFINEMENTS: [Refinement; 3] = [
    (Flag::Edge, Select::EDGE.bits()),
    (Flag::Invert, Select::INVERT.bits()),
    (Flag::PinControl, Select::PIN_CONTROL.bits()),
];
