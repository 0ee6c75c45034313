//! Other names of Intel's events: the architecture's, and libpfm's of Core Duo's.

use crate::event::catalogue::OtherName;

const fn other(name: &'static str, code: u64) -> OtherName {
    OtherName { name, code }
}

/// The architectural events by OProfile's names (events/i386/arch_perfmon/events), by libpfm's
/// (lib/events/intel_x86_arch_events.h), by NetBSD's and FreeBSD's (`llc-reference`; usr.sbin/tprof/arch/tprof_x86.c), and by
/// LIKWID's (src/includes/perfmon_skylake_events.txt).
pub(super) const ARCHITECTURE: &[OtherName] = ALL.split_at(44).1;

/// Those that Core Duo has, which has no fixed counters, and before them libpfm's other names of its events
/// (lib/events/intel_coreduo_events.h).
pub(super) const CORE_DUO: &[OtherName] = ALL.split_at(65).0;

/// The last three are events of fixed counters, by LIKWID's and Solaris' names (illumos-gate,
/// usr/src/uts/intel/pcbe/core_pcbe.c).
const ALL: &[OtherName] = &[
    other("BR_INSTR_DECODED", 0x00E0),
    other("BR_INSTR_RET", 0x00C4),
    other("BR_MISPRED_RET", 0x00C5),
    other("BR_MISPRED_TAKEN_RET", 0x00CA),
    other("BR_TAKEN_RET", 0x00C9),
    other("BUS_BNR_CLOCKS", 0x0061),
    other("BUS_LOCKS_CLOCKS", 0x0063),
    other("BUS_TRANS_ANY", 0xC070),
    other("BUS_TRANS_BRD", 0x0065),
    other("BUS_TRANS_BURST", 0xC06E),
    other("BUS_TRANS_IFETCH", 0x0068),
    other("BUS_TRANS_INVAL", 0x0069),
    other("BUS_TRANS_MEM", 0xC06F),
    other("BUS_TRANS_PWR", 0x006A),
    other("BUS_TRANS_RFO", 0x0066),
    other("BUS_TRANS_WB", 0xC067),
    other("CYCLES_INT_PEDNING_MASKED", 0x00C7),
    other("DATA_MEM_CACHE_REF", 0x0244),
    other("DATA_MEM_REF", 0x0143),
    other("DBUS_BUSY", 0x0022),
    other("DBUS_BUSY_RD", 0x0023),
    other("FP_COMPS_OP_EXE", 0x0010),
    other("FP_COMP_INSTR_RET", 0x00C1),
    other("FUSED_UOPS", 0x00DA),
    other("INSTR_DECODED", 0x00D0),
    other("INSTR_RET", 0x00C0),
    other("ITLB_MISSES", 0x0085),
    other("L2_M_LINES_IN", 0x0025),
    other("L2_M_LINES_OUT", 0x0027),
    other("MMX_FP_TRANS", 0x00CC),
    other("PREF_RQSTS_DN", 0x00F8),
    other("PREF_RQSTS_UP", 0x00F0),
    other("RESOURCE_STALL", 0x00A2),
    other("SD_DRAINS", 0x0004),
    other("SEG_REG_LOADS", 0x0006),
    other("SIMD_INT_INSTRUCTIONS", 0x00B3),
    other("SIMD_INT_SAT_EXEC", 0x00B1),
    other("SSE_COMP_INSTRUCTIONS_RETIRED", 0x00D9),
    other("SSE_INSTRUCTIONS_RETIRED", 0x00D8),
    other("SSE_NTSTORES_RET", 0x0307),
    other("SSE_PREFETCH", 0x0007),
    other("SSE_PRE_MISS", 0x004B),
    other("UNFUSION", 0x00DB),
    other("UOPS_RET", 0x00C2),
    other("UNHALTED_REFERENCE_CYCLES", 0x013C),
    other("BR_INST_RETIRED", 0x00C4),
    other("BR_MISS_PRED_RETIRED", 0x00C5),
    other("CPU_CLK_UNHALTED", 0x003C),
    other("INST_RETIRED", 0x00C0),
    other("LLC_MISSES", 0x412E),
    other("LLC_REFS", 0x4F2E),
    other("LAST_LEVEL_CACHE_MISSES", 0x412E),
    other("LAST_LEVEL_CACHE_REFERENCES", 0x4F2E),
    other("BRANCH_INSTRUCTIONS_RETIRED", 0x00C4),
    other("INSTRUCTION_RETIRED", 0x00C0),
    other("INSTRUCTIONS_RETIRED", 0x00C0),
    other("LLC_REFERENCES", 0x4F2E),
    other("MISPREDICTED_BRANCH_RETIRED", 0x00C5),
    other("UNHALTED_CORE_CYCLES", 0x003C),
    other("LLC_REFERENCE", 0x4F2E),
    other("BRANCH_INSTRUCTION_RETIRED", 0x00C4),
    other("BRANCH_MISSES_RETIRED", 0x00C5),
    other("CPU_CLOCK_UNHALTED_REF_P", 0x013C),
    other("CPU_CLOCK_UNHALTED_REF_XCLK", 0x013C),
    other("CPU_CLOCK_UNHALTED_THREAD_P", 0x003C),
    other("INSTR_RETIRED_ANY", 0x0100),
    other("CPU_CLK_UNHALTED_CORE", 0x0200),
    other("CPU_CLK_UNHALTED_REF", 0x0300),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_list_has_its_names_from_the_first_to_the_last() {
        let ends = |names: &[OtherName]| [names[0].name, names[names.len() - 1].name];
        assert_eq!(ends(ARCHITECTURE), ["UNHALTED_REFERENCE_CYCLES", "CPU_CLK_UNHALTED_REF"]);
        assert_eq!(ends(CORE_DUO), ["BR_INSTR_DECODED", "CPU_CLOCK_UNHALTED_THREAD_P"]);
    }
}
