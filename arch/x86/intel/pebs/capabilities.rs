//! What a processor's precise sampling can.
//!
//! Sources: SDM vol. 3, "Detecting and Enabling PEBS" and figure "Layout of IA32_PERF_CAPABILITIES MSR"; vol. 2, CPUID leaf 01H; for
//! the processors with persistent memory Linux' arch/x86/events/intel/core.c.

use raw_cpuid::CpuIdReader;

use super::format::Format;
use super::registers::UNAVAILABLE;
use crate::arch::x86::intel::{Capabilities as Unit, Microarchitecture};
use crate::arch::x86::processor::Processor;
use crate::arch::x86::{Msr, Msrs};
use crate::event::{CounterSet, Error, Result};

/// What a processor's precise sampling can.
#[derive(Clone, Copy, Debug)]
pub(super) struct Capabilities {
    pub(super) unit: Unit,
    pub(super) format: Format,
}

/// CPUID.01H:EDX.DS and ECX.DTES64.
const DEBUG_STORE: u32 = 1 << 21;
const LONG_ADDRESSES: u32 = 1 << 2;

impl Capabilities {
    /// Reads what CPUID and the unit's registers say, leaves out the counters that others use, and checks that registers keep what
    /// is written to them, as [`Intel`](crate::arch::x86::intel::Intel) does when it is detected.
    pub(super) fn detect<C: CpuIdReader>(cpuid: &C, registers: &impl Msrs) -> Result<Self> {
        let mut found = Self::announced(cpuid, registers)?;
        found.unit.look_at(registers)?;
        found.unit.check_kept(registers)?;
        Ok(found)
    }

    /// Reads what CPUID and the unit's registers announce.
    fn announced<C: CpuIdReader>(cpuid: &C, registers: &impl Msrs) -> Result<Self> {
        let unit = Unit::discover(cpuid, || registers.read(Msr::CAPABILITIES))?;
        let features = Processor::of(cpuid)?.leaf(1, 0);
        if features.edx & DEBUG_STORE == 0 || features.ecx & LONG_ADDRESSES == 0 {
            return Err(Error::NoUnit { reason: "CPUID leaf 01H announces no debug store for 64-bit addresses" });
        }
        if registers.read(Msr::MISC_ENABLE) & UNAVAILABLE != 0 {
            return Err(Error::NoUnit {
                reason: "IA32_MISC_ENABLE says that PEBS is not available: firmware, or a host, withholds it",
            });
        }
        Self::of_unit(unit).ok_or(Error::NoUnit {
            reason: "IA32_PERF_CAPABILITIES announces a PEBS format other than 3 and 4, or the unit is older than version 4; sample by overflow",
        })
    }

    /// Returns what the sampling of this unit can, or `None` if it has none of these formats.
    pub(super) fn of_unit(unit: Unit) -> Option<Self> {
        let format = Format::of(unit.perf_capabilities.unwrap_or_default())?;
        (unit.version >= 4).then_some(Self { unit, format })
    }

    /// Returns the general counters that can be sampled, whoever uses them.
    pub(super) const fn general(&self) -> CounterSet {
        let count = if matches!(self.format, Format::Third) { 4 } else { 8 };
        self.unit.general.or(self.unit.used_by_others).and(CounterSet::first(count))
    }

    /// Returns the general counters that record events with this code, as far as those that count it are not all.
    ///
    /// Source: Linux, arch/x86/events/intel/ds.c (intel_glc_pebs_event_constraints, intel_glm_pebs_event_constraints).
    pub(super) fn recording(&self, code: u64) -> CounterSet {
        use Microarchitecture::{GoldenCove, Goldmont, RedwoodCove};
        let (general, first) = (self.general(), CounterSet::first(1));
        match self.unit.microarchitecture {
            // INST_RETIRED.
            Some(GoldenCove | RedwoodCove) if code & 0xFF == 0xC0 => general.without(first),
            // Not Goldmont Plus.
            Some(Goldmont) if matches!(self.unit.model, 0x5C | 0x5F) => general.and(first),
            _ => general,
        }
    }

    /// Returns the fixed counters that can be sampled.
    pub(super) const fn fixed(&self) -> CounterSet {
        if self.has_groups() { self.unit.fixed } else { CounterSet::EMPTY }
    }

    /// Returns true if records are made of groups that can be chosen.
    pub(super) const fn has_groups(&self) -> bool {
        matches!(self.format, Format::Fourth { has_groups: true })
    }

    /// Returns true if IA32_PEBS_ENABLE has a bit for each counter of loads by their latency.
    pub(super) const fn enables_loads(&self) -> bool {
        self.unit.version < 5
    }

    /// Returns true if loads can be sampled by their latency without another event beside that.
    pub(super) const fn has_latencies(&self) -> bool {
        matches!(self.unit.microarchitecture, Some(Microarchitecture::Skylake | Microarchitecture::IceLake))
    }

    /// Returns true if the fourth level of memory is persistent memory: a server's.
    pub(super) const fn has_persistent_memory(&self) -> bool {
        matches!(self.unit.model, 0x55 | 0x6A | 0x6C)
    }
}
