//! What a Pentium is, and which of its counters are free.
//!
//! No CPUID leaf announces the counters: the family does. Sources: SDM vol. 3, "Performance Monitoring (Pentium
//! Processors)"; vol. 2, "CPUID - CPU Identification", table "More on Feature Information Returned in the EDX Register" (MSR,
//! MMX), and "RDPMC - Read Performance-Monitoring Counters", which the Pentium has with MMX and not without; the models are
//! those of AP-485, "Intel Processor Identification and the CPUID Instruction", as the dumps of InstLatx64 have them. Model 9
//! (Quark) is no Pentium.

use raw_cpuid::CpuIdReader;

use super::registers::Cesr;
use crate::arch::x86::kind::Packed;
use crate::arch::x86::processor::Processor;
use crate::contract::Kind;
use crate::event::{CounterSet, Error, Result, Width};

/// What the unit of a Pentium has. Driver and device are created from the same capabilities.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Capabilities {
    /// The processor's model.
    pub model: u32,
    /// Whether it has MMX, and with that more events, and RDPMC.
    pub has_mmx: bool,
    /// The counters.
    pub counters: CounterSet,
    /// The counters that count for somebody else, as firmware. They are not among [`Capabilities::counters`].
    pub used_by_others: CounterSet,
}

/// CPUID.01H:EDX.MSR.
const HAS_REGISTERS: u32 = 1 << 5;
/// CPUID.01H:EDX.MMX.
const HAS_MMX: u32 = 1 << 23;

impl Capabilities {
    /// The width of a counter.
    pub const WIDTH: Width = Width::wrapping(40).expect("a width of 40 bits");

    /// Reads what CPUID says, and adds what is known of the family.
    ///
    /// # Errors
    /// [`Error::UnknownProcessor`] if the processor is no Pentium of Intel's, [`Error::NoUnit`] if it has no model-specific
    /// registers.
    pub fn discover<C: CpuIdReader>(cpuid: &C) -> Result<Self> {
        let processor = Processor::of(cpuid)?;
        if !Self::describe(&processor) {
            return Err(processor.unknown());
        }
        let features = processor.leaf(1, 0).edx;
        if features & HAS_REGISTERS == 0 {
            return Err(Error::NoUnit { reason: "CPUID leaf 01H announces no model-specific registers (EDX.MSR)" });
        }
        Ok(Self {
            model: processor.model,
            has_mmx: features & HAS_MMX != 0,
            counters: CounterSet::first(2),
            used_by_others: CounterSet::EMPTY,
        })
    }

    /// Returns true for Intel's Pentiums.
    pub(in crate::arch::x86) fn describe<C: CpuIdReader>(processor: &Processor<'_, C>) -> bool {
        processor.is(b"GenuineIntel") && matches!((processor.family, processor.model), (5, 1..=4 | 7 | 8))
    }

    /// Leaves the counters that already count to whoever uses them.
    ///
    /// # Errors
    /// [`Error::UsedByOthers`] if no counter is left.
    pub(super) fn leave_to_others(&mut self, held: Cesr) -> Result<()> {
        self.used_by_others = held.counting();
        self.counters = self.counters.without(self.used_by_others);
        if self.counters.is_empty() { Err(Error::UsedByOthers(self.used_by_others)) } else { Ok(()) }
    }

    /// Returns the kind: what events depend on, and all that demands and placements depend on.
    pub(super) fn kind(&self) -> Kind {
        let mut kind = Packed::new();
        kind.add(5, 5);
        kind.add(1, self.has_mmx.into());
        kind.end_events();
        kind.add(2, self.counters.bits());
        kind.finish()
    }
}
