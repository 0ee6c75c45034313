//! The unit that a guest sees: the processor's identification, the extensions, and its counters.
//!
//! Sources of the numbers of counters: FU740-C000 Manual, "Hardware Performance Monitor" (two, of 40 bits); QEMU's
//! target/riscv/cpu.c (pmu-mask: 16); the device trees of TH1520 (3 to 18) and of the D1
//! (3 to 31), and openc906's aq_hpcp_top.v (3 to 10); CV32E40P User Manual and Ibex Reference Guide, "Performance Counters".

use super::capabilities::{Announced, Capabilities};
use super::counters::{FIXED, from_register};
use super::extensions::Extensions;
use super::hardwired::Hardwired;
use super::model::Model;
use super::privilege::Privilege;
use crate::arch::riscv::Part;
use crate::event::Width;
use crate::virt::{Fingerprint, Kind, Kinds};

/// A processor, as far as its unit is concerned.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    name: &'static str,
    part: Part,
    model: Model,
    extensions: Extensions,
    /// By their bits in mcounteren.
    counters: u32,
    width: u32,
    /// What the host observes, if it has said so.
    fed: Option<Kinds>,
}

/// Counters that stop, below which there is user mode.
const USUAL: Extensions = Extensions::INHIBIT.union(Extensions::USER);

impl Identity {
    /// A processor of 64 bits whose events are the SBI's indices, with Sscofpmf and Smcntrpmf, and every counter.
    pub const RV64: Self = Self {
        name: "rv64",
        part: Part::UNKNOWN,
        model: Model::Indexed,
        extensions: USUAL.union(Extensions::SSCOFPMF).union(Extensions::SMCNTRPMF),
        counters: 0xFFFF_FFFD,
        width: 64,
        fed: None,
    };
    /// The same processor with registers of 32 bits, and counters of 64.
    pub const RV32: Self =
        Self { name: "rv32", extensions: Self::RV64.extensions.union(Extensions::RV32), ..Self::RV64 };
    /// The same processor, which delegates its counters to the supervisor (Smcdeleg and Ssccfg).
    pub const RV64_DELEGATED: Self =
        Self { name: "rv64-s", extensions: Self::RV64.extensions.union(Extensions::SSCCFG), ..Self::RV64 };
    /// The same processor with registers of 32 bits.
    pub const RV32_DELEGATED: Self =
        Self { name: "rv32-s", extensions: Self::RV32.extensions.union(Extensions::SSCCFG), ..Self::RV64 };
    /// The same processor without extensions: nothing interrupts, and nothing is filtered.
    pub const RV64_PLAIN: Self = Self { name: "rv64-plain", extensions: USUAL, width: 48, ..Self::RV64 };
    /// [`RV64_PLAIN`](Self::RV64_PLAIN) with registers of 32 bits. mhpmevent has no upper halves.
    pub const RV32_PLAIN: Self =
        Self { name: "rv32-plain", extensions: USUAL.union(Extensions::RV32), ..Self::RV64_PLAIN };
    /// [`RV64_PLAIN`](Self::RV64_PLAIN) before version 1.11 of the privileged architecture: counters cannot be stopped.
    pub const RV64_V1_10: Self = Self { name: "rv64-1.10", extensions: Extensions::USER, ..Self::RV64_PLAIN };
    /// QEMU's processor `rv64` with Sscofpmf and Smcntrpmf, of version 10.0.
    pub const QEMU: Self =
        Self { name: "rv64-qemu", part: Part::UNKNOWN, model: Model::Qemu, counters: 0x7_FFFD, ..Self::RV64 };
    /// SiFive U74, as in the FU740: two counters of 40 bits, and no interrupt.
    pub const U74: Self = Self {
        name: "u74",
        part: Part::new(0x489, 0x8000_0000_0000_0007, 0x2018_1004),
        model: Model::U74,
        extensions: USUAL,
        counters: 0b1_1101,
        width: 40,
        fed: None,
    };
    /// SiFive's series 7 from version 7 on, with Sscofpmf.
    pub const BULLET07: Self = Self {
        name: "bullet-07",
        part: Part::new(0x489, 0x8000_0000_0000_0107, 0x700_0000),
        model: Model::Bullet07,
        ..Self::RV64
    };
    /// SiFive's series 7 from version 13 on, with Sscofpmf.
    pub const BULLET0D: Self = Self {
        name: "bullet-0d",
        part: Part::new(0x489, 0x8000_0000_0000_0107, 0xD00_0000),
        model: Model::Bullet0D,
        ..Self::RV64
    };
    /// T-Head C910, as in the TH1520: 16 counters, with the interrupt of T-Head's own.
    pub const C910: Self = Self {
        name: "c910",
        part: Part::new(0x5B7, 0, 0),
        model: Model::C910,
        extensions: USUAL.union(Extensions::THEAD),
        counters: 0x7_FFFD,
        width: 64,
        fed: None,
    };
    /// T-Head C906, as it was published: eight counters, with the interrupt of T-Head's own.
    pub const C906: Self = Self { name: "c906", model: Model::C906, counters: 0x7FD, ..Self::C910 };
    /// T-Head C906 in the Allwinner D1: 29 counters, with the interrupt of T-Head's own.
    pub const D1: Self = Self { name: "d1", model: Model::D1, counters: 0xFFFF_FFFD, ..Self::C910 };
    /// SiFive P550, as in the EIC7700: four counters, with Sscofpmf.
    pub const P550: Self = Self {
        name: "p550",
        part: Part::new(0x489, 0x8000_0000_0000_0008, 0),
        model: Model::P550,
        counters: 0b111_1101,
        ..Self::RV64
    };
    /// SiFive P650, with Sscofpmf.
    pub const P650: Self = Self {
        name: "p650",
        part: Part::new(0x489, 0x8000_0000_0000_0108, 0x900_0000),
        model: Model::P650,
        ..Self::RV64
    };
    /// Andes AX45: four counters, with the interrupt and the modes of Andes' own.
    pub const AX45: Self = Self {
        name: "ax45",
        part: Part::new(0x31E, 0x8000_0000_0000_8A45, 0),
        model: Model::Ax45,
        extensions: USUAL.union(Extensions::ANDES),
        counters: 0b111_1101,
        ..Self::C906
    };
    /// StarFive Dubhe-80, with Sscofpmf.
    pub const DUBHE80: Self = Self {
        name: "dubhe-80",
        part: Part::new(0x67E, 0x8000_0000_DB00_0080, 0),
        model: Model::Dubhe80,
        ..Self::RV64
    };
    /// CVA6, with six counters, as it is configured by default.
    pub const CVA6: Self = Self {
        name: "cva6",
        part: Part::new(0x602, 3, 0),
        model: Model::Cva6,
        extensions: USUAL,
        counters: 0x1FD,
        ..Self::AX45
    };
    /// OpenHW's CV32E40P, which has machine mode alone, with four counters. A core may be built with 0 to 29.
    pub const CV32E40P: Self = Self {
        name: "cv32e40p",
        part: Part::new(0x602, 4, 0),
        model: Model::Cv32e40p,
        extensions: Extensions::INHIBIT.union(Extensions::RV32),
        counters: 0b111_1101,
        width: 64,
        fed: None,
    };
    /// lowRISC's Ibex with the ten counters of 40 bits that have events. One may be built with fewer, and of another width.
    pub const IBEX: Self = Self {
        name: "ibex",
        part: Part::new(0, 22, 0),
        model: Model::Ibex,
        extensions: USUAL.union(Extensions::RV32),
        counters: 0x1FFD,
        width: 40,
        fed: None,
    };

    /// All identities.
    pub const ALL: [Self; 21] = [
        Self::RV64,
        Self::RV32,
        Self::RV64_DELEGATED,
        Self::RV32_DELEGATED,
        Self::RV64_PLAIN,
        Self::RV32_PLAIN,
        Self::RV64_V1_10,
        Self::QEMU,
        Self::U74,
        Self::BULLET07,
        Self::BULLET0D,
        Self::C910,
        Self::C906,
        Self::D1,
        Self::P550,
        Self::P650,
        Self::AX45,
        Self::DUBHE80,
        Self::CVA6,
        Self::CV32E40P,
        Self::IBEX,
    ];

    /// Returns the same processor with these counters alone, by their bits in mcounteren.
    #[must_use]
    pub const fn with_counters(self, bits: u32) -> Self {
        Self { counters: bits & !0b10, ..self }
    }

    /// Returns the identity with only the events of these kinds: those that the host observes. A
    /// [`Host`](super::sbi::Host) then refuses the others instead of counting nothing; in machine mode nothing announces events.
    #[must_use]
    pub const fn fed_by(self, observed: Kinds) -> Self {
        Self { fed: Some(observed), ..self }
    }

    /// Returns what the host observes, if it has said so.
    pub(super) const fn observed(&self) -> Option<Kinds> {
        self.fed
    }

    /// Returns the processor's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the mode that a driver of it runs in: the supervisor's if counters are delegated.
    #[must_use]
    pub const fn privilege(&self) -> Privilege {
        if self.extensions.contains(Extensions::SSCCFG) { Privilege::Supervisor } else { Privilege::Machine }
    }

    /// Returns what a device tree announces of it.
    #[must_use]
    pub const fn announced(&self) -> Announced {
        Announced::new(self.extensions).with_counters(self.counters).of_part(self.part).with_model(self.model)
    }

    /// Returns the fingerprint of what a guest is told.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        let Part { vendor, architecture, implementation } = self.part;
        let unit = u64::from(self.width) << 48 | u64::from(self.extensions.bits()) << 32 | u64::from(self.counters);
        let fed = |observed: Kinds| {
            Kind::ALL.iter().fold(0, |bits, &kind| bits | u64::from(observed.contains(kind)) << kind as u8)
        };
        let told = [vendor.into(), architecture, implementation, unit, self.model as u64];
        Fingerprint::of(told.into_iter().chain(self.fed.map(fed)))
    }

    /// Returns what a driver finds out about the unit, and what a device is created from.
    #[must_use]
    pub const fn capabilities(&self) -> Capabilities {
        let Self { part, model, extensions, .. } = *self;
        let (can_inhibit, counters) = (extensions.contains(Extensions::INHIBIT), from_register(self.counters as u64));
        let counters = if can_inhibit { counters } else { counters.without(FIXED) };
        let width = Width::wrapping(self.width).expect("a width of 1 to 64 bits");
        let hardwired = Hardwired::of(model, counters);
        Capabilities { part, model, extensions, privilege: self.privilege(), counters, width, hardwired }
    }

    /// Returns the counters by their bits in mcounteren, mcycle and minstret among them whether a driver can use them or not.
    pub(super) const fn counters(&self) -> u32 {
        self.counters
    }
}
