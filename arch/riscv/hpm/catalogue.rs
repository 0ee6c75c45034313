//! The events by name.

#[rustfmt::skip]
mod tables;

use super::counters::PROGRAMMABLE;
use super::model::Model;
use crate::event::Event;
use crate::event::catalogue::{Attribute, Catalogue, Effect, Events, GenericEvent, OtherName};

const fn generic(name: &'static str, event: Event) -> GenericEvent {
    GenericEvent::new(name, event)
}

/// The counters other than mcycle and minstret, one bit each.
const HPM: u64 = PROGRAMMABLE.bits();

/// The four of P550 and AX45.
const FOUR: u64 = 0x78;

/// The eight of C906.
const EIGHT: u64 = 0x7F8;

/// Cycles, on mcycle and on these counters.
const fn cycles(others: u64) -> GenericEvent {
    generic("papi_tot_cyc", Event::CYCLES).on(1 << 32 | others)
}

/// Instructions, on minstret and on these counters.
const fn instructions(others: u64) -> GenericEvent {
    generic("papi_tot_ins", Event::INSTRUCTIONS).on(1 << 34 | others)
}

const MODIFIERS: &[Attribute] = &[
    Attribute { name: "k", effect: Effect::Kernel, largest: 1 },
    Attribute { name: "u", effect: Effect::User, largest: 1 },
];

/// QEMU's, each on one more counter (target/riscv/pmu.c).
const OF_QEMU: &[GenericEvent] = &[cycles(1 << 3), instructions(1 << 4)];

/// perf's names of six of AX45's events (torvalds/linux tools/perf/pmu-events/arch/riscv/andes/ax45/instructions.json).
const PERFS_OF_AX45: &[OtherName] = &[
    OtherName { name: "CYCLE_COUNT", code: 0x10 },
    OtherName { name: "INST_COUNT", code: 0x20 },
    OtherName { name: "INT_DIV_REM_INST", code: 0x100 },
    OtherName { name: "FLOAT_DIV_SQRT_INST", code: 0x160 },
    OtherName { name: "INT_MUL_ADD_SUB_INST", code: 0x180 },
    OtherName { name: "RETIRED_OPS", code: 0x190 },
];

/// The generic events of a Bullet from version 7 on.
const OF_BULLET: &[GenericEvent] = &[
    generic("papi_br_cn", Event::BRANCHES).on(HPM),
    generic("papi_br_msp", Event::BRANCH_MISSES).on(HPM),
    generic("papi_l1_icm", Event::raw(0x102)),
    generic("papi_tlb_dm", Event::raw(0x1002)),
    generic("papi_tlb_im", Event::raw(0x802)),
    cycles(HPM),
    instructions(HPM),
];

/// The tables of the RISC-V processors' events by name, one for each processor.
impl Catalogue {
    /// The events of a processor of which nothing but the architecture is known.
    pub const RISCV_OTHER: &'static Catalogue = &Catalogue {
        unit: "riscv",
        events: Events::of(&tables::OTHER),
        generic: &[cycles(0), instructions(0)],
        modifiers: MODIFIERS,
        default: "MCYCLE",
        ..Catalogue::EMPTY
    };
    /// The events of a unit whose codes are the SBI's indices.
    pub const RISCV_INDEXED: &'static Catalogue = &Catalogue {
        unit: "riscv/sbi",
        events: Events::of(&tables::INDEXED),
        generic: &[
            generic("papi_br_ins", Event::BRANCHES).on(HPM),
            generic("papi_br_msp", Event::BRANCH_MISSES).on(HPM),
            generic("papi_ref_cyc", Event::REFERENCE_CYCLES).on(HPM),
            cycles(HPM),
            instructions(HPM),
        ],
        default: "HW_CPU_CYCLES",
        ..*Self::RISCV_OTHER
    };
    /// The events of a unit that the firmware has, by the SBI's indices, and the firmware's own.
    /// There cycle and instret have the numbers of their registers.
    pub const RISCV_SBI: &'static Catalogue = &Catalogue {
        unit: "riscv/sbi/firmware",
        events: Events::of(&tables::SBI),
        generic: &[
            generic("papi_br_ins", Event::BRANCHES).on(HPM),
            generic("papi_br_msp", Event::BRANCH_MISSES).on(HPM),
            generic("papi_ref_cyc", Event::REFERENCE_CYCLES).on(HPM),
            generic("papi_tot_cyc", Event::CYCLES).on(1 << 0 | HPM),
            generic("papi_tot_ins", Event::INSTRUCTIONS).on(1 << 2 | HPM),
        ],
        ..*Self::RISCV_INDEXED
    };
    /// The events of QEMU.
    pub const RISCV_QEMU: &'static Catalogue = &Catalogue {
        unit: "riscv/qemu",
        events: Events::of(&tables::QEMU),
        generic: OF_QEMU,
        default: "HW_CPU_CYCLES",
        ..*Self::RISCV_OTHER
    };
    /// The events of U74.
    pub const U74: &'static Catalogue = &Catalogue {
        unit: "sifive/u74",
        events: Events::of(&tables::U74),
        generic: &[
            generic("papi_br_cn", Event::BRANCHES).on(HPM),
            generic("papi_br_msp", Event::BRANCH_MISSES).on(HPM),
            generic("papi_l1_icm", Event::raw(0x102)),
            generic("papi_tlb_dm", Event::raw(0x1002)),
            generic("papi_tlb_im", Event::raw(0x802)),
            cycles(0),
            instructions(0),
        ],
        ..*Self::RISCV_OTHER
    };
    /// The events of Bullet from version 7 on.
    pub const BULLET07: &'static Catalogue = &Catalogue {
        unit: "sifive/bullet-07",
        events: Events::of(&tables::BULLET07),
        generic: OF_BULLET,
        ..*Self::RISCV_OTHER
    };
    /// The events of Bullet from version 13 on.
    pub const BULLET0D: &'static Catalogue = &Catalogue {
        unit: "sifive/bullet-0d",
        events: Events::of(&tables::BULLET0D),
        generic: OF_BULLET,
        ..*Self::RISCV_OTHER
    };
    /// The events of C910.
    pub const C910: &'static Catalogue = &Catalogue {
        unit: "thead/c910",
        events: Events::of(&tables::C910),
        generic: &[
            generic("papi_br_cn", Event::BRANCHES).on(HPM),
            generic("papi_br_msp", Event::BRANCH_MISSES).on(HPM),
            generic("papi_l1_icm", Event::raw(2)),
            generic("papi_tlb_dm", Event::raw(4)),
            generic("papi_tlb_im", Event::raw(3)),
            cycles(0),
            instructions(0),
        ],
        ..*Self::RISCV_OTHER
    };
    /// The events of C906, as it was published.
    pub const C906: &'static Catalogue = &Catalogue {
        unit: "thead/c906",
        events: Events::of(&tables::C906),
        generic: &[
            generic("papi_br_cn", Event::BRANCHES).on(EIGHT),
            generic("papi_br_msp", Event::BRANCH_MISSES).on(EIGHT),
            generic("papi_l1_icm", Event::raw(2)),
            generic("papi_tlb_dm", Event::raw(4)),
            generic("papi_tlb_im", Event::raw(3)),
            cycles(0),
            instructions(0),
        ],
        ..*Self::RISCV_OTHER
    };
    /// The events of C906 in the D1.
    pub const D1: &'static Catalogue = &Catalogue {
        unit: "thead/d1",
        events: Events::of(&tables::D1),
        generic: &[
            generic("papi_br_cn", Event::BRANCHES).on(1 << 9),
            generic("papi_br_msp", Event::BRANCH_MISSES).on(1 << 8),
            generic("papi_l1_icm", Event::raw(2)),
            generic("papi_tlb_dm", Event::raw(4)),
            generic("papi_tlb_im", Event::raw(3)),
            cycles(0),
            instructions(0),
        ],
        ..*Self::RISCV_OTHER
    };
    /// The events of P550.
    pub const P550: &'static Catalogue = &Catalogue {
        unit: "sifive/p550",
        events: Events::of(&tables::P550),
        generic: &[
            generic("papi_br_cn", Event::BRANCHES).on(FOUR),
            generic("papi_br_msp", Event::BRANCH_MISSES).on(FOUR),
            generic("papi_l1_dcm", Event::raw(0x202)),
            generic("papi_l1_icm", Event::raw(0x102)),
            generic("papi_tlb_dm", Event::raw(0x1002)),
            generic("papi_tlb_im", Event::raw(0x802)),
            cycles(0),
            instructions(0),
        ],
        ..*Self::RISCV_OTHER
    };
    /// The events of P650.
    pub const P650: &'static Catalogue = &Catalogue {
        unit: "sifive/p650",
        events: Events::of(&tables::P650),
        generic: &[
            generic("papi_br_cn", Event::BRANCHES).on(HPM),
            generic("papi_br_msp", Event::BRANCH_MISSES).on(HPM),
            generic("papi_l1_dcm", Event::raw(0x202)),
            generic("papi_l1_icm", Event::raw(0x102)),
            generic("papi_tlb_dm", Event::raw(0x1002)),
            generic("papi_tlb_im", Event::raw(0x802)),
            cycles(HPM),
            instructions(HPM),
        ],
        ..*Self::RISCV_OTHER
    };
    /// The events of AX45.
    pub const AX45: &'static Catalogue = &Catalogue {
        unit: "andes/ax45",
        events: Events::of(&tables::AX45),
        generic: &[
            generic("papi_br_cn", Event::BRANCHES).on(FOUR),
            generic("papi_br_msp", Event::BRANCH_MISSES).on(FOUR),
            generic("papi_l1_dca", Event::raw(0x41)),
            generic("papi_l1_dcm", Event::raw(0x51)),
            generic("papi_l1_ica", Event::raw(0x21)),
            generic("papi_l1_icm", Event::raw(0x31)),
            generic("papi_tlb_dm", Event::raw(0x141)),
            generic("papi_tlb_im", Event::raw(0x121)),
            cycles(FOUR),
            instructions(FOUR),
        ],
        other_names: PERFS_OF_AX45,
        ..*Self::RISCV_OTHER
    };
    /// The events of Dubhe-80.
    pub const DUBHE80: &'static Catalogue = &Catalogue {
        unit: "starfive/dubhe-80",
        events: Events::of(&tables::DUBHE80),
        generic: &[
            generic("papi_br_cn", Event::BRANCHES).on(HPM),
            generic("papi_br_msp", Event::BRANCH_MISSES).on(HPM),
            generic("papi_l1_icm", Event::raw(9)),
            generic("papi_tlb_dm", Event::raw(0x18)),
            generic("papi_tlb_im", Event::raw(7)),
            cycles(0),
            instructions(0),
        ],
        ..*Self::RISCV_OTHER
    };
    /// The events of CVA6.
    pub const CVA6: &'static Catalogue = &Catalogue {
        unit: "openhwgroup/cva6",
        events: Events::of(&tables::CVA6),
        generic: &[
            generic("papi_br_ins", Event::BRANCHES).on(HPM),
            generic("papi_br_msp", Event::BRANCH_MISSES).on(HPM),
            generic("papi_l1_dca", Event::raw(0x11)),
            generic("papi_l1_dcm", Event::raw(2)),
            generic("papi_l1_ica", Event::raw(0x10)),
            generic("papi_l1_icm", Event::raw(1)),
            generic("papi_tlb_dm", Event::raw(4)),
            generic("papi_tlb_im", Event::raw(3)),
            cycles(0),
            instructions(0),
        ],
        ..*Self::RISCV_OTHER
    };
    /// The events of CV32E40P.
    pub const CV32E40P: &'static Catalogue = &Catalogue {
        unit: "openhwgroup/cv32e40p",
        events: Events::of(&tables::CV32E40P),
        generic: &[generic("papi_br_cn", Event::BRANCHES).on(HPM), cycles(HPM), instructions(HPM)],
        ..*Self::RISCV_OTHER
    };
    /// The events of Ibex.
    pub const IBEX: &'static Catalogue = &Catalogue {
        unit: "lowrisc/ibex",
        events: Events::of(&tables::IBEX),
        generic: &[generic("papi_br_cn", Event::BRANCHES).on(1 << 8), cycles(0), instructions(0)],
        ..*Self::RISCV_OTHER
    };
}

impl Model {
    /// Returns the events by name.
    #[must_use]
    pub fn catalogue(self) -> &'static Catalogue {
        match self {
            Self::Other => Catalogue::RISCV_OTHER,
            Self::Indexed => Catalogue::RISCV_INDEXED,
            Self::Qemu => Catalogue::RISCV_QEMU,
            Self::U74 => Catalogue::U74,
            Self::Bullet07 => Catalogue::BULLET07,
            Self::Bullet0D => Catalogue::BULLET0D,
            Self::C910 => Catalogue::C910,
            Self::C906 => Catalogue::C906,
            Self::D1 => Catalogue::D1,
            Self::P550 => Catalogue::P550,
            Self::P650 => Catalogue::P650,
            Self::Ax45 => Catalogue::AX45,
            Self::Dubhe80 => Catalogue::DUBHE80,
            Self::Cva6 => Catalogue::CVA6,
            Self::Cv32e40p => Catalogue::CV32E40P,
            Self::Ibex => Catalogue::IBEX,
        }
    }
}
