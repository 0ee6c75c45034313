//! The identity of the processor that a guest runs on, with what a device models of its unit.

use raw_cpuid::{CpuIdReader, CpuIdResult};

use super::{FIXED, FIXED_COUNT, Identity, SINCE_SKYLAKE};
use crate::arch::x86::Msr;
use crate::arch::x86::intel::{Capabilities, Microarchitecture, PerfCapabilities};
use crate::arch::x86::native::{EXTENSION, FORCE_ABORT, HYBRID, Leaf};
use crate::event::{CounterSet, Error, Result};
use crate::virt::Kind;

impl Identity {
    /// The newest version that a device models.
    const NEWEST: u32 = 6;

    /// Returns the identity of the processor that answers `native`, with all that a device models of its unit.
    /// `perf_capabilities` reads IA32_PERF_CAPABILITIES, and is called only if CPUID announces that register.
    ///
    /// On a hybrid processor it is the identity of the kind of core on which it is made. The guest's virtual CPU must stay
    /// on cores of that kind.
    ///
    /// # Errors
    /// As [`Capabilities::discover`]: the processor is not Intel's, or has no architectural unit. [`Error::NoUnit`] too if it
    /// has no general counter.
    pub fn of_host<C: CpuIdReader>(native: &C, perf_capabilities: impl FnOnce() -> u64) -> Result<Self> {
        let found = Capabilities::discover(native, perf_capabilities)?;
        if found.general.is_empty() {
            let reason = "a guest's unit has at least one general counter, and this processor has none";
            return Err(Error::NoUnit { reason });
        }
        let leaf = |leaf, subleaf| {
            let CpuIdResult { eax, ebx, ecx, edx } = native.cpuid2(leaf, subleaf);
            [eax, ebx, ecx, edx]
        };
        let [_, _, _, features] = leaf(7, 0);
        let has_extension = leaf(0, 0)[0] >= 0x23 && leaf(7, 1)[0] & EXTENSION != 0;
        let [monitoring, events, listed, fixed] = leaf(0x0A, 0);
        let version = (monitoring & 0xFF).min(Self::NEWEST);
        // Core 2 has more than it announces; from version 5 on some are listed beside those that are counted.
        let counted = if version < 5 { found.fixed.len() } else { fixed & FIXED_COUNT };
        Ok(Self {
            name: "host",
            signature: leaf(1, 0)[0],
            monitoring: [
                at_most(monitoring & !0xFF | version, 8, 0xFF, Msr::GENERAL),
                events,
                listed & FIXED,
                at_most(fixed & !FIXED_COUNT | counted, 0, FIXED_COUNT, Msr::FIXED),
            ],
            extension: has_extension.then(|| modelled([0, 1, 2, 3].map(|subleaf| leaf(0x23, subleaf)))),
            core: if features & HYBRID == 0 { 0 } else { leaf(0x1A, 0)[0] },
            has_force_abort: features & FORCE_ABORT != 0,
            perf_capabilities: found.perf_capabilities.unwrap_or_default().intersection(PerfCapabilities::FULL_WRITE),
            own_events: own_events(found.microarchitecture),
        })
    }
}

/// Returns leaf 23H without what a device does not model: the subleaves of the auto counter reload (2) and of precise
/// sampling, and counters without an address.
const fn modelled([main, counters, _, events]: [Leaf; 4]) -> [Leaf; 4] {
    let counters = [counters[0] & CounterSet::first(Msr::GENERAL).bits() as u32, counters[1] & FIXED, 0, 0];
    [[main[0] & 0b1011, main[1] & 0b11, main[2], 0], counters, [0; 4], [events[0], 0, 0, 0]]
}

/// Returns a register in which the number in the bits `mask` from bit `at` on is not above the limit.
const fn at_most(register: u32, at: u32, mask: u32, limit: u8) -> u32 {
    let number = register >> at & mask;
    let least = if number < limit as u32 { number } else { limit as u32 };
    register & !(mask << at) | least << at
}

/// Returns the events of this microarchitecture that a device models besides the architectural ones.
const fn own_events(microarchitecture: Option<Microarchitecture>) -> &'static [(u64, Kind)] {
    use Microarchitecture::{GoldenCove, IceLake, LionCove, Nehalem, RedwoodCove, Skylake, Skymont};
    match microarchitecture {
        Some(Nehalem) => Identity::NEHALEM.own_events,
        Some(Skylake | IceLake | GoldenCove | RedwoodCove | LionCove) => SINCE_SKYLAKE,
        Some(Skymont) => Identity::SKYMONT.own_events,
        _ => &[],
    }
}
