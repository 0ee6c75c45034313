//! Encodes a request: the counters that can count it, its selector, and the modes, which both counters share.

use super::capabilities::Capabilities;
use super::events::{Meaning, Rate};
use super::registers::{Pcr, PcrT1};
use crate::arch::sparc::Half;
use crate::arch::sparc::program::{COUNTERS, Demand};
use crate::event::{Flags, Mode, Modes, Refusal, Repeat, Request, Result};

/// The shortest period of instructions, or of events that happen at most once for each, that may repeat while the kernel
/// is counted.
///
/// The trap counts its own instructions until the handler has halted the unit, and those after it has run it again. If the
/// period is not longer, it ends again before the handler has returned. It is an estimate: a trap that saves the globals
/// and one register window before it calls the handler takes less than half of it. It was not measured on silicon.
pub const LEAST_IN_KERNEL: u64 = 256;

/// The shortest period of other events that may repeat while the kernel is counted. An estimate, too.
pub const LEAST_OF_OTHERS_IN_KERNEL: u64 = 2_000;

/// Encodes a request for the unit that `capabilities` describe.
pub(super) fn encode(capabilities: &Capabilities, request: &Request) -> Result<Demand, Refusal> {
    let meaning = Meaning::of(capabilities, request.event)?;
    check_refinements(request)?;
    check_period(request, &meaning)?;
    let counters = request.usable(COUNTERS, meaning.counters)?;
    let modes = modes(capabilities, request.modes)?;
    Ok(Demand { counters, needs: Half::ALL.map(|half| (selecting(capabilities, &meaning, half) | modes).bits()) })
}

/// Returns what selects the event on a counter, and lets its overflow trap. T1's pic1 has nothing to select.
fn selecting(capabilities: &Capabilities, meaning: &Meaning, half: Half) -> Pcr {
    match (capabilities.is_t1(), half) {
        (true, Half::Pic0) => Pcr::from_bits_retain(PcrT1::selecting(meaning.select as u8).bits()),
        (true, Half::Pic1) => Pcr::empty(),
        (false, _) if meaning.traps => Pcr::selecting(half, meaning.select) | Pcr::trap(half),
        (false, _) => Pcr::selecting(half, meaning.select),
    }
}

/// Checks that the request has no flags and no threshold, which this unit does not have.
fn check_refinements(request: &Request) -> Result<(), Refusal> {
    match request.flags.beyond(Flags::NONE) {
        Some(flag) => Err(Refusal::Flag(flag)),
        None if request.threshold != 0 => Err(Refusal::ThresholdTooLarge { largest: 0 }),
        None => Ok(()),
    }
}

/// Checks that the event can interrupt, and that the period is not too short.
fn check_period(request: &Request, meaning: &Meaning) -> Result<(), Refusal> {
    let Some(sampling) = request.sampling else { return Ok(()) };
    if !meaning.traps {
        return Err(Refusal::Impossible(
            "the overflow of L2 load misses does not trap (erratum 108): count them, and sample by a Timer",
        ));
    }
    let repeats = sampling.repeat == Repeat::Continuous && request.modes.contains(Mode::Kernel);
    let least = match meaning.rate {
        _ if !repeats => 1,
        Rate::Instructions => LEAST_IN_KERNEL,
        Rate::Others => LEAST_OF_OTHERS_IN_KERNEL,
    };
    if sampling.period < least { Err(Refusal::PeriodTooShort { least }) } else { Ok(()) }
}

/// Returns the bits of %pcr for the modes. T1's are in the same places.
fn modes(capabilities: &Capabilities, modes: Modes) -> Result<Pcr, Refusal> {
    const { assert!(PcrT1::MODES.bits() == Pcr::KERNEL.union(Pcr::USER).bits()) }
    let able = capabilities.modes();
    if modes == Modes::NONE || !able.covers(modes) {
        return Err(Refusal::Modes { able });
    }
    let mut bits = Pcr::empty();
    bits.set(Pcr::USER, modes.contains(Mode::User));
    bits.set(Pcr::KERNEL, modes.contains(Mode::Kernel));
    bits.set(Pcr::HYPERVISOR, modes.contains(Mode::Hypervisor));
    Ok(bits)
}
