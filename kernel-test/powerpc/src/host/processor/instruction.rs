//! The instructions that problem state may not execute, and what they ask for.
//!
//! Power ISA 3.1 Book I, section 1.6, "Instruction Formats", and Book III, "System Linkage
//! Instructions" and "Move To/From System Register Instructions"; for MFPMR and MTPMR Power ISA 2.07
//! Book III-E.

/// An instruction that the host carries out for the guest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instruction {
    /// `mfspr`: this register from that special-purpose one.
    ReadSpecial { register: usize, number: u16 },
    /// `mtspr`
    WriteSpecial { register: usize, number: u16 },
    /// `mfpmr`: this register from that performance monitor register.
    ReadMonitor { register: usize, number: u16 },
    /// `mtpmr`
    WriteMonitor { register: usize, number: u16 },
    /// `mfmsr`
    ReadState { register: usize },
    /// `mtmsr`
    WriteState { register: usize },
    /// `mtmsrd` of no more than MSR\[EE\] and MSR\[RI\].
    WriteInterruptible { register: usize },
    /// `rfid`, `rfi`
    ReturnFromInterrupt,
    /// `lwarx`: a word, at the sum of two registers.
    LoadWordAndReserve { register: usize, base: usize, index: usize },
    /// `ldarx`
    LoadDoubleAndReserve { register: usize, base: usize, index: usize },
    /// `stwcx.`
    StoreWordIfReserved { register: usize, base: usize, index: usize },
    /// `stdcx.`
    StoreDoubleIfReserved { register: usize, base: usize, index: usize },
    /// `bdnz` to itself: a loop that does nothing but take its time.
    Turn,
    /// `trap`: the guest reads its clock.
    Mark,
    /// Any other.
    Unknown(u32),
}

impl Instruction {
    /// What these bits say.
    pub const fn decode(bits: u32) -> Self {
        let (register, base, index) = (field(bits, 21), field(bits, 16), field(bits, 11));
        // The two halves of the number are the wrong way round.
        let number = (index << 5 | base) as u16;
        match (bits >> 26, bits & 0x7ff) {
            (31, 678) => Self::ReadSpecial { register, number },
            (31, 934) => Self::WriteSpecial { register, number },
            (31, 668) => Self::ReadMonitor { register, number },
            (31, 924) => Self::WriteMonitor { register, number },
            (31, 166) => Self::ReadState { register },
            (31, 292) => Self::WriteState { register },
            (31, 356) if base & 1 == 1 => Self::WriteInterruptible { register },
            (31, 356) => Self::WriteState { register },
            (19, 36 | 100) => Self::ReturnFromInterrupt,
            (31, 40) => Self::LoadWordAndReserve { register, base, index },
            (31, 168) => Self::LoadDoubleAndReserve { register, base, index },
            (31, 301) => Self::StoreWordIfReserved { register, base, index },
            (31, 429) => Self::StoreDoubleIfReserved { register, base, index },
            (16, _) if bits == TURN => Self::Turn,
            (31, 8) if register == 31 => Self::Mark,
            _ => Self::Unknown(bits),
        }
    }

    /// Is it better carried out than stepped to? A conditional store would never succeed, since the
    /// step's own return loses the reservation; and a loop of one instruction is done at once.
    pub const fn is_hosts(self) -> bool {
        matches!(
            self,
            Self::LoadWordAndReserve { .. }
                | Self::LoadDoubleAndReserve { .. }
                | Self::StoreWordIfReserved { .. }
                | Self::StoreDoubleIfReserved { .. }
                | Self::Turn
        )
    }
}

/// `bdnz .`
const TURN: u32 = 0x4200_0000;

/// Five bits that name a register.
const fn field(bits: u32, position: u32) -> usize {
    (bits >> position & 31) as usize
}
