//! Which processor it is, and what its unit has.
//!
//! No CPUID leaf announces the counters: the family and the model do. Sources: SDM vol. 3, "Performance Monitoring
//! (P6 Family Processor)"; SDM vol. 4, table "CPUID Signature Values of DisplayFamily_DisplayModel" and "MSRs in the P6
//! Family Processors"; libpfm4, lib/pfmlib_intel_p6.c, for which model is which.

use raw_cpuid::CpuIdReader;

use super::registers::Select;
use crate::arch::x86::kind::Packed;
use crate::arch::x86::processor::Processor;
use crate::contract::Kind;
use crate::event::{CounterSet, Error, Result, Width};

/// The processors of the family that differ in their events.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Model {
    /// Model 1.
    PentiumPro,
    /// Models 3, 5 and 6, Celerons among them: with MMX.
    PentiumII,
    /// Models 7, 8, 10 and 11: with SSE.
    PentiumIII,
    /// Models 9 and 13: with SSE2.
    PentiumM,
}

impl Model {
    const fn of(model: u32) -> Option<Self> {
        match model {
            1 => Some(Self::PentiumPro),
            3 | 5 | 6 => Some(Self::PentiumII),
            7 | 8 | 10 | 11 => Some(Self::PentiumIII),
            9 | 13 => Some(Self::PentiumM),
            _ => None,
        }
    }
}

/// What the unit of a processor has. Driver and device are created from the same capabilities.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Capabilities {
    /// The processor.
    pub model: Model,
    /// The counters.
    pub counters: CounterSet,
    /// Whether there is a local APIC, through which overflows interrupt (CPUID.01H:EDX\[9\]). It is 0 too where firmware
    /// has disabled the APIC, as on many machines with a Pentium M.
    pub has_apic: bool,
    /// Whether user programs can read the counters by RDPMC. On a Pentium Pro before stepping 9 they cannot (Pentium
    /// Pro specification update, erratum 26; torvalds/linux arch/x86/events/intel/p6.c, `p6_pmu_rdpmc_quirk`).
    pub user_reads: bool,
}

/// CPUID.01H:EDX.APIC.
const HAS_APIC: u32 = 1 << 9;
/// The first stepping of the Pentium Pro on which user programs can execute RDPMC.
const USER_READS_SINCE: u32 = 9;

impl Capabilities {
    /// The width of a counter. Of these 40 bits a write sets 32, and extends their sign (SDM vol. 3, "PerfCtr0 and
    /// PerfCtr1 MSRs").
    pub const WIDTH: Width = Width::wrapping(40).expect("a width of 40 bits");

    /// The most events that a counter can be preset to wait for: the longest negative number of 32 bits.
    pub const LONGEST: u64 = 1 << 31;

    /// Reads what CPUID says, and adds what is known of the model.
    ///
    /// # Errors
    /// Returns [`Error::UnknownProcessor`] if the processor is not Intel's, or not of this
    /// family, and [`Error::NoUnit`] if CPUID does not say which it is.
    pub fn discover<C: CpuIdReader>(cpuid: &C) -> Result<Self> {
        let processor = Processor::of(cpuid)?;
        let model = Self::model(&processor).ok_or(processor.unknown())?;
        let named = processor.leaf(1, 0);
        Ok(Self {
            model,
            counters: CounterSet::first(2),
            has_apic: named.edx & HAS_APIC != 0,
            user_reads: model != Model::PentiumPro || named.eax & 0xF >= USER_READS_SINCE,
        })
    }

    /// Returns which of the family it is; `None` for another one.
    pub(in crate::arch::x86) fn model<C: CpuIdReader>(processor: &Processor<'_, C>) -> Option<Model> {
        let is_intels = processor.family == 6 && processor.is(b"GenuineIntel");
        if is_intels { Model::of(processor.model) } else { None }
    }

    /// Checks that nobody else has enabled the unit, by what PerfEvtSel0 holds.
    ///
    /// # Errors
    /// [`Error::UsedByOthers`] if somebody has. EN starts and stops both counters, so neither is left.
    pub(super) fn check_unused(&self, held: u64) -> Result<()> {
        let is_used = Select::from_bits_retain(held).contains(Select::ENABLE);
        if is_used { Err(Error::UsedByOthers(self.counters)) } else { Ok(()) }
    }

    /// Returns the kind: what events depend on, and all that demands and placements depend on.
    pub(super) fn kind(&self) -> Kind {
        let mut kind = Packed::new();
        kind.add(1, 1);
        kind.add(2, self.model as u64);
        kind.end_events();
        kind.add(2, self.counters.bits());
        kind.add(1, self.has_apic.into());
        kind.add(1, self.user_reads.into());
        kind.finish()
    }
}
