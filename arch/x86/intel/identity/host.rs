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

impl Identity {
    /// Returns the identity without what `host` does not have: a version, counters, their width, architectural events, and
    /// full-width writes. For a guest that shall find this processor, and may come to run on the host's own counters.
    #[must_use]
    pub fn within(self, host: &Self) -> Self {
        let (own, most) = (self.capabilities(), host.capabilities());
        let (fixed, limit) = ((most.fixed.bits() >> FIRST_FIXED) as u32, most.general.len());
        let has_more = own.general.len() > limit;
        let mut less = if has_more { self.with_general_counters(limit as u8) } else { self }.only_fixed(fixed);
        let [limits, _, _, fixed_limits] = host.monitoring;
        let [counters, _, listed, fixed] = &mut less.monitoring;
        *counters = at_most(*counters, VERSION, 0xFF, (limits >> VERSION) as u8);
        *counters = at_most(*counters, WIDTH, 0xFF, (limits >> WIDTH) as u8);
        *counters = at_most(*counters, EVENTS, 0xFF, (limits >> EVENTS) as u8);
        *fixed = at_most(*fixed, FIXED_WIDTH, 0xFF, (fixed_limits >> FIXED_WIDTH) as u8) | fixed_limits & ONE_THREAD;
        *listed = if *counters & 0xFF < LISTED_SINCE { 0 } else { *listed };
        less.extension = less.extension.zip(host.extension).map(|(own, host)| extension_within(own, host));
        less.has_force_abort &= host.has_force_abort;
        less.perf_capabilities = self.perf_capabilities.intersection(host.perf_capabilities);
        less.without_events(most.events.complement())
    }
}

/// The number of the first fixed counter.
const FIRST_FIXED: u32 = 32;
/// CPUID.0AH:EAX: the version, the width of general counters, and the number of events.
const VERSION: u32 = 0;
const WIDTH: u32 = 16;
const EVENTS: u32 = 24;
/// CPUID.0AH:EDX: the width of fixed counters, and that no counter counts for all threads of a core.
const FIXED_WIDTH: u32 = 5;
const ONE_THREAD: u32 = 1 << 15;
/// The first version that lists fixed counters in ECX.
const LISTED_SINCE: u32 = 5;

/// Returns leaf 23H with no more than another has. The slots of a cycle are the first one's.
fn extension_within(own: [Leaf; 4], host: [Leaf; 4]) -> [Leaf; 4] {
    let [main, counters, _, events] = own;
    let both = |one: Leaf, other: Leaf| [one[0] & other[0], one[1] & other[1]];
    let ([subleaves, bits], [general, fixed]) = (both(main, host[0]), both(counters, host[1]));
    [[subleaves, bits, main[2], 0], [general, fixed, 0, 0], [0; 4], [events[0] & host[3][0], 0, 0, 0]]
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
