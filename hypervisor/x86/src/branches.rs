//! Finds the branches among the guest's instructions, one by one.
//!
//! This takes a host some microseconds for each instruction, so it is done only while a counter counts branches, or the guest's
//! recorder records them. On hardware the host's unit and its recorder do.

use metal::vmcb::Save;
use pmu::branches::{Branch, BranchKind};

use crate::memory;

/// A branch that has not been executed yet.
pub struct Next {
    from: u64,
    /// Where a conditional one leads if it is not taken.
    behind: Option<u64>,
    kind: BranchKind,
}

/// Returns the guest's next instruction if it is a branch. Those that lead into another ring are found elsewhere.
pub fn next(save: &Save) -> Option<Next> {
    let bytes = (0..15).map_while(|offset| memory::read_byte(save.cr3, save.rip.wrapping_add(offset)));
    let (kind, length) = decode(bytes)?;
    let behind = (kind == BranchKind::Conditional).then(|| save.rip.wrapping_add(length));
    Some(Next { from: save.rip, behind, kind })
}

impl Next {
    /// Returns the branch, now that it has led there, or `None` if it was not taken.
    pub fn taken(&self, to: u64) -> Option<Branch> {
        (self.behind != Some(to)).then(|| Branch::new(self.from, to).of_kind(self.kind))
    }
}

/// Returns the kind and, of a conditional branch, the length. In 64-bit mode (APM volume 3, appendix A, "Opcode and Operand
/// Encodings").
fn decode(bytes: impl Iterator<Item = u8>) -> Option<(BranchKind, u64)> {
    use BranchKind::{Call, Conditional, IndirectCall, IndirectJump, Jump, Return};
    let is_prefix =
        |byte: u8| matches!(byte, 0x26 | 0x2e | 0x36 | 0x3e | 0x40..=0x4f | 0x64..=0x67 | 0xf0 | 0xf2 | 0xf3);
    let mut bytes = (0..).zip(bytes).skip_while(|&(_, byte)| is_prefix(byte));
    let (prefixes, opcode) = bytes.next()?;
    let mut second = || bytes.next().map(|(_, byte)| byte);
    Some(match opcode {
        0x70..=0x7f | 0xe0..=0xe3 => (Conditional, prefixes + 2), // Jcc, LOOPcc, JrCXZ
        0xe8 => (Call, 0),
        0xe9 | 0xeb => (Jump, 0),
        0xc2 | 0xc3 | 0xca | 0xcb => (Return, 0),
        0x0f => matches!(second()?, 0x80..=0x8f).then_some((Conditional, prefixes + 6))?, // Jcc
        0xff => match second()? >> 3 & 7 {
            2 | 3 => (IndirectCall, 0),
            4 | 5 => (IndirectJump, 0),
            _ => return None,
        },
        _ => return None,
    })
}
