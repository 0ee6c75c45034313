//! The registers of the recorders, and their bits.
//!
//! Sources: SDM vol. 3, chapter "Debug, Branch Profile, TSC, and Intel Resource Director Technology", sections "LBR Stack" and
//! "IA32_DEBUGCTL MSR", tables "MSR_LBR_SELECT"; chapter "Last Branch Records"; vol. 4, tables of MSRs; APM vol. 2, "Last Branch
//! Stack Registers". Checked against torvalds/linux, arch/x86/events/intel/lbr.c and arch/x86/events/amd/lbr.c.

use crate::contract::bit_set;
use crate::event::{BranchFilter, BranchKind, Mode};

/// IA32_DEBUGCTL: a stack records (LBR), until an overflow interrupts (FREEZE_LBRS_ON_PMI).
pub(super) const RECORDS: u64 = 1 << 0;
pub(super) const FREEZES: u64 = 1 << 11;
/// The records are frozen: IA32_PERF_GLOBAL_STATUS.LBR_FRZ, and PerfCntrGlobalStatus.LBRS_FROZEN.
pub(super) const FROZEN: u64 = 1 << 58;
/// AMD's recorder records (DebugExtnCtl.LBRV2EN).
pub(super) const CORE_RECORDS: u64 = 1 << 6;

bit_set! {
    /// What is left out (MSR_LBR_SELECT, LastBranchStackSelect).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub(super) struct Select: u64 {
        /// What leads to ring 0 (CPL_EQ_0).
        const KERNEL as "CPL_EQ_0" = 1 << 0;
        /// What leads to other rings (CPL_NEQ_0).
        const USER as "CPL_NEQ_0" = 1 << 1;
        /// Conditional branches (JCC).
        const CONDITIONAL as "JCC" = 1 << 2;
        /// Calls whose target is in the instruction (NEAR_REL_CALL).
        const CALLS as "NEAR_REL_CALL" = 1 << 3;
        /// Other calls (NEAR_IND_CALL).
        const INDIRECT_CALLS as "NEAR_IND_CALL" = 1 << 4;
        /// Returns (NEAR_RET).
        const RETURNS as "NEAR_RET" = 1 << 5;
        /// Jumps to an address in a register or in memory (NEAR_IND_JMP).
        const INDIRECT_JUMPS as "NEAR_IND_JMP" = 1 << 6;
        /// Other jumps (NEAR_REL_JMP).
        const JUMPS as "NEAR_REL_JMP" = 1 << 7;
        /// What goes between rings, and far branches (FAR_BRANCH).
        const FAR as "FAR_BRANCH" = 1 << 8;
        /// Not left out: a return removes the call's entry (EN_CALLSTACK; Haswell and later).
        const CALL_STACK as "EN_CALLSTACK" = 1 << 9;
    }
}

bit_set! {
    /// What is recorded (IA32_LBR_CTL).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub(super) struct Control: u64 {
        /// Anything at all (LBREn).
        const ENABLE as "LBREn" = 1 << 0;
        /// What leads to ring 0 (OS).
        const KERNEL as "OS" = 1 << 1;
        /// What leads to other rings (USR).
        const USER as "USR" = 1 << 2;
        /// A return removes the call's entry (CALL_STACK).
        const CALL_STACK named "CALL_STACK" = 1 << 3;
        /// Conditional branches (JCC).
        const CONDITIONAL as "JCC" = 1 << 16;
        /// Jumps whose target is in the instruction (NEAR_REL_JMP).
        const JUMPS as "NEAR_REL_JMP" = 1 << 17;
        /// Other jumps (NEAR_IND_JMP).
        const INDIRECT_JUMPS as "NEAR_IND_JMP" = 1 << 18;
        /// Calls whose target is in the instruction (NEAR_REL_CALL).
        const CALLS as "NEAR_REL_CALL" = 1 << 19;
        /// Other calls (NEAR_IND_CALL).
        const INDIRECT_CALLS as "NEAR_IND_CALL" = 1 << 20;
        /// Returns (NEAR_RET).
        const RETURNS as "NEAR_RET" = 1 << 21;
        /// What goes between rings, and far branches (OTHER_BRANCH).
        const FAR as "OTHER_BRANCH" = 1 << 22;
    }
}

/// The kinds that have a bit of their own, and their bits in both registers. The last three share theirs.
const KINDS: [(BranchKind, Select, Control); 9] = [
    (BranchKind::Conditional, Select::CONDITIONAL, Control::CONDITIONAL),
    (BranchKind::Jump, Select::JUMPS, Control::JUMPS),
    (BranchKind::IndirectJump, Select::INDIRECT_JUMPS, Control::INDIRECT_JUMPS),
    (BranchKind::Call, Select::CALLS, Control::CALLS),
    (BranchKind::IndirectCall, Select::INDIRECT_CALLS, Control::INDIRECT_CALLS),
    (BranchKind::Return, Select::RETURNS, Control::RETURNS),
    (BranchKind::Exception, Select::FAR, Control::FAR),
    (BranchKind::Interrupt, Select::FAR, Control::FAR),
    (BranchKind::TrapReturn, Select::FAR, Control::FAR),
];

impl Select {
    /// Returns the bit of a kind; none if x86 has no such branches, or does not record them.
    pub(super) fn of(kind: BranchKind) -> Self {
        KINDS.iter().find(|(of, ..)| *of == kind).map_or(Self::empty(), |&(_, bit, _)| bit)
    }

    /// Returns the bit of what leads to a mode.
    pub(super) const fn to(mode: Mode) -> Self {
        if matches!(mode, Mode::User) { Self::USER } else { Self::KERNEL }
    }

    /// Returns what a filter leaves out.
    pub(super) fn without(filter: &BranchFilter) -> Self {
        let modes = [Mode::User, Mode::Kernel].into_iter().filter(|&mode| !filter.modes().contains(mode));
        let kinds = KINDS.iter().filter(|(kind, ..)| !filter.has(*kind));
        modes.map(Self::to).chain(kinds.map(|&(_, bit, _)| bit)).fold(Self::empty(), Self::union)
    }
}

impl Control {
    /// All kinds that can be left out.
    pub(super) const KINDS: Self = Self::from_bits_retain(0x7F << 16);
    /// Both modes.
    pub(super) const MODES: Self = Self::KERNEL.union(Self::USER);

    /// Returns the bit of a kind; none if x86 has no such branches, or does not record them.
    pub(super) fn of(kind: BranchKind) -> Self {
        KINDS.iter().find(|(of, ..)| *of == kind).map_or(Self::empty(), |&(_, _, bit)| bit)
    }

    /// Returns the bit of what leads to a mode.
    pub(super) const fn to(mode: Mode) -> Self {
        if matches!(mode, Mode::User) { Self::USER } else { Self::KERNEL }
    }

    /// Returns what a filter has, enabled.
    pub(super) fn with(filter: &BranchFilter) -> Self {
        let modes = [Mode::User, Mode::Kernel].into_iter().filter(|&mode| filter.modes().contains(mode));
        let kinds = KINDS.iter().filter(|(kind, ..)| filter.has(*kind));
        modes.map(Self::to).chain(kinds.map(|&(_, _, bit)| bit)).fold(Self::ENABLE, Self::union)
    }
}

/// The branch was mispredicted: a source of a stack (formats 3, 4 and 6) or of AMD's, or INFO.
pub(super) const MISPREDICTED: u64 = 1 << 63;
/// INFO: the cycles since the last branch, and with the architectural recorder whether they are valid.
pub(super) const CYCLES: u64 = 0xFFFF;
pub(super) const HAS_CYCLES: u64 = 1 << 60;
/// The cycles in a target (format 6).
pub(super) const TARGET_CYCLES_SHIFT: u32 = 48;
/// INFO: the kind (architectural).
const KIND_SHIFT: u32 = 56;
/// The bits of an address in a source of format 4, above which are those of transactions.
pub(super) const BELOW_TRANSACTIONS: u64 = (1 << 61) - 1;
/// AMD's: the bits of an address; the entry is a wrong path's unless VALID is set; 1452's entries have the bit that is reserved.
pub(super) const CORE_ADDRESS: u64 = (1 << 58) - 1;
pub(super) const CORE_RESERVED: u64 = 1 << 61;
pub(super) const CORE_SPECULATIVE: u64 = 1 << 62;
pub(super) const CORE_VALID: u64 = 1 << 63;
/// The architectural source of what came from a mode that is not recorded.
pub(super) const HIDDEN: u64 = u64::MAX;

/// Returns an address from its low 57 bits, the most that linear addresses have.
#[inline(always)]
pub(super) const fn address(bits: u64) -> u64 {
    extended(bits, 57)
}

/// Returns an address from so many of its bits.
#[inline(always)]
pub(super) const fn extended(bits: u64, width: u32) -> u64 {
    ((bits << (64 - width)) as i64 >> (64 - width)) as u64
}

/// Returns the kind that INFO has. What goes between rings is not told apart.
pub(super) const fn kind(info: u64) -> Option<BranchKind> {
    Some(match info >> KIND_SHIFT & 0xF {
        0 => BranchKind::Conditional,
        1 => BranchKind::IndirectJump,
        2 => BranchKind::Jump,
        3 => BranchKind::IndirectCall,
        4 => BranchKind::Call,
        5 => BranchKind::Return,
        _ => return None,
    })
}

/// Returns the bits of a kind in INFO.
pub(super) const fn code(kind: BranchKind) -> u64 {
    let code = match kind {
        BranchKind::Conditional => 0,
        BranchKind::IndirectJump => 1,
        BranchKind::Jump => 2,
        BranchKind::IndirectCall => 3,
        BranchKind::Call => 4,
        BranchKind::Return => 5,
        _ => 8,
    };
    code << KIND_SHIFT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Modes;

    #[test]
    fn each_kind_comes_out_of_its_bits_unless_it_goes_between_rings() {
        for (of, ..) in KINDS {
            let is_far = Select::of(of) == Select::FAR;
            assert_eq!(kind(code(of)), (!is_far).then_some(of), "{of}");
        }
    }

    #[test]
    fn what_one_register_leaves_out_the_other_does_not_have() {
        let kinds = KINDS.map(|(kind, ..)| kind);
        for modes in [Modes::USER, Modes::KERNEL, Modes::ALL] {
            // What goes between rings has one bit, so a filter has all three kinds or none.
            for end in (0..=6).chain([kinds.len()]) {
                let filter = BranchFilter::new(modes).only(&kinds[..end]);
                let (without, with) = (Select::without(&filter), Control::with(&filter));
                for (kind, select, control) in KINDS {
                    assert_ne!(without.contains(select), with.contains(control), "{kind} of {end}");
                }
                assert_eq!(without.contains(Select::USER), !with.contains(Control::USER));
                assert_eq!(without.contains(Select::KERNEL), !with.contains(Control::KERNEL));
            }
        }
    }

    #[test]
    fn an_address_has_the_sign_of_its_topmost_bit() {
        assert_eq!(address(MISPREDICTED | 0x7FFF_0000_1000), 0x7FFF_0000_1000);
        assert_eq!(address(0xFFFF_8000_0000_1000 & BELOW_TRANSACTIONS), 0xFFFF_8000_0000_1000);
        assert_eq!(extended(0x0123_8000_0000_1000, 48), 0xFFFF_8000_0000_1000);
    }
}
