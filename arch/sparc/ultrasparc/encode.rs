//! Encodes a request: the counters that can count it, its selector on each, and the modes, which both counters share.

use super::capabilities::Capabilities;
use super::events::{Meaning, Rate};
use super::registers::Pcr;
use crate::arch::sparc::Half;
use crate::arch::sparc::program::{COUNTERS, Demand};
use crate::event::{Flags, Mode, Modes, Refusal, Repeat, Request, Result};

/// The shortest period of instructions that may repeat while the kernel is counted.
///
/// The trap counts its own instructions until the handler has halted the unit, and those after it has run it again. If
/// the period is not longer, it ends again before the handler has returned. It is an estimate, and was not measured on
/// silicon.
pub const LEAST_IN_KERNEL: u64 = 256;

/// The shortest period of other events that may repeat while the kernel is counted. An estimate, too.
pub const LEAST_OF_OTHERS_IN_KERNEL: u64 = 2_000;

/// Encodes a request for the unit that `capabilities` describe.
pub(super) fn encode(capabilities: &Capabilities, request: &Request) -> Result<Demand, Refusal> {
    let meaning = Meaning::of(capabilities, request.event, request.counters)?;
    check_refinements(request)?;
    check_period(capabilities, request, &meaning)?;
    let counters = request.usable(COUNTERS, meaning.counters)?;
    let modes = modes(request.modes)?;
    let needs = Half::ALL.map(|half| {
        let select = meaning.selects[usize::from(half.number() & 1)];
        (Pcr::selecting(half, select) | modes).bits()
    });
    Ok(Demand { counters, needs })
}

/// Checks that the request has no flags and no threshold, which this unit does not have.
fn check_refinements(request: &Request) -> Result<(), Refusal> {
    match request.flags.beyond(Flags::NONE) {
        Some(flag) => Err(Refusal::Flag(flag)),
        None if request.threshold != 0 => Err(Refusal::ThresholdTooLarge { largest: 0 }),
        None => Ok(()),
    }
}

/// Checks that overflows interrupt, and that the period is not too short. Before III nothing interrupts: a
/// [`Timer`](crate::Timer) samples there.
fn check_period(capabilities: &Capabilities, request: &Request, meaning: &Meaning) -> Result<(), Refusal> {
    let Some(sampling) = request.sampling else { return Ok(()) };
    if !capabilities.interrupts() {
        return Err(Refusal::NoInterrupt);
    }
    let repeats = sampling.repeat == Repeat::Continuous && request.modes.contains(Mode::Kernel);
    let least = match meaning.rate {
        _ if !repeats => 1,
        Rate::Instructions => LEAST_IN_KERNEL,
        Rate::Others => LEAST_OF_OTHERS_IN_KERNEL,
    };
    if sampling.period < least { Err(Refusal::PeriodTooShort { least }) } else { Ok(()) }
}

/// Returns the bits of %pcr for the modes.
fn modes(modes: Modes) -> Result<Pcr, Refusal> {
    if modes == Modes::NONE || !Modes::ALL.covers(modes) {
        return Err(Refusal::Modes { able: Modes::ALL });
    }
    let mut bits = Pcr::empty();
    bits.set(Pcr::USER, modes.contains(Mode::User));
    bits.set(Pcr::KERNEL, modes.contains(Mode::Kernel));
    Ok(bits)
}
