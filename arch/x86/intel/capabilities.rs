//! What a processor says about its unit, with the known mistakes of some processors corrected.
//!
//! Sources: SDM vol. 2, "CPUID - CPU Identification", leaves 01H, 07H, 0AH, 1AH and 23H; SDM
//! vol. 3, chapter "Performance Monitoring".

use crate::contract::bit_set;
use raw_cpuid::{CpuIdReader, CpuIdResult};

use super::auxiliary::Auxiliary;
use super::counter_kind::CounterKind;
use super::least::Least;
use super::model::{Core, Microarchitecture};
use super::registers::{FixedControl, PerfCapabilities, Select};
use crate::arch::x86::kind::Packed;
use crate::arch::x86::processor::Processor;
use crate::arch::x86::{Msr, Window};
use crate::contract::Kind;
use crate::event::{CounterSet, Error, Result, Width};

/// What the unit of a processor has. Driver and device are created from the same capabilities.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Capabilities {
    /// The processor's family, extended bits included.
    pub family: u32,
    /// Its model, extended bits included.
    pub model: u32,
    /// Its stepping.
    pub stepping: u32,
    /// The kind of core.
    pub core: Core,
    /// The core's microarchitecture, if it is known.
    pub microarchitecture: Option<Microarchitecture>,
    /// The version of architectural performance monitoring, at least 1.
    pub version: u8,
    /// The general counters.
    pub general: CounterSet,
    /// The fixed counters, from counter 32 on.
    pub fixed: CounterSet,
    /// The counters that somebody else uses, as detection found them. They are neither among `general` nor `fixed`.
    pub used_by_others: CounterSet,
    /// Whether transactions are aborted (IA32_TSX_FORCE_ABORT), or `None` if there is no such register. Where they are
    /// not, counter 3 is the microcode's and is not among `general`.
    pub aborts: Option<bool>,
    /// The bits of a general counter's selector.
    pub selectable: Select,
    /// The architectural events that the processor counts.
    pub events: Architectural,
    /// The events that need a value in an auxiliary register.
    pub auxiliaries: &'static [Auxiliary],
    /// How wide the general counters are, 0 to 31, and then the fixed ones, 32 to 63.
    pub(super) kinds: [CounterKind; 2],
    /// The fewest events that a counter can wait for.
    pub(super) least: Least,
    /// IA32_PERF_CAPABILITIES, or `None` if there is no such register.
    pub perf_capabilities: Option<PerfCapabilities>,
}

bit_set! {
    /// The architectural events, by their bits in CPUID.0AH:EBX, where a set bit hides the event
    /// (SDM vol. 3, table "Architectural Performance Events").
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Architectural: u32 {
        /// Core cycles.
        const CYCLES = 1 << 0;
        /// Instructions retired.
        const INSTRUCTIONS = 1 << 1;
        /// Reference cycles.
        const REFERENCE_CYCLES = 1 << 2;
        /// Last-level cache references.
        const CACHE_REFERENCES = 1 << 3;
        /// Last-level cache misses.
        const CACHE_MISSES = 1 << 4;
        /// Branch instructions retired.
        const BRANCHES = 1 << 5;
        /// Branch misses retired.
        const BRANCH_MISSES = 1 << 6;
        /// Top-down slots.
        const SLOTS = 1 << 7;
        /// Top-down slots bound by the back end.
        const BACKEND_BOUND = 1 << 8;
        /// Top-down slots lost to bad speculation.
        const BAD_SPECULATION = 1 << 9;
        /// Top-down slots bound by the front end.
        const FRONTEND_BOUND = 1 << 10;
        /// Top-down slots that retired.
        const RETIRING = 1 << 11;
        /// Branch records inserted.
        const BRANCH_RECORDS = 1 << 12;
    }
}

/// CPUID.0AH, "Architectural Performance Monitoring".
struct Leaf(CpuIdResult);

impl Leaf {
    fn version(&self) -> u8 {
        self.0.eax as u8
    }

    fn general(&self) -> CounterSet {
        CounterSet::first((self.0.eax >> 8) as u8)
    }

    /// Fixed counter i exists if ECX has its bit (version 5) or if EDX is greater than i.
    fn fixed(&self, hypervisor: bool) -> CounterSet {
        let counted = match (self.0.edx & 0x1F) as u8 {
            // Core 2 announces none and has three. Under a hypervisor there are none.
            0 if !hypervisor && matches!(self.version(), 2..=4) => 3,
            count => count,
        };
        let listed = if self.version() >= 5 { u64::from(self.0.ecx) } else { 0 };
        match self.version() {
            1 => CounterSet::EMPTY,
            _ => CounterSet::from_bits((CounterSet::first(counted).bits() | listed) << 32),
        }
    }

    fn general_width(&self) -> Option<Width> {
        Self::width(self.0.eax >> 16)
    }

    fn fixed_width(&self) -> Option<Width> {
        Self::width(self.0.edx >> 5).or(self.general_width())
    }

    /// A narrow write must reach every bit by sign extension: no counter has fewer than 32.
    fn width(field: u32) -> Option<Width> {
        Width::wrapping(field & 0xFF).filter(|_| field & 0xFF >= 32)
    }

    fn events(&self) -> Architectural {
        let length = self.0.eax >> 24;
        let listed = CounterSet::first(length as u8).bits() as u32;
        Architectural::from_bits_truncate(listed & !self.0.ebx)
    }

    fn has_any_thread(&self) -> bool {
        self.version() >= 3 && self.0.edx & 1 << 15 == 0
    }
}

/// CPUID.23H, "Architectural Performance Monitoring Extended".
struct Extended {
    general: Option<CounterSet>,
    fixed: Option<CounterSet>,
    events: Option<Architectural>,
    selectable: Select,
}

impl Extended {
    const ABSENT: Self = Self { general: None, fixed: None, events: None, selectable: Select::empty() };

    fn read<C: CpuIdReader>(processor: &Processor<'_, C>) -> Self {
        if processor.leaf(7, 1).eax & 1 << 8 == 0 {
            return Self::ABSENT;
        }
        let main = processor.leaf(0x23, 0);
        let leaf = |number: u32| (main.eax & 1 << number != 0).then(|| processor.leaf(0x23, number));
        let counters = leaf(1);
        Self {
            general: counters.map(|leaf| CounterSet::from_bits(leaf.eax.into())),
            fixed: counters.map(|leaf| CounterSet::from_bits(u64::from(leaf.ebx) << 32)),
            events: leaf(3).map(|leaf| Architectural::from_bits_truncate(leaf.eax)),
            selectable: Self::selectable(main.ebx),
        }
    }

    fn selectable(ebx: u32) -> Select {
        let flag = |bit: u32, adds: Select| if ebx & 1 << bit != 0 { adds } else { Select::empty() };
        flag(0, Select::UNIT_MASK_2) | flag(1, Select::EQUAL)
    }
}

impl Capabilities {
    /// The unit's name.
    pub(super) const UNIT: &str = "Intel architectural performance monitoring";

    /// The counters that have addresses. If a unit has more, the others are not used.
    const ADDRESSABLE: CounterSet =
        CounterSet::first(Msr::GENERAL).or(CounterSet::from_bits(CounterSet::first(Msr::FIXED).bits() << 32));

    /// Reads what CPUID says. `perf_capabilities` reads IA32_PERF_CAPABILITIES. It is called only if CPUID announces
    /// that register.
    ///
    /// # Errors
    /// Returns [`Error::UnknownProcessor`] if the processor is not Intel's, or has a unit from before architectural
    /// performance monitoring, and [`Error::NoUnit`] if it has no unit.
    pub fn discover<C: CpuIdReader>(cpuid: &C, perf_capabilities: impl FnOnce() -> u64) -> Result<Self> {
        let processor = Processor::of(cpuid)?;
        if !processor.is(b"GenuineIntel") {
            return Err(processor.unknown());
        }
        let leaf = Leaf(processor.leaf(0xA, 0));
        if leaf.version() == 0 {
            return Err(processor.before_architecture());
        }
        let has_capabilities = processor.features & Self::HAS_CAPABILITIES != 0;
        let perf_capabilities = has_capabilities.then(|| PerfCapabilities::from_bits_retain(perf_capabilities()));
        Self::of(&processor, &leaf, perf_capabilities)
    }

    /// CPUID.01H:ECX.PDCM.
    const HAS_CAPABILITIES: u32 = 1 << 15;
    /// CPUID.01H:ECX, the bit that only hypervisors set.
    const HAS_HYPERVISOR: u32 = 1 << 31;

    fn of<C: CpuIdReader>(
        processor: &Processor<'_, C>,
        leaf: &Leaf,
        perf_capabilities: Option<PerfCapabilities>,
    ) -> Result<Self> {
        let Processor { family, model, stepping, .. } = *processor;
        let (extended, core) = (Extended::read(processor), Self::core(processor));
        let microarchitecture = Microarchitecture::of_core(family, model, core);
        let hypervisor = processor.features & Self::HAS_HYPERVISOR != 0;
        let general = extended.general.unwrap_or(leaf.general()).and(Self::ADDRESSABLE);
        let fixed = extended.fixed.unwrap_or(leaf.fixed(hypervisor)).and(Self::ADDRESSABLE);
        let widths = leaf.general_width().zip(leaf.fixed_width()).filter(|_| !general.or(fixed).is_empty());
        let (general_width, fixed_width) = widths
            .ok_or(Error::NoUnit { reason: "CPUID leaf 0AH announces no counter, or none of a possible width" })?;
        let mut capabilities = Self {
            family,
            model,
            stepping,
            core,
            microarchitecture,
            version: leaf.version(),
            general,
            fixed,
            used_by_others: CounterSet::EMPTY,
            aborts: None,
            kinds: [
                CounterKind::general(general_width, Self::window_of(perf_capabilities)),
                CounterKind::fixed(fixed_width),
            ],
            least: Least::of(microarchitecture, model),
            selectable: Self::selectable(leaf, microarchitecture) | extended.selectable,
            events: extended.events.unwrap_or(leaf.events()),
            auxiliaries: microarchitecture.map_or(&[], Auxiliary::of),
            perf_capabilities,
        };
        capabilities.leave_taken(processor);
        Ok(capabilities)
    }

    fn window_of(perf_capabilities: Option<PerfCapabilities>) -> Window {
        let is_full = perf_capabilities.is_some_and(|has| has.contains(PerfCapabilities::FULL_WRITE));
        if is_full { Window::Full } else { Window::Narrow }
    }

    fn selectable(leaf: &Leaf, microarchitecture: Option<Microarchitecture>) -> Select {
        let later = Select::UNIT_MASK_2 | Select::EQUAL | Select::ANY_THREAD | Select::PIN_CONTROL;
        let mut selectable = Select::all() - later;
        selectable.set(Select::ANY_THREAD, leaf.has_any_thread());
        selectable.set(Select::PIN_CONTROL, Self::has_pins(microarchitecture));
        selectable
    }

    /// Sandy Bridge removed the pins (SDM vol. 3, IA32_PERFEVTSELx, "PC (pin control) flag").
    const fn has_pins(model: Option<Microarchitecture>) -> bool {
        use Microarchitecture::{Core, Nehalem, Westmere};
        matches!(model, Some(Core | Nehalem | Westmere))
    }

    /// Returns the kind of core. On a hybrid processor both kinds have the same model (CPUID.1AH:EAX: bits 31 to
    /// 24 are 20H on Atoms, and those below number them).
    fn core<C: CpuIdReader>(processor: &Processor<'_, C>) -> Core {
        if processor.leaf(7, 0).edx & 1 << 15 == 0 {
            return Core::Alike;
        }
        match processor.leaf(0x1A, 0).eax {
            atom if atom >> 24 == 0x20 => Core::Small(atom & 0xFF_FFFF),
            _ => Core::Large,
        }
    }

    /// Returns all counters of the unit.
    #[inline(always)]
    #[must_use]
    pub const fn counters_of_all_kinds(&self) -> CounterSet {
        self.general.or(self.fixed)
    }

    /// Returns true if there are registers for the whole unit (IA32_PERF_GLOBAL_*). Version 1 has none.
    #[inline(always)]
    #[must_use]
    pub const fn has_global(&self) -> bool {
        self.version >= 2
    }

    /// Returns the bits of each fixed counter in IA32_FIXED_CTR_CTRL.
    #[must_use]
    pub const fn fixed_control(&self) -> FixedControl {
        let any_thread = FixedControl::ANY_THREAD;
        let has = self.selectable.contains(Select::ANY_THREAD);
        if has { FixedControl::all() } else { FixedControl::all().difference(any_thread) }
    }

    /// Returns the kind: what events depend on, and all that demands and placements depend on. The version is not among it, because what it adds
    /// is (counters and bits of selectors).
    pub(super) fn kind(&self) -> Kind {
        let core = match self.core {
            Core::Alike => 0,
            Core::Large => 1,
            Core::Small(native) => 2 + native.min(5),
        };
        let has = |bit| u64::from(self.selectable.contains(bit));
        let width = |width: Width| u64::from(width.bits() - 32);
        let mut kind = Packed::new();
        kind.add(5, self.family.into());
        kind.add(8, self.model.into());
        kind.add(3, core.into());
        kind.end_events();
        kind.add(Msr::GENERAL.into(), self.general.bits());
        kind.add(Msr::FIXED.into(), self.fixed.bits() >> 32);
        kind.add(6, width(self.general_width()));
        kind.add(6, width(self.fixed_width()));
        kind.add(1, (self.window() == Window::Full).into());
        kind.add(1, has(Select::ANY_THREAD));
        kind.add(1, has(Select::EQUAL));
        kind.add(1, has(Select::UNIT_MASK_2));
        kind.add(13, self.events.bits().into());
        kind.finish()
    }
}
