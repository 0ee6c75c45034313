//! The events of T-Head C906 and C910, each of which has its own counter.
//!
//! Source: names and codes are those of torvalds/linux tools/perf/pmu-events/arch/riscv/thead/c900-legacy (GPL data, names
//! and codes alone). The codes up to 0x13 and their counters were compared with the device tree of C910 that was posted
//! for OpenSBI (riscv,event-to-mhpmcounters). Codes from 0x1e on need a counter that these processors do not have.

use super::event;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    event("BRANCH_DIRECTION_MISPREDICTION", 0x1b, 0x20000000),
    event("BRANCH_DIRECTION_PREDICTION", 0x1c, 0x40000000),
    event("DTLB_MISS", 0x4, 0x40),
    event("IDU_RF_INSTRUCTION", 0x16, 0x1000000),
    event("IDU_RF_PIPE_FAIL", 0x14, 0x400000),
    event("IDU_RF_REG_FAIL", 0x15, 0x800000),
    event("INST_ALU", 0x1d, 0x80000000),
    event("INST_BRANCH", 0x7, 0x200),
    event("INST_BRANCH_MISPREDICT", 0x6, 0x100),
    event("INST_JMP", 0x9, 0x800),
    event("INST_JMP_MISPREDICT", 0x8, 0x400),
    event("INST_STORE", 0xb, 0x2000),
    event("ITLB_MISS", 0x3, 0x20),
    event("JTLB_MISS", 0x5, 0x80),
    event("L1_DCACHE_READ_ACCESS", 0xc, 0x4000),
    event("L1_DCACHE_READ_MISS", 0xd, 0x8000),
    event("L1_DCACHE_WRITE_ACCESS", 0xe, 0x10000),
    event("L1_DCACHE_WRITE_MISS", 0xf, 0x20000),
    event("L1_ICACHE_ACCESS", 0x1, 0x8),
    event("L1_ICACHE_MISS", 0x2, 0x10),
    event("LL_CACHE_READ_ACCESS", 0x10, 0x40000),
    event("LL_CACHE_READ_MISS", 0x11, 0x80000),
    event("LL_CACHE_WRITE_ACCESS", 0x12, 0x100000),
    event("LL_CACHE_WRITE_MISS", 0x13, 0x200000),
    event("LSU_4K_STALL", 0x17, 0x2000000),
    event("LSU_OTHER_STALL", 0x18, 0x4000000),
    event("LSU_SPEC_FAIL", 0xa, 0x1000),
    event("LSU_SQ_DATA_DISCARD", 0x1a, 0x10000000),
    event("LSU_SQ_OTHER_DIS", 0x19, 0x8000000),
];
