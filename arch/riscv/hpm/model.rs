//! The processors whose events are known, and how each is told by its identification.

use crate::arch::riscv::Part;
use crate::event::{Remaining, Width};

/// The models of processors that have the same events.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Model {
    /// A processor whose events are not known. Cycles and instructions are on counters of their own, and others have codes.
    Other,
    /// A processor whose events are the SBI's indices, as OpenSBI writes them where a device tree maps no events. It is
    /// chosen by [`Announced::with_model`](super::Announced::with_model).
    Indexed,
    /// QEMU's own unit, whose counters have one event each.
    Qemu,
    /// SiFive U74 and others of the series 7 (Bullet) before version 7.
    U74,
    /// SiFive's series 7 from version 7 on.
    Bullet07,
    /// SiFive's series 7 from version 13 on.
    Bullet0D,
    /// T-Head C910, as in the TH1520, whose counters count any of its events. The C920 of SG2042 and SG2044 has the same
    /// codes by its device trees, on any of 29 counters: choose this by
    /// [`Announced::with_model`](super::Announced::with_model), or it is taken for a D1.
    C910,
    /// T-Head C906, as it was published (openc906): eight counters, each of which counts any of its events. Codes from 1DH on,
    /// which the D1's device tree does not have, are refused.
    C906,
    /// T-Head C906 in the Allwinner D1, whose counters have one event each.
    D1,
    /// SiFive P550.
    P550,
    /// SiFive P650, P670, P450 and P470.
    P650,
    /// Andes AX45.
    Ax45,
    /// StarFive Dubhe-80.
    Dubhe80,
    /// CVA6.
    Cva6,
    /// OpenHW's CV32E40P. It takes the codes that have one of bits 0 to 10 set: the manual leaves several bits at once undefined.
    /// Bits 11 to 15 count only on a core that was built with a cluster or a floating-point unit, which no register tells: the
    /// owner of such a core chooses [`Model::Other`] for them.
    Cv32e40p,
    /// lowRISC's Ibex, whose counters have one event each.
    Ibex,
}

impl Model {
    /// All models.
    pub const ALL: [Self; 16] = [
        Self::Other,
        Self::Indexed,
        Self::Qemu,
        Self::U74,
        Self::Bullet07,
        Self::Bullet0D,
        Self::C910,
        Self::C906,
        Self::D1,
        Self::P550,
        Self::P650,
        Self::Ax45,
        Self::Dubhe80,
        Self::Cva6,
        Self::Cv32e40p,
        Self::Ibex,
    ];

    /// Returns the model that has this identification. The positions are those of torvalds/linux
    /// tools/perf/pmu-events/arch/riscv/mapfile.csv; those of CV32E40P and Ibex are in their descriptions in hardware
    /// (cv32e40p_pkg.sv, ibex_pkg.sv). QEMU 7.2 has its version in both numbers (target/riscv/cpu.c). QEMU 10.0 has 0 in all three:
    /// a kernel knows it by its device tree (`riscv-virtio`), and chooses it by
    /// [`Announced::with_model`](super::Announced::with_model).
    ///
    /// T-Head's C910 and C906 have the same numbers. Returned is [`Model::D1`], whose events all of them have; a detection tells
    /// them apart.
    #[must_use]
    pub const fn of(part: Part) -> Self {
        match (part.vendor, part.architecture) {
            (0x489, 0x8000_0000_0000_0000..=0x8000_0000_0000_0FFF) => Self::of_sifive(part),
            (0x5B7, 0) => Self::D1,
            (0x31E, 0x8000_0000_0000_8A45) => Self::Ax45,
            (0x67E, 0x8000_0000_DB00_0080 | 0x8000_0000_DB00_0090) => Self::Dubhe80,
            (0x602, 3) => Self::Cva6,
            (0x602, 4) => Self::Cv32e40p,
            (0, 22) if part.implementation == 0 => Self::Ibex,
            (0, 1..0x100_0000) if part.architecture == part.implementation => Self::Qemu,
            _ => Self::Other,
        }
    }

    /// Returns SiFive's model: the series is in bits 7 to 0 of marchid, its generation in bits 11 to 8, and the list of events
    /// depends on the leading digit of mimpid in hexadecimal.
    const fn of_sifive(part: Part) -> Self {
        let leading = part.implementation >> ((part.implementation | 1).ilog2() & !3);
        match (part.architecture & 0xFF, part.architecture >> 8 & 0xF, leading) {
            (7, 0, _) => Self::U74,
            (7, 1..=0xE, 7 | 8 | 0xA | 0xC) => Self::Bullet07,
            (7, 1..=0xE, 0xD) => Self::Bullet0D,
            (8, 0, _) => Self::P550,
            (8, 1..=6, 9 | 0xB) => Self::P650,
            _ => Self::Other,
        }
    }

    /// Returns the most events that a counter can be preset to wait for. QEMU's timer cannot wait for 2^63 nanoseconds: a
    /// counter that was to wait for longer sends its next overflow's interrupt late, or never (QEMU 10.0, target/riscv/pmu.c,
    /// irq_overflow_left). It can for half as long.
    #[inline(always)]
    pub(super) fn longest(self, width: Width) -> Remaining {
        let halvings = u32::from(matches!(self, Self::Qemu));
        Remaining::events(width.longest() >> halvings)
    }

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Other | Self::Indexed => "RISC-V",
            Self::Qemu => "RISC-V in QEMU",
            Self::U74 => "SiFive U74",
            Self::Bullet07 => "SiFive Bullet, version 7",
            Self::Bullet0D => "SiFive Bullet, version 13",
            Self::C910 => "T-Head C910",
            Self::C906 => "T-Head C906",
            Self::D1 => "T-Head C906 in the D1",
            Self::P550 => "SiFive P550",
            Self::P650 => "SiFive P650",
            Self::Ax45 => "Andes AX45",
            Self::Dubhe80 => "StarFive Dubhe-80",
            Self::Cva6 => "CVA6",
            Self::Cv32e40p => "CV32E40P",
            Self::Ibex => "Ibex",
        }
    }

    /// Returns the title of its manual.
    #[must_use]
    pub const fn manual(self) -> &'static str {
        match self {
            Self::Other
            | Self::Indexed
            | Self::Qemu
            | Self::Bullet07
            | Self::Bullet0D
            | Self::P550
            | Self::P650
            | Self::Ax45
            | Self::Dubhe80 => {
                "The RISC-V Instruction Set Manual, volume II: Privileged Architecture, \"Hardware Performance Monitor\""
            }
            Self::U74 => "SiFive FU740-C000 Manual, \"Hardware Performance Monitor\"",
            Self::C910 => "OpenC910 Programming Manual, \"Performance Monitoring Unit\"",
            Self::C906 | Self::D1 => "OpenC906 Programming Manual, \"Performance Monitoring Unit\"",
            Self::Cva6 => "CVA6 User Manual, \"Performance Counters\"",
            Self::Cv32e40p => "CV32E40P User Manual, \"Performance Counters\"",
            Self::Ibex => "Ibex Reference Guide, \"Performance Counters\"",
        }
    }
}
