//! A physical processor beneath an identity.

use pmu::arch::x86::{CpuIdReader, CpuIdResult};

/// A processor that answers every leaf with these registers: EAX, EBX, ECX, EDX.
pub(crate) fn every([eax, ebx, ecx, edx]: [u32; 4]) -> impl CpuIdReader {
    move |_, _| CpuIdResult { eax, ebx, ecx, edx }
}

/// A processor that has these leaves and no other: leaf, subleaf, registers. Those that name the last leaf are made up.
pub(crate) fn of(leaves: &'static [(u32, u32, [u32; 4])]) -> impl CpuIdReader {
    let last = |first: u32| leaves.iter().map(|&(leaf, ..)| leaf).filter(|leaf| leaf & !0xFF == first).max();
    move |leaf, subleaf| {
        let found = leaves.iter().find(|&&(of, sub, _)| (of, sub) == (leaf, subleaf));
        let [eax, ebx, ecx, edx] = found.map_or([0; 4], |&(.., registers)| registers);
        let eax = if leaf == 0 || leaf == 0x8000_0000 { last(leaf).unwrap_or(leaf) } else { eax };
        CpuIdResult { eax, ebx, ecx, edx }
    }
}

/// The registers, in the order of their names.
pub(crate) fn registers(CpuIdResult { eax, ebx, ecx, edx }: CpuIdResult) -> [u32; 4] {
    [eax, ebx, ecx, edx]
}
