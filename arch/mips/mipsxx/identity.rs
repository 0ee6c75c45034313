//! The core that a guest sees: the contents of PRId, and its counters.
//!
//! A [`Device`](super::Device) that is created from an identity answers PRId and Config1 as that core does.
//!
//! Sources of the numbers of counters: each core's manual, and OProfile's libop/op_cpu_type.c (20K 1; 5K, 24K, 34K and
//! 1004K 2; 74K 4). OProfile's are those of a CPU, which on 34K and 1004K is one of two VPEs: the core has four, of
//! which Linux gives VPE 1 the upper two (torvalds/linux arch/mips/kernel/perf_event_mipsxx.c,
//! `mipsxx_pmu_swizzle_perf_idx`), unless each thread context has two of its own (Config7\[PTC\]). Octeons have two of
//! 64 bits (Cavium's cvmx-core.h). Of the implementations: see [`Capabilities`].

use super::capabilities::{Capabilities, Model};
use crate::arch::mips::{Cp0, Prid};
use crate::virt::Fingerprint;

/// A core, as far as its unit is concerned.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    name: &'static str,
    capabilities: Capabilities,
}

impl Identity {
    /// R10000, revision 2.6.
    pub const R10000_V2: Self = Self::of("r10000-v2", 0x0926, Model::R10000V2, 2);
    /// R10000, revision 3.4.
    pub const R10000: Self = Self::of("r10000", 0x0934, Model::R10000, 2);
    /// R12000, revision 2.3.
    pub const R12000: Self = Self::of("r12000", 0x0E23, Model::R12000, 2);
    /// R14000, revision 1.4.
    pub const R14000: Self = Self::of("r14000", 0x0F14, Model::R12000, 2);
    /// 5Kc.
    pub const M5K: Self = Self::of("mips-5k", 0x0001_8100, Model::M5K, 2);
    /// 20Kc.
    pub const M20K: Self = Self::of("mips-20k", 0x0001_82A0, Model::M20K, 1);
    /// 24Kf.
    pub const M24K: Self = Self::of("mips-24k", 0x0001_9300, Model::M24K, 2);
    /// 34Kf.
    pub const M34K: Self = Self::of("mips-34k", 0x0001_9500, Model::M34K, 4);
    /// 74Kf.
    pub const M74K: Self = Self::of("mips-74k", 0x0001_9700, Model::M74K, 4);
    /// 1004K.
    pub const M1004K: Self = Self::of("mips-1004k", 0x0001_9900, Model::M1004K, 4);

    /// Octeon Plus: CN58XX.
    pub const OCTEON: Self = Self::of("octeon", 0x000D_0300, Model::Octeon, 2).wide();
    /// Octeon II: CN68XX.
    pub const OCTEON_II: Self = Self::of("octeon-ii", 0x000D_9100, Model::OcteonII, 2).wide();

    /// All identities, from the oldest to the newest.
    pub const ALL: [Self; 12] = [
        Self::R10000_V2,
        Self::R10000,
        Self::R12000,
        Self::R14000,
        Self::M5K,
        Self::M20K,
        Self::M24K,
        Self::M34K,
        Self::M74K,
        Self::M1004K,
        Self::OCTEON,
        Self::OCTEON_II,
    ];

    const fn of(name: &'static str, prid: u32, model: Model, counters: u8) -> Self {
        Self { name, capabilities: Capabilities::of(Prid::from_bits(prid), model, counters, false) }
    }

    /// Returns the same core with counters of 64 bits, as MIPS64 allows (PerfCtl\[W\]).
    #[must_use]
    pub const fn wide(self) -> Self {
        let Capabilities { prid, model, counters, .. } = self.capabilities;
        Self { name: self.name, capabilities: Capabilities::of(prid, model, counters.len() as u8, true) }
    }

    /// Returns the same core with so many counters, from 1 to 4: of most cores a licensee chose the number.
    #[must_use]
    pub const fn with_counters(self, counters: u8) -> Self {
        let Capabilities { prid, model, width, .. } = self.capabilities;
        let counters = if counters == 0 {
            1
        } else if counters > Cp0::COUNTERS {
            Cp0::COUNTERS
        } else {
            counters
        };
        Self { name: self.name, capabilities: Capabilities::of(prid, model, counters, width.bits() == 64) }
    }

    /// Returns the core's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the fingerprint of what a guest is told.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        let Capabilities { prid, counters, width, .. } = self.capabilities;
        Fingerprint::of([prid.bits().into(), counters.bits(), width.bits().into()])
    }

    /// Returns what a driver finds out about the unit, and what a device is created from.
    #[must_use]
    pub const fn capabilities(&self) -> Capabilities {
        self.capabilities
    }
}
