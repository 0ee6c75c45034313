//! What a processor is, and what it says about its unit.
//!
//! Before family 15h no CPUID bit announces the counters: the family does. Sources: APM vol. 3,
//! "CPUID Fn0000_0001_EAX", "CPUID Fn8000_0001_ECX" (PerfCtrExtCore) and "CPUID Fn8000_0022
//! Extended Performance Monitoring and Debug"; APM vol. 2, "Performance Monitoring Counters".

use raw_cpuid::CpuIdReader;

use super::registers::Select;
use crate::arch::x86::Block;
use crate::arch::x86::kind::Packed;
use crate::arch::x86::processor::Processor;
use crate::contract::Kind;
use crate::event::{CounterSet, Error, Result, Width};

/// The processors that count alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Microarchitecture {
    /// Family 6: Athlon and Duron.
    K7,
    /// Family 0Fh, and 11h, which is made from it: Athlon 64, Opteron, Turion.
    K8,
    /// Families 10h, 12h and 14h: Phenom, Llano, Bobcat.
    Family10h,
    /// Family 15h: Bulldozer to Excavator. Many events have counters of their own.
    Family15h,
    /// Family 16h: Jaguar and Puma. The second-level cache has counters of its own.
    Family16h,
    /// Families 17h and 18h: Zen 1 and 2. Counters can be merged.
    Zen,
    /// Families 19h and 1Ah: Zen 3 to 5.
    Zen3,
}

impl Microarchitecture {
    const fn of_family(family: u32) -> Option<Self> {
        match family {
            0x06 => Some(Self::K7),
            0x0F | 0x11 => Some(Self::K8),
            0x10 | 0x12 | 0x14 => Some(Self::Family10h),
            0x15 => Some(Self::Family15h),
            0x16 => Some(Self::Family16h),
            0x17 | 0x18 => Some(Self::Zen),
            0x19 | 0x1A => Some(Self::Zen3),
            _ => None,
        }
    }

    /// Returns true if an odd counter can be the high half of the even one before it.
    #[inline(always)]
    #[must_use]
    pub const fn merges(self) -> bool {
        matches!(self, Self::Zen | Self::Zen3)
    }

    /// Returns the bits of a selector that all its processors have.
    #[must_use]
    pub const fn selectable(self) -> Select {
        let all = Select::all().difference(Select::EXACT);
        let later = Select::EVENT_HIGH.union(Select::GUEST_ONLY).union(Select::HOST_ONLY);
        match self {
            Self::K7 | Self::K8 => all.difference(later),
            _ => all.difference(Select::PIN_CONTROL),
        }
    }
}

/// What the unit of a processor has. Driver and device are created from the same capabilities.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Capabilities {
    /// The processor's family, extended bits included.
    pub family: u32,
    /// Its model, extended bits included.
    pub model: u32,
    /// The microarchitecture that it counts like.
    pub microarchitecture: Microarchitecture,
    /// The version of performance monitoring that it announces: 2 (PerfMonV2), or 0.
    pub version: u8,
    /// The counters.
    pub counters: CounterSet,
    /// The registers of the counters.
    pub block: Block,
    /// The bits of a selector.
    pub selectable: Select,
    /// Whether the counters can freeze at an overflow (LbrAndPmcFreeze). They count again once the status has been
    /// cleared of it.
    pub freezes: bool,
}

/// CPUID Fn8000_0001_ECX, PerfCtrExtCore.
const HAS_CORE_BLOCK: u32 = 1 << 23;
/// CPUID Fn8000_0022_EAX, PerfMonV2.
const HAS_VERSION_2: u32 = 1 << 0;
/// CPUID Fn8000_0022_EAX, LbrAndPmcFreeze.
const HAS_FREEZING: u32 = 1 << 2;

impl Capabilities {
    /// The unit's name.
    pub(super) const UNIT: &str = "AMD core performance counters";

    /// The width of a counter, on every processor.
    pub const WIDTH: Width = Width::wrapping(48).expect("a width of 48 bits");

    /// The width of a merged pair. Its first counter reads as all of it (PPR for family 17h, "Large Increment per
    /// Cycle Events").
    pub const MERGED: Width = Width::wrapping(64).expect("a width of 64 bits");

    /// Reads what CPUID says, and adds what is known of the family.
    ///
    /// # Errors
    /// Returns [`Error::UnknownProcessor`] if the processor is not AMD's, or of an unknown family.
    pub fn discover<C: CpuIdReader>(cpuid: &C) -> Result<Self> {
        let processor = Processor::of(cpuid)?;
        let Processor { family, model, .. } = processor;
        let microarchitecture = Microarchitecture::of_family(family).filter(|_| Self::describe(&processor));
        let microarchitecture = microarchitecture.ok_or(processor.unknown())?;
        let mut found = Self { family, model, ..Self::of_microarchitecture(microarchitecture) };
        found.selectable.set(Select::EXACT, found.has_exact_counter());
        found.extended(cpuid)
    }

    /// Returns true for processors of AMD and of its licensee.
    pub(in crate::arch::x86) fn describe<C: CpuIdReader>(processor: &Processor<'_, C>) -> bool {
        processor.is(b"AuthenticAMD") || processor.is(b"HygonGenuine")
    }

    const fn of_microarchitecture(microarchitecture: Microarchitecture) -> Self {
        Self {
            family: 0,
            model: 0,
            microarchitecture,
            version: 0,
            counters: CounterSet::first(Block::Legacy.counters()),
            block: Block::Legacy,
            selectable: microarchitecture.selectable(),
            freezes: false,
        }
    }

    /// Adds what the extended leaves say.
    fn extended(mut self, cpuid: &impl CpuIdReader) -> Result<Self> {
        let last = cpuid.cpuid2(0x8000_0000, 0).eax;
        if last >= 0x8000_0001 && cpuid.cpuid2(0x8000_0001, 0).ecx & HAS_CORE_BLOCK != 0 {
            self.block = Block::Core;
            self.counters = CounterSet::first(Block::Core.counters());
        }
        let monitoring = cpuid.cpuid2(0x8000_0022, 0);
        if self.block == Block::Core && last >= 0x8000_0022 && monitoring.eax & HAS_VERSION_2 != 0 {
            self.version = 2;
            self.freezes = monitoring.eax & HAS_FREEZING != 0;
            self.counters = self.counters.and(CounterSet::first((monitoring.ebx & 0xF) as u8));
        }
        if self.counters.is_empty() {
            Err(Error::NoUnit { reason: "CPUID leaf 80000022H announces no counter" })
        } else {
            Ok(self)
        }
    }

    /// Returns true if there are registers for the whole unit (PerfCntrGlobal*).
    #[inline(always)]
    #[must_use]
    pub const fn has_global(&self) -> bool {
        self.version >= 2
    }

    /// Returns the kind: what events depend on, and all that demands and placements depend on.
    pub(super) fn kind(&self) -> Kind {
        let mut kind = Packed::new();
        kind.add(1, 1);
        kind.add(9, self.family.into());
        kind.add(8, self.model.into());
        kind.end_events();
        kind.add(Block::Core.counters().into(), self.counters.bits());
        kind.add(1, (self.block == Block::Core).into());
        kind.add(1, self.has_global().into());
        kind.finish()
    }
}
