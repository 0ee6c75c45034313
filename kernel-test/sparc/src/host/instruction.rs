//! The instructions that the guest may not execute, and what they ask for.
//!
//! "The SPARC Architecture Manual, Version 9", appendix A, "Instruction Definitions", and appendix E, tables 32 and 33,
//! "op3\[5:0\]".

/// An instruction that the host carries out for the guest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instruction {
    /// RD: this register from that ancillary state register.
    ReadState { register: usize, number: u8 },
    /// WR
    WriteState { number: u8, source: Source },
    /// RDPR: this register from that privileged register.
    ReadPrivileged { register: usize, number: u8 },
    /// WRPR
    WritePrivileged { number: u8, source: Source },
    /// RETRY
    Retry,
    /// DONE
    Done,
    /// RESTORE or RETURN, which the guest executes by itself.
    Restore,
    /// Any other.
    Unknown,
}

/// What an instruction writes: the exclusive or of both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// A register.
    pub first: usize,
    /// A register, or a number.
    pub second: Second,
}

/// The second operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Second {
    /// A register.
    Register(usize),
    /// A number.
    Number(u64),
}

impl Instruction {
    /// What these bits say.
    pub const fn decode(bits: u32) -> Self {
        let (destination, first) = (field(bits, 25), field(bits, 14));
        let source = Source { first, second: second(bits) };
        match (bits >> 30, bits >> 19 & 0x3f) {
            (2, 0x28) => Self::ReadState { register: destination, number: first as u8 },
            (2, 0x30) => Self::WriteState { number: destination as u8, source },
            (2, 0x2a) => Self::ReadPrivileged { register: destination, number: first as u8 },
            (2, 0x32) => Self::WritePrivileged { number: destination as u8, source },
            (2, 0x3e) if destination == 0 => Self::Done,
            (2, 0x3e) if destination == 1 => Self::Retry,
            (2, 0x3d | 0x39) => Self::Restore,
            _ => Self::Unknown,
        }
    }
}

const fn second(bits: u32) -> Second {
    const IMMEDIATE: u32 = 1 << 13;
    if bits & IMMEDIATE == 0 {
        return Second::Register(field(bits, 0));
    }
    // Thirteen bits with a sign.
    Second::Number(((bits << 19) as i32 >> 19) as i64 as u64)
}

/// Five bits that name a register.
const fn field(bits: u32, position: u32) -> usize {
    (bits >> position & 31) as usize
}
