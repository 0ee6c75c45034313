//! What a processor is, and what it says about its unit.
//!
//! Sources: SDM vol. 2, "CPUID - CPU Identification", leaf 01H; SDM vol. 4, tables "IA-32 Architectural MSRs"
//! (IA32_MISC_ENABLE) and "MSRs in the Pentium 4 and Intel Xeon Processors".

use raw_cpuid::CpuIdReader;

use super::registers::{COUNTERS, Cccr, EscrId, Half, Misc};
use super::share::{Share, View};
use crate::arch::x86::Msrs;
use crate::arch::x86::kind::Packed;
use crate::arch::x86::processor::Processor;
use crate::contract::Kind;
use crate::event::{CounterSet, Error, Result, Width};

/// What the unit of a processor has. Driver and device are created from the same capabilities.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Capabilities {
    /// The processor's model, of family 15.
    pub model: u32,
    /// Whether two threads share the unit.
    pub hyper_threading: bool,
    /// Whether it has replay tagging.
    pub replay: bool,
    /// The counters among which requests are placed.
    pub view: View,
    /// The threads whose unit it is.
    pub share: Share,
    /// The counters that somebody else uses, as firmware or a watchdog.
    pub used_by_others: CounterSet,
    /// The ESCRs that those use, by their numbers.
    pub used_escrs: u64,
}

const UNAVAILABLE: Error =
    Error::NoUnit { reason: "IA32_MISC_ENABLE says that performance monitoring is not available" };

impl Capabilities {
    /// The width of a counter, on every processor.
    pub const WIDTH: Width = Width::wrapping(40).expect("a width of 40 bits");

    /// How often a counter is written for its value to reach it (erratum N15).
    pub(super) const WRITES: usize = 2;

    /// Returns the unit of this model, seen as its independent bank.
    #[must_use]
    pub const fn of_model(model: u32) -> Self {
        Self {
            model,
            hyper_threading: false,
            replay: true,
            view: View::Bank,
            share: Share::Whole,
            used_by_others: CounterSet::EMPTY,
            used_escrs: 0,
        }
    }

    /// Reads what CPUID and IA32_MISC_ENABLE say. The share is that of the thread that executes it.
    ///
    /// # Errors
    /// Returns [`Error::UnknownProcessor`] if the processor is not one of Intel's of family 15, and [`Error::NoUnit`] if
    /// it says that its unit is not available.
    pub fn discover<C: CpuIdReader>(cpuid: &C, misc: impl FnOnce() -> u64) -> Result<Self> {
        let processor = Processor::of(cpuid)?;
        if !Self::describe(&processor) {
            return Err(processor.unknown());
        }
        let misc = Misc::from_bits_retain(misc());
        if !misc.contains(Misc::MONITORING) {
            return Err(UNAVAILABLE);
        }
        let named = processor.leaf(1, 0);
        let mut capabilities = Self::of_model(processor.model);
        capabilities.replay = !misc.contains(Misc::NO_PEBS);
        capabilities.hyper_threading = named.edx & HAS_THREADS != 0 && named.ebx >> 16 & 0xFF > 1;
        if capabilities.hyper_threading {
            capabilities.share = Share::of_apic((named.ebx >> 24) as u8);
        }
        Ok(capabilities)
    }

    /// Returns true for Intel's processors of family 15.
    pub(in crate::arch::x86) fn describe<C: CpuIdReader>(processor: &Processor<'_, C>) -> bool {
        processor.is(b"GenuineIntel") && processor.family == 0xF
    }

    /// Finds out from the registers which counters of its share count already, and leaves them and their ESCRs to whoever
    /// started them.
    ///
    /// # Errors
    /// [`Error::UsedByOthers`] if no counter is left.
    pub(super) fn look_at<R: Msrs>(&mut self, registers: &R) -> Result<()> {
        for counter in self.share.counters() {
            let cccr = Cccr::from_bits_retain(registers.read(Cccr::msr(counter)));
            if cccr.contains(Cccr::ENABLE) {
                self.used_by_others = self.used_by_others.or(counter.only());
                self.used_escrs |= EscrId::of(counter, cccr.escr_select()).map_or(0, |escr| 1 << escr as u8);
            }
        }
        if self.counters().is_empty() { Err(Error::UsedByOthers(self.used_by_others)) } else { Ok(()) }
    }

    /// Returns the same unit if nobody else used it.
    pub(super) const fn alone(&self) -> Self {
        Self { used_by_others: CounterSet::EMPTY, used_escrs: 0, ..*self }
    }

    /// Returns the counters that the driver uses.
    #[inline(always)]
    #[must_use]
    pub const fn counters(&self) -> CounterSet {
        self.view.counters().and(self.share.counters()).without(self.used_by_others)
    }

    /// Returns true if the processor has this ESCR.
    #[inline(always)]
    #[must_use]
    pub const fn has_escr(&self, escr: EscrId) -> bool {
        self.model <= LAST_EARLY || !escr.is_early()
    }

    /// Returns true for Prescott and later models: 3, 4 and 6.
    #[must_use]
    pub const fn is_prescott(&self) -> bool {
        self.model > LAST_EARLY
    }

    /// Returns true if the driver may write this ESCR.
    #[inline(always)]
    #[must_use]
    pub(super) const fn may_use(&self, escr: EscrId) -> bool {
        self.has_escr(escr) && self.used_escrs >> escr as u8 & 1 == 0
    }

    /// Returns the ESCRs that the driver's counters are joined to.
    pub(super) fn escrs(&self) -> impl Iterator<Item = EscrId> {
        let counters = self.counters();
        let halves = Half::ALL.iter().filter(move |half| !half.counters.and(counters).is_empty());
        halves.flat_map(|half| half.escrs).flatten().filter(move |&escr| self.may_use(escr))
    }

    /// Returns the kind: what events depend on, and all that demands and placements depend on.
    /// The sibling thread has the same events on other counters.
    pub(super) fn kind(&self) -> Kind {
        let mut kind = Packed::new();
        kind.add(1, 1);
        kind.add(4, self.model.into());
        kind.end_events();
        kind.add(1, self.replay.into());
        kind.add(1, (self.view == View::All).into());
        kind.add(2, self.share as u64);
        kind.add(COUNTERS.into(), self.used_by_others.bits());
        kind.add(24, self.used_escrs ^ self.used_escrs >> 24);
        kind.finish()
    }
}

/// CPUID leaf 01H, EDX: the processor has several threads or cores (HTT).
const HAS_THREADS: u32 = 1 << 28;

/// The last model before Prescott.
const LAST_EARLY: u32 = 2;
