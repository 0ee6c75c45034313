//! The instructions that trap in user mode, and what they ask for ("MIPS32 Architecture For Programmers, volume II").

/// An instruction that the host carries out for the guest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instruction {
    /// `mfc0`, or `dmfc0` if it is of 64 bits: this register from that one of coprocessor 0, by number and select.
    Read { register: usize, at: (u8, u8), is_wide: bool },
    /// `mtc0`, `dmtc0`
    Write { register: usize, at: (u8, u8), is_wide: bool },
    /// `eret`
    ReturnFromException,
    /// Any other.
    Unknown,
}

impl Instruction {
    /// What these bits say.
    pub const fn decode(bits: u32) -> Self {
        const COPROCESSOR_0: u32 = 0x10;
        const RETURN: u32 = 0x4200_0018;
        let (register, at) = ((bits >> 16 & 31) as usize, ((bits >> 11 & 31) as u8, (bits & 7) as u8));
        match (bits >> 26, bits >> 21 & 31) {
            _ if bits == RETURN => Self::ReturnFromException,
            (COPROCESSOR_0, kind @ 0..=1) => Self::Read { register, at, is_wide: kind == 1 },
            (COPROCESSOR_0, kind @ 4..=5) => Self::Write { register, at, is_wide: kind == 5 },
            _ => Self::Unknown,
        }
    }
}
