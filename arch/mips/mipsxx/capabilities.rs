//! The model, and what its unit has, by PRId, Config1 and the controls' own bits.
//!
//! Sources of the implementations: torvalds/linux arch/mips/include/asm/cpu.h, and QEMU's target/mips/cpu-defs.c.inc for
//! those that it has. Octeon III counts more events than any source describes, and is not among them.
//!
//! R12000 and R14000 have two counters here, as in IRIX' r10k_counters(5) ("supplies two performance counters ... 32 events
//! per counter") and PAPI's irix-mips.c, which ran on them. Linux and OProfile write four. A course of Texas A&M on the
//! Origin agrees with both: the other two count only events that depend on earlier ones, and no source describes them.

use super::registers::PerfCtl;
use crate::arch::mips::{Cp0, Prid};
use crate::contract::{Kind, Registers};
use crate::event::{CounterId, CounterSet, Error, Result, Width};

/// The models of processors that count alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Model {
    /// R10000 up to revision 2.x.
    R10000V2,
    /// R10000 from revision 3.0 on.
    R10000,
    /// R12000, R14000 and R16000.
    R12000,
    /// 5K and 5KE.
    M5K,
    /// 20K.
    M20K,
    /// 24K and 24KE.
    M24K,
    /// 34K.
    M34K,
    /// 74K and 1074K.
    M74K,
    /// 1004K.
    M1004K,
    /// Octeon and Octeon Plus.
    Octeon,
    /// Octeon II.
    OcteonII,
}

impl Model {
    /// All models, from the oldest to the newest.
    pub const ALL: [Self; 11] = [
        Self::R10000V2,
        Self::R10000,
        Self::R12000,
        Self::M5K,
        Self::M20K,
        Self::M24K,
        Self::M34K,
        Self::M74K,
        Self::M1004K,
        Self::Octeon,
        Self::OcteonII,
    ];

    /// Returns the model that has this identification, or `None` if none of them has.
    #[must_use]
    pub const fn of(prid: Prid) -> Option<Self> {
        match prid.implementation() {
            0x0009 if prid.revision() < 0x30 => Some(Self::R10000V2),
            0x0009 => Some(Self::R10000),
            0x000E | 0x000F => Some(Self::R12000),
            0x0181 | 0x0189 => Some(Self::M5K),
            0x0182 => Some(Self::M20K),
            0x0193 | 0x0196 => Some(Self::M24K),
            0x0195 => Some(Self::M34K),
            0x0197 | 0x019A => Some(Self::M74K),
            0x0199 => Some(Self::M1004K),
            0x0D00..=0x0D04 | 0x0D06 | 0x0D07 => Some(Self::Octeon),
            0x0D90..=0x0D94 => Some(Self::OcteonII),
            _ => None,
        }
    }

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::R10000V2 | Self::R10000 => "R10000",
            Self::R12000 => "R12000",
            Self::M5K => "MIPS 5K",
            Self::M20K => "MIPS 20K",
            Self::M24K => "MIPS 24K",
            Self::M34K => "MIPS 34K",
            Self::M74K => "MIPS 74K",
            Self::M1004K => "MIPS 1004K",
            Self::Octeon => "Octeon",
            Self::OcteonII => "Octeon II",
        }
    }

    /// Returns the title of its manual.
    #[must_use]
    pub const fn manual(self) -> &'static str {
        match self {
            Self::R10000V2 | Self::R10000 => "MIPS R10000 Microprocessor User's Manual, section 14.20",
            Self::R12000 => "IRIX r10k_counters(5)",
            Self::M5K => "MIPS64 5K Processor Core Family Software User's Manual",
            Self::M20K => "MIPS64 20Kc Processor Core User's Manual",
            Self::M24K => "MIPS32 24K Processor Core Family Software User's Manual",
            Self::M34K => "MIPS32 34K Processor Core Family Software User's Manual",
            Self::M74K => "MIPS32 74K Processor Core Family Software User's Manual",
            Self::M1004K => "MIPS32 1004K Coherent Processing System User's Manual",
            Self::Octeon | Self::OcteonII => "OCTEON Hardware Reference Manual",
        }
    }

    /// Returns true if it has no Config1, and its control no bits that describe the unit.
    #[must_use]
    pub const fn is_before_config1(self) -> bool {
        matches!(self, Self::R10000V2 | Self::R10000 | Self::R12000)
    }

    /// Returns true if a counter can be limited to the events of a VPE or of a TC.
    #[must_use]
    pub const fn selects_threads(self) -> bool {
        matches!(self, Self::M34K | Self::M1004K)
    }

    /// Returns the largest event number of a control: R10000's has four bits, R12000's five.
    #[must_use]
    pub const fn largest_event(self) -> u16 {
        match self {
            Self::R10000V2 | Self::R10000 | Self::M5K | Self::M20K => 0xF,
            Self::R12000 => 0x1F,
            Self::M24K | Self::Octeon => 0x3F,
            Self::M34K | Self::M74K | Self::M1004K | Self::OcteonII => 0x7F,
        }
    }
}

/// What the unit of a core has. Driver and device are created from the same capabilities.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Capabilities {
    /// The processor's identification.
    pub prid: Prid,
    /// The model that it counts like.
    pub model: Model,
    /// The counters.
    pub counters: CounterSet,
    /// The width of a counter, which overflows when its top bit becomes 1.
    pub width: Width,
    /// The threads whose events each counter is limited to, unless a request says otherwise.
    pub(super) limit: PerfCtl,
}

/// Config1\[PC\]: there are performance counters.
pub(super) const HAS_COUNTERS: u64 = 1 << 4;
const NARROW: Width = Width::top_bit(32).expect("a width of 32 bits");
const WIDE: Width = Width::top_bit(64).expect("a width of 64 bits");

impl Capabilities {
    /// Returns the kind of unit: the model, which determines the events. Placements also depend on the counters, their width,
    /// and the VPE that they are limited to.
    pub(super) fn kind(&self) -> Kind {
        let Self { model, counters, width, limit, .. } = self;
        let events = u64::from(b'M') | (*model as u64) << 8;
        let unit = counters.bits() << 16 | u64::from(width.bits()) << 24;
        Kind::new(events, events | unit | u64::from(limit.bits()) << 32)
    }

    /// Finds out what the unit has. Only reads registers, and Config1 only of cores that have it.
    ///
    /// # Errors
    /// Returns [`Error::UnknownProcessor`], with company and implementation as its family and the revision as its model,
    /// and [`Error::NoUnit`] if Config1 announces no counters.
    pub fn discover<R: Registers<Address = Cp0>>(registers: &R) -> Result<Self> {
        let prid = Prid::from_bits(registers.read(Cp0::PRID) as u32);
        let unknown = Error::UnknownProcessor { family: prid.implementation(), model: prid.revision() };
        let model = Model::of(prid).ok_or(unknown)?;
        if model.is_before_config1() {
            return Ok(Self::of(prid, model, 2, false));
        }
        if registers.read(Cp0::CONFIG1) & HAS_COUNTERS == 0 {
            return Err(Error::NoUnit { reason: "Config1 announces no performance counters" });
        }
        let control = |counter: CounterId| PerfCtl::from_bits_retain(registers.read(Cp0::control_of(counter)) as u32);
        let more = |counter: &CounterId| control(*counter).contains(PerfCtl::MORE);
        let others = CounterSet::first(Cp0::COUNTERS - 1).into_iter().take_while(more).count();
        let is_wide = CounterSet::first(1).into_iter().any(|first| control(first).contains(PerfCtl::WIDE));
        Ok(Self::of(prid, model, 1 + others as u8, is_wide))
    }

    pub(super) const fn of(prid: Prid, model: Model, counters: u8, is_wide: bool) -> Self {
        let width = if is_wide { WIDE } else { NARROW };
        Self { prid, model, counters: CounterSet::first(counters), width, limit: PerfCtl::empty() }
    }

    /// Returns the share of one of two virtual processing elements (VPE) of a multithreaded core, each of which is a CPU
    /// with a claim of its own. VPE 0 has the first half of the core's counters, VPE 1 the second, as in Linux
    /// (arch/mips/kernel/perf_event_mipsxx.c, `mipsxx_pmu_swizzle_perf_idx`), and they count that VPE's events alone unless
    /// a request names a VPE or a TC.
    ///
    /// Some events are of the whole core, among them cycles and those of the second-level cache. Linux limits these to no
    /// VPE, so that the hardware may count both VPEs' whatever the limit says.
    ///
    /// A core whose thread contexts have counters of their own (Config7\[PTC\]) needs no shares.
    ///
    /// # Errors
    /// Returns [`Error::NoUnit`] if the core has no such VPE, or no counter for it.
    pub fn of_vpe(self, vpe: u8) -> Result<Self> {
        if !self.model.selects_threads() || vpe > 1 {
            return Err(Error::NoUnit { reason: "the core has no virtual processing element of this number" });
        }
        let all = self.counters.len() as u8;
        let first = CounterSet::first(all / 2);
        let counters = if vpe == 0 { first } else { CounterSet::first(all / 2 * 2).without(first) };
        if counters.is_empty() {
            return Err(Error::NoUnit { reason: "the core has one counter, which two VPEs cannot share" });
        }
        Ok(Self { counters, limit: PerfCtl::of_vpe(vpe), ..self })
    }

    /// Returns the bits of a control that can be written.
    #[inline(always)]
    #[must_use]
    pub const fn writable(&self) -> PerfCtl {
        let threads = if self.model.selects_threads() { PerfCtl::SELECTION } else { PerfCtl::empty() };
        let event = PerfCtl::of_event(self.model.largest_event());
        PerfCtl::MODES.union(PerfCtl::INTERRUPT).union(event).union(threads)
    }
}
