//! Encodes a request: the counters that can count it, its selector, and the modes, which both counters share.

use super::capabilities::Capabilities;
use super::events::Meaning;
use super::registers::{Pcr, PcrT1};
use crate::arch::sparc::Half;
use crate::arch::sparc::program::{COUNTERS, Demand};
use crate::event::{Mode, Modes, Refusal, Request, Result};
use crate::family::Shortest;

impl Capabilities {
    /// The shortest period of instructions, or of events that happen at most once for each, that may repeat while the kernel
    /// is counted.
    ///
    /// The trap counts its own instructions until the handler has halted the unit, and those after it has run it again. If the
    /// period is not longer, it ends again before the handler has returned. It is an estimate: a trap that saves the globals
    /// and one register window before it calls the handler takes less than half of it. It was not measured on silicon.
    pub const LEAST_IN_KERNEL: u64 = 256;

    /// The shortest period of other events that may repeat while the kernel is counted. An estimate, too.
    pub const LEAST_OF_OTHERS_IN_KERNEL: u64 = 2_000;
}

/// All of them: while only programs are counted, any period may repeat.
const SHORTEST: Shortest = Shortest {
    in_kernel: Capabilities::LEAST_IN_KERNEL,
    others_in_kernel: Capabilities::LEAST_OF_OTHERS_IN_KERNEL,
    in_user: 1,
};

/// Encodes a request for the unit that `capabilities` describe.
pub(super) fn encode(capabilities: &Capabilities, request: &Request) -> Result<Demand, Refusal> {
    let meaning = Meaning::of(capabilities, request.event)?;
    request.check_unrefined()?;
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

/// Checks that the event can interrupt, and that the period is not too short.
fn check_period(request: &Request, meaning: &Meaning) -> Result<(), Refusal> {
    if request.sampling.is_some() && !meaning.traps {
        return Err(Refusal::Impossible(
            "the overflow of L2 load misses does not trap (erratum 108): count them, and sample by a Timer",
        ));
    }
    SHORTEST.check(request, request.modes.contains(Mode::Kernel), || meaning.rate)
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
