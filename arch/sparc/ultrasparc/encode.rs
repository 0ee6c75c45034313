//! Encodes a request: the counters that can count it, its selector on each, and the modes, which both counters share.

use super::capabilities::Capabilities;
use super::events::Meaning;
use super::registers::Pcr;
use crate::arch::sparc::Half;
use crate::arch::sparc::program::{COUNTERS, Demand};
use crate::event::{Mode, Modes, Refusal, Request, Result};
use crate::family::Shortest;

impl Capabilities {
    /// The shortest period of instructions that may repeat while the kernel is counted.
    ///
    /// The trap counts its own instructions until the handler has halted the unit, and those after it has run it again. If
    /// the period is not longer, it ends again before the handler has returned. It is an estimate, and was not measured on
    /// silicon.
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
    let meaning = Meaning::of(capabilities, request.event, request.counters)?;
    request.check_unrefined()?;
    check_period(capabilities, request, &meaning)?;
    let counters = request.usable(COUNTERS, meaning.counters)?;
    let modes = modes(request.modes)?;
    let needs = Half::ALL.map(|half| {
        let select = meaning.selects[usize::from(half.number() & 1)];
        (Pcr::selecting(half, select) | modes).bits()
    });
    Ok(Demand { counters, needs })
}

/// Checks that overflows interrupt, and that the period is not too short. Before III nothing interrupts: a
/// [`Timer`](crate::Timer) samples there.
fn check_period(capabilities: &Capabilities, request: &Request, meaning: &Meaning) -> Result<(), Refusal> {
    if request.sampling.is_some() && !capabilities.interrupts() {
        return Err(Refusal::NoInterrupt);
    }
    SHORTEST.check(request, request.modes.contains(Mode::Kernel), || meaning.rate)
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
