//! The registers of the records, and their bits.
//!
//! Source: "The RISC-V Instruction Set Manual, volume II: Privileged Architecture", chapter "Control Transfer Records
//! Extension, Version 1.0", sections "CSRs", "Entry Registers", "Instructions" and "Behavior". The numbers are in the chapter
//! "Control and Status Registers"; QEMU 10 (target/riscv/cpu_bits.h) has the same.

use crate::contract::bit_set;
use crate::event::BranchKind;

/// A register of the records, or the instruction that clears them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Register {
    /// What is recorded (mctrctl, 34EH). Machine mode has it.
    Mctrctl,
    /// The same without machine mode's bits (sctrctl, 14EH).
    Sctrctl,
    /// The entry that is written next, and whether the records are frozen (sctrstatus, 14FH).
    Sctrstatus,
    /// The number of entries (sctrdepth, 15FH).
    Sctrdepth,
    /// The number of the entry that the following three show, 200H for the newest (siselect, 150H).
    Siselect,
    /// The source of an entry (ctrsource in sireg, 151H).
    Sireg,
    /// Its target (ctrtarget in sireg2, 152H).
    Sireg2,
    /// What else is known of it (ctrdata in sireg3, 153H).
    Sireg3,
    /// The instruction SCTRCLR, as a register that is written: it makes all entries 0.
    Sctrclr,
}

impl Register {
    /// Returns the register with this number, for hypervisors. The instruction has none.
    #[must_use]
    pub const fn from_number(number: u16) -> Option<Self> {
        Some(match number {
            0x34E => Self::Mctrctl,
            0x14E => Self::Sctrctl,
            0x14F => Self::Sctrstatus,
            0x15F => Self::Sctrdepth,
            0x150 => Self::Siselect,
            0x151 => Self::Sireg,
            0x152 => Self::Sireg2,
            0x153 => Self::Sireg3,
            _ => return None,
        })
    }
}

bit_set! {
    /// What is recorded (mctrctl, sctrctl).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub(super) struct Control: u64 {
        /// Record in user mode (U).
        const USER as "U" = 1 << 0;
        /// Record in supervisor mode (S).
        const SUPERVISOR as "S" = 1 << 1;
        /// Record in machine mode (M).
        const MACHINE as "M" = 1 << 2;
        /// Record traps to supervisor mode that is not recorded (STE).
        const TRAPS_TO_SUPERVISOR as "STE" = 1 << 8;
        /// Record traps to machine mode that is not recorded (MTE).
        const TRAPS_TO_MACHINE as "MTE" = 1 << 9;
        /// A breakpoint freezes the records (BPFRZ).
        const FREEZE_AT_BREAKPOINT as "BPFRZ" = 1 << 11;
        /// The interrupt on counter overflow freezes the records (LCOFIFRZ).
        const FREEZE_AT_OVERFLOW as "LCOFIFRZ" = 1 << 12;
        /// Record no exceptions (EXCINH).
        const NO_EXCEPTIONS as "EXCINH" = 1 << 33;
        /// Record no interrupts (INTRINH).
        const NO_INTERRUPTS as "INTRINH" = 1 << 34;
        /// Record no returns from traps (TRETINH).
        const NO_TRAP_RETURNS as "TRETINH" = 1 << 35;
        /// Record branches that are not taken (NTBREN).
        const NOT_TAKEN as "NTBREN" = 1 << 36;
        /// Record no branches that are taken (TKBRINH).
        const NO_TAKEN as "TKBRINH" = 1 << 37;
        /// Record no indirect calls (INDCALLINH).
        const NO_INDIRECT_CALLS as "INDCALLINH" = 1 << 40;
        /// Record no direct calls (DIRCALLINH).
        const NO_CALLS as "DIRCALLINH" = 1 << 41;
        /// Record no indirect jumps (INDJMPINH).
        const NO_INDIRECT_JUMPS as "INDJMPINH" = 1 << 42;
        /// Record no direct jumps (DIRJMPINH).
        const NO_JUMPS as "DIRJMPINH" = 1 << 43;
        /// Record no co-routine swaps (CORSWAPINH).
        const NO_SWAPS as "CORSWAPINH" = 1 << 44;
        /// Record no returns (RETINH).
        const NO_RETURNS as "RETINH" = 1 << 45;
        /// Record no other indirect jumps that link (INDLJMPINH).
        const NO_LINKING_INDIRECT_JUMPS as "INDLJMPINH" = 1 << 46;
        /// Record no other direct jumps that link (DIRLJMPINH).
        const NO_LINKING_JUMPS as "DIRLJMPINH" = 1 << 47;
    }
}

impl Control {
    /// The modes that are recorded. Without them nothing is.
    pub(super) const MODES: Self = Self::USER.union(Self::SUPERVISOR).union(Self::MACHINE);
    /// Those of machine mode, which sctrctl does not have.
    pub(super) const OF_MACHINE: Self = Self::MACHINE.union(Self::TRAPS_TO_MACHINE);

    /// Returns the bits that leave a kind of branch out; of branches that are not taken, the bit that records them.
    pub(super) const fn of(kind: BranchKind) -> Self {
        match kind {
            BranchKind::Conditional => Self::NO_TAKEN,
            BranchKind::NotTaken => Self::NOT_TAKEN,
            BranchKind::Jump => Self::NO_JUMPS.union(Self::NO_LINKING_JUMPS),
            BranchKind::IndirectJump => Self::NO_INDIRECT_JUMPS.union(Self::NO_LINKING_INDIRECT_JUMPS),
            BranchKind::Call => Self::NO_CALLS,
            BranchKind::IndirectCall => Self::NO_INDIRECT_CALLS,
            BranchKind::Return => Self::NO_RETURNS,
            BranchKind::CoroutineSwap => Self::NO_SWAPS,
            BranchKind::Exception => Self::NO_EXCEPTIONS,
            BranchKind::Interrupt => Self::NO_INTERRUPTS,
            BranchKind::TrapReturn => Self::NO_TRAP_RETURNS,
        }
    }
}

/// The number in siselect of the newest entry.
pub(super) const NEWEST: u64 = 0x200;
/// The most entries that there can be.
pub(super) const MOST: usize = 256;

/// Returns the number of entries by sctrdepth's field DEPTH.
pub(super) const fn depth(field: u64) -> usize {
    16 << (field & 7)
}

/// The greatest value of the field DEPTH.
pub(super) const DEEPEST: u64 = 4;
/// The entry that is written next (sctrstatus, WRPTR).
pub(super) const WRITE_POINTER: u64 = 0xFF;
/// Nothing is recorded until this is cleared (sctrstatus, FROZEN).
pub(super) const FROZEN: u64 = 1 << 31;
/// The entry is valid (ctrsource, V).
pub(super) const VALID: u64 = 1;
/// The branch was mispredicted (ctrtarget, MISP).
pub(super) const MISPREDICTED: u64 = 1;
/// The cycles are valid (ctrdata, CCV).
pub(super) const HAS_CYCLES: u64 = 1 << 15;
/// The cycles' mantissa of 12 bits (ctrdata, CCM), and their exponent (CCE).
const MANTISSA_SHIFT: u32 = 16;
const MANTISSA: u64 = 0xFFF;
const EXPONENT_SHIFT: u32 = 28;

/// Returns the kind of branch by ctrdata's field TYPE.
pub(super) const fn kind(data: u64) -> Option<BranchKind> {
    Some(match data & 0xF {
        1 => BranchKind::Exception,
        2 => BranchKind::Interrupt,
        3 => BranchKind::TrapReturn,
        4 => BranchKind::NotTaken,
        5 => BranchKind::Conditional,
        8 => BranchKind::IndirectCall,
        9 => BranchKind::Call,
        10 | 14 => BranchKind::IndirectJump,
        11 | 15 => BranchKind::Jump,
        12 => BranchKind::CoroutineSwap,
        13 => BranchKind::Return,
        _ => return None,
    })
}

/// Returns ctrdata's field TYPE of a kind of branch. Jumps are those that do not link.
pub(super) const fn code(kind: BranchKind) -> u64 {
    match kind {
        BranchKind::Exception => 1,
        BranchKind::Interrupt => 2,
        BranchKind::TrapReturn => 3,
        BranchKind::NotTaken => 4,
        BranchKind::Conditional => 5,
        BranchKind::IndirectCall => 8,
        BranchKind::Call => 9,
        BranchKind::IndirectJump => 10,
        BranchKind::Jump => 11,
        BranchKind::CoroutineSwap => 12,
        BranchKind::Return => 13,
    }
}

/// Returns the cycles of ctrdata, if they are valid ("Cycle Counting").
pub(super) const fn cycles(data: u64) -> Option<u32> {
    let (mantissa, exponent) = (data >> MANTISSA_SHIFT & MANTISSA, data >> EXPONENT_SHIFT & 0xF);
    let cycles = if exponent == 0 { mantissa } else { (MANTISSA + 1 + mantissa) << (exponent - 1) };
    if data & HAS_CYCLES == 0 { None } else { Some(cycles as u32) }
}

/// Returns the bits of ctrdata for as many cycles, at most 134,201,344.
pub(super) const fn cycles_to_data(cycles: u32) -> u64 {
    let exponent = (u32::BITS - 12).saturating_sub(cycles.leading_zeros());
    let (mantissa, exponent) = match exponent {
        0 => (cycles as u64, 0),
        1..=15 => (cycles as u64 >> (exponent - 1) & MANTISSA, exponent),
        _ => (MANTISSA, 15),
    };
    HAS_CYCLES | mantissa << MANTISSA_SHIFT | (exponent as u64) << EXPONENT_SHIFT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_a_type_and_bits_that_no_other_has() {
        let mut used = Control::empty();
        for of in BranchKind::ALL {
            assert_eq!(kind(code(of)), Some(of));
            assert!(!used.intersects(Control::of(of)), "{of}");
            used |= Control::of(of);
        }
        assert_eq!(used.bits(), 0xFF3E << 32);
    }

    #[test]
    fn cycles_are_exact_below_8192_and_saturate() {
        let kept = |count: u32| cycles(cycles_to_data(count));
        assert_eq!([0, 1, 4095, 4096, 8191].map(kept), [0, 1, 4095, 4096, 8191].map(Some));
        assert_eq!([8193, 134_201_344, u32::MAX].map(kept), [8192, 134_201_344, 134_201_344].map(Some));
        assert_eq!(cycles(cycles_to_data(5) & !HAS_CYCLES), None);
    }
}
