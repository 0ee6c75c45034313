//! What CPUID says of the physical processor, without its units: over this an identity is laid.
//!
//! Sources: SDM vol. 2, "CPUID - CPU Identification"; APM vol. 3, appendix "Obtaining Processor Information Via the CPUID
//! Instruction".

use raw_cpuid::{CpuIdReader, CpuIdResult};

/// What CPUID returns: EAX, EBX, ECX, EDX.
pub(super) type Leaf = [u32; 4];

/// No processor underneath: the identity alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nothing;

impl CpuIdReader for Nothing {
    fn cpuid2(&self, _: u32, _: u32) -> CpuIdResult {
        result([0; 4])
    }
}

/// Returns the registers after CPUID.
pub(super) const fn result([eax, ebx, ecx, edx]: Leaf) -> CpuIdResult {
    CpuIdResult { eax, ebx, ecx, edx }
}

/// "GenuineIntel" in EBX, ECX, EDX.
pub(super) const INTEL: [u32; 3] = [0x756E_6547, 0x6C65_746E, 0x4965_6E69];
/// "AuthenticAMD" in EBX, ECX, EDX.
pub(super) const AMD: [u32; 3] = [0x6874_7541, 0x444D_4163, 0x6974_6E65];

/// Returns a leaf of the physical processor without what a guest cannot use: counters, records and traces, of both
/// vendors. A leaf beyond the processor's last is all zeros, because its answer would be another leaf's.
pub(super) fn without_units<C: CpuIdReader>(native: &C, leaf: u32, subleaf: u32) -> Leaf {
    let first = leaf & 0xC000_0000;
    if (first == 0 || first == 0x8000_0000) && leaf != first && leaf > native.cpuid2(first, 0).eax {
        return [0; 4];
    }
    let CpuIdResult { eax, ebx, ecx, edx } = native.cpuid2(leaf, subleaf);
    match (leaf, subleaf) {
        (0x0000_0001, _) => [eax, ebx, ecx & !(DEBUG_STORE_ECX | CAPABILITIES), edx & !DEBUG_STORE],
        (0x0000_0007, 0) => [eax, ebx & !TRANSACTIONS_AND_TRACE, ecx, edx & !UNITS_OF_LEAF_7],
        (0x0000_0007, 1) => [eax & !EXTENSION, ebx, ecx, edx],
        (0x0000_000A | 0x0000_0014 | 0x0000_001A | 0x0000_001C | 0x0000_0023, _) => [0; 4],
        (0x0000_000D, 1) => [eax, ebx, ecx & !(1 << TRACE_STATE | 1 << BRANCH_STATE), edx],
        (0x0000_000D, TRACE_STATE | BRANCH_STATE) => [0; 4],
        (0x8000_0001, _) => [eax, ebx, ecx & !UNITS_OF_AMD, edx],
        (0x8000_0008, _) => [eax, ebx & !RETIRED, ecx, edx],
        (0x8000_001B | 0x8000_001C | 0x8000_0022, _) => [0; 4],
        _ => [eax, ebx, ecx, edx],
    }
}

/// The debug store takes 64-bit addresses, and tells rings apart (CPUID.01H:ECX.DTES64, DS-CPL).
const DEBUG_STORE_ECX: u32 = DEBUG_STORE_LONG | 1 << 4;
/// The first of them.
pub(super) const DEBUG_STORE_LONG: u32 = 1 << 2;
/// There is IA32_PERF_CAPABILITIES (CPUID.01H:ECX.PDCM).
pub(super) const CAPABILITIES: u32 = 1 << 15;
/// There is a debug store (CPUID.01H:EDX.DS).
pub(super) const DEBUG_STORE: u32 = 1 << 21;
/// CPUID.07H:EBX: HLE (4) and RTM (11), because selectors do not have their bits (IN_TX), and the processor trace (25).
const TRANSACTIONS_AND_TRACE: u32 = 1 << 4 | 1 << 11 | 1 << 25;
/// CPUID.07H:EDX: RTM_ALWAYS_ABORT (11), the number of counters' [`FORCE_ABORT`], [`HYBRID`], and ARCH_LBR (19).
const UNITS_OF_LEAF_7: u32 = 1 << 11 | FORCE_ABORT | HYBRID | 1 << 19;
/// There is IA32_TSX_FORCE_ABORT (CPUID.07H:EDX\[13\]).
pub(super) const FORCE_ABORT: u32 = 1 << 13;
/// The processor has cores of two kinds, which leaf 1AH tells apart (CPUID.07H:EDX\[15\]).
pub(super) const HYBRID: u32 = 1 << 15;
/// There is leaf 23H (CPUID.07H.1:EAX.ArchPerfmonExt).
pub(super) const EXTENSION: u32 = 1 << 8;
/// The state of the processor trace, and that of the architectural branch records, by their bits in IA32_XSS, which are the
/// numbers of their subleaves (CPUID.0DH.1:ECX). A guest cannot save them.
const TRACE_STATE: u32 = 8;
const BRANCH_STATE: u32 = 15;
/// CPUID Fn8000_0001_ECX: instruction-based sampling (10), lightweight profiling (15), the counters of the core, the
/// northbridge (24), the time stamp (27) and the last-level cache (28).
const UNITS_OF_AMD: u32 = 1 << 10 | 1 << 15 | CORE_COUNTERS | 1 << 24 | 1 << 27 | 1 << 28;
/// There are six counters with addresses of their own (PerfCtrExtCore, the same).
pub(super) const CORE_COUNTERS: u32 = 1 << 23;
/// There is a counter of retired instructions for all (CPUID Fn8000_0008_EBX.InstRetCntMsr).
const RETIRED: u32 = 1 << 1;

#[cfg(test)]
mod tests {
    use super::*;

    /// A processor with every feature, whose last leaves are these.
    fn everything(basic: u32, extended: u32) -> impl CpuIdReader {
        move |leaf, _| match leaf {
            0 => result([basic, 1, 2, 3]),
            0x8000_0000 => result([extended, 1, 2, 3]),
            _ => result([u32::MAX; 4]),
        }
    }

    #[test]
    fn a_leaf_beyond_the_last_is_not_passed_through() {
        let native = everything(0x0D, 0x8000_0008);
        for (leaf, is_there) in [(0x0D, true), (0x0E, false), (0x22, false), (0x8000_0008, true), (0x8000_0009, false)]
        {
            assert_eq!(without_units(&native, leaf, 0) != [0; 4], is_there, "{leaf:#x}");
        }
    }

    #[test]
    fn the_leaves_that_name_the_last_ones_and_those_of_a_hypervisor_are_always_there() {
        let native = everything(0, 0);
        for leaf in [0, 0x8000_0000, 0x4000_0000, 0x4000_0010] {
            assert_ne!(without_units(&native, leaf, 0), [0; 4], "{leaf:#x}");
        }
    }

    #[test]
    fn a_guest_loses_no_leaf_that_has_nothing_to_do_with_units() {
        let native = everything(0x23, 0x8000_0028);
        let about_units = [0x01, 0x07, 0x0A, 0x0D, 0x14, 0x1A, 0x1C, 0x23];
        for leaf in (1..=0x23).filter(|leaf| !about_units.contains(leaf)) {
            assert_eq!(without_units(&native, leaf, 0), [u32::MAX; 4], "{leaf:#x}");
        }
        let about_units = [0x8000_0001, 0x8000_0008, 0x8000_001B, 0x8000_001C, 0x8000_0022];
        for leaf in (0x8000_0001..=0x8000_0028).filter(|leaf| !about_units.contains(leaf)) {
            assert_eq!(without_units(&native, leaf, 0), [u32::MAX; 4], "{leaf:#x}");
        }
    }

    #[test]
    fn counters_beside_the_unit_are_hidden_too() {
        let native = everything(0x23, 0x8000_0028);
        assert_eq!(without_units(&native, 0x8000_0008, 0)[1] >> 1 & 1, 0, "instructions retired");
        assert_eq!(without_units(&native, 0x8000_0001, 0)[2] >> 15 & 1, 0, "lightweight profiling");
        assert_eq!(without_units(&native, 0x8000_0001, 0)[2] >> 27 & 1, 0, "the time stamp's");
    }
}
