//! Branches as perf has them: `perf_branch_entry`.
//!
//! Source: Linux, `include/uapi/linux/perf_event.h` (`PERF_SAMPLE_BRANCH_*`, `PERF_BR_*`, the fields of `perf_branch_entry`).

use crate::event::{Branch, BranchKind};

/// `PERF_SAMPLE_BRANCH_USER | _KERNEL | _ANY | _TYPE_SAVE`.
pub(super) const SAMPLED: u64 = 1 << 0 | 1 << 1 | 1 << 3 | 1 << 16;

const MISPREDICTED: u64 = 1 << 0;
const PREDICTED: u64 = 1 << 1;
const CYCLES_SHIFT: u32 = 4;
const TYPE_SHIFT: u32 = 20;

/// Returns the three words of a branch. More cycles than perf has bits for are the most that it has.
pub(super) fn words(branch: &Branch) -> [u64; 3] {
    let prediction = branch.is_mispredicted.map_or(0, |wrong| if wrong { MISPREDICTED } else { PREDICTED });
    let cycles = u64::from(branch.cycles.unwrap_or(0)).min(u16::MAX.into());
    let kind = branch.kind.map_or(0, kind);
    [branch.from, branch.to, prediction | cycles << CYCLES_SHIFT | kind << TYPE_SHIFT]
}

/// `PERF_BR_*`. An exception is unknown: perf has a system call, and no other.
const fn kind(kind: BranchKind) -> u64 {
    match kind {
        BranchKind::Exception => 0,
        BranchKind::Conditional | BranchKind::NotTaken => 1,
        BranchKind::Jump => 2,
        BranchKind::IndirectJump | BranchKind::CoroutineSwap => 3,
        BranchKind::Call => 4,
        BranchKind::IndirectCall => 5,
        BranchKind::Return => 6,
        BranchKind::TrapReturn => 11,
        BranchKind::Interrupt => 12,
    }
}
