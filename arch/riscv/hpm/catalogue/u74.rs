//! U74's events. A code is a class in bits 7 to 0 (0 of retired instructions, 1 of the pipeline, 2 of memory) and a bit for
//! each event of the class above it: several bits are counted together.
//!
//! Source: names and codes are those of torvalds/linux tools/perf/pmu-events/arch/riscv/sifive/bullet (u74 before; GPL data,
//! names and codes alone); the bits were compared with those of OpenSBI's docs/pmu_support.md, which has them from the
//! FU740-C000 manual. ICACHE_RETIRED is their name for a miss of the instruction cache.

use super::{PROGRAMMABLE, event};
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    event("ADDRESSGEN_INTERLOCK", 0x101, PROGRAMMABLE),
    event("ATOMIC_MEMORY_RETIRED", 0x800, PROGRAMMABLE),
    event("BRANCH_DIRECTION_MISPREDICTION", 0x2001, PROGRAMMABLE),
    event("BRANCH_TARGET_MISPREDICTION", 0x4001, PROGRAMMABLE),
    event("CONDITIONAL_BRANCH_RETIRED", 0x4000, PROGRAMMABLE),
    event("CSR_READ_INTERLOCK", 0x401, PROGRAMMABLE),
    event("DATA_TLB_MISS", 0x1002, PROGRAMMABLE),
    event("DCACHE_DTIM_BUSY", 0x1001, PROGRAMMABLE),
    event("DCACHE_MISS_MMIO_ACCESSES", 0x202, PROGRAMMABLE),
    event("DCACHE_WRITEBACK", 0x402, PROGRAMMABLE),
    event("EXCEPTION_TAKEN", 0x100, PROGRAMMABLE),
    event("FP_ADDITION_RETIRED", 0x200000, PROGRAMMABLE),
    event("FP_DIV_SQRT_RETIRED", 0x1000000, PROGRAMMABLE),
    event("FP_FUSEDMADD_RETIRED", 0x800000, PROGRAMMABLE),
    event("FP_INTERLOCK", 0x40001, PROGRAMMABLE),
    event("FP_LOAD_RETIRED", 0x80000, PROGRAMMABLE),
    event("FP_MULTIPLICATION_RETIRED", 0x400000, PROGRAMMABLE),
    event("FP_STORE_RETIRED", 0x100000, PROGRAMMABLE),
    event("ICACHE_ITIM_BUSY", 0x801, PROGRAMMABLE),
    event("ICACHE_RETIRED", 0x102, PROGRAMMABLE),
    event("INST_TLB_MISS", 0x802, PROGRAMMABLE),
    event("INTEGER_ARITHMETIC_RETIRED", 0x2000, PROGRAMMABLE),
    event("INTEGER_DIVISION_RETIRED", 0x40000, PROGRAMMABLE),
    event("INTEGER_LOAD_RETIRED", 0x200, PROGRAMMABLE),
    event("INTEGER_MULTIPLICATION_INTERLOCK", 0x20001, PROGRAMMABLE),
    event("INTEGER_MULTIPLICATION_RETIRED", 0x20000, PROGRAMMABLE),
    event("INTEGER_STORE_RETIRED", 0x400, PROGRAMMABLE),
    event("JAL_INSTRUCTION_RETIRED", 0x8000, PROGRAMMABLE),
    event("JALR_INSTRUCTION_RETIRED", 0x10000, PROGRAMMABLE),
    event("LONGLAT_INTERLOCK", 0x201, PROGRAMMABLE),
    event("OTHER_FP_RETIRED", 0x2000000, PROGRAMMABLE),
    event("PIPE_FLUSH_CSR_WRITE", 0x8001, PROGRAMMABLE),
    event("PIPE_FLUSH_OTHER_EVENT", 0x10001, PROGRAMMABLE),
    event("SYSTEM_INSTRUCTION_RETIRED", 0x1000, PROGRAMMABLE),
    event("UTLB_MISS", 0x2002, PROGRAMMABLE),
];
