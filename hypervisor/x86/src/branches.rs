//! Finds the branches among the guest's instructions, one by one.
//!
//! This takes a host some microseconds for each instruction, so it is done only while a counter counts branches. On
//! hardware a counter of the host's unit counts them.

use metal::vmcb::Save;

use crate::memory;

/// Is the guest's next instruction a branch, taken or not? Those that lead into another ring are found elsewhere.
pub fn is_next(save: &Save) -> bool {
    let mut bytes = (0..15).map_while(|offset| memory::read_byte(save.cr3, save.rip.wrapping_add(offset)));
    is_branch(&mut bytes).unwrap_or(false)
}

/// In 64-bit mode (APM volume 3, appendix A, "Opcode and Operand Encodings").
fn is_branch(bytes: &mut impl Iterator<Item = u8>) -> Option<bool> {
    let is_prefix =
        |byte: &u8| matches!(byte, 0x26 | 0x2e | 0x36 | 0x3e | 0x40..=0x4f | 0x64..=0x67 | 0xf0 | 0xf2 | 0xf3);
    Some(match bytes.find(|byte| !is_prefix(byte))? {
        0x70..=0x7f | 0xe0..=0xe3 => true,               // Jcc, LOOPcc, JrCXZ
        0xe8 | 0xe9 | 0xeb => true,                      // CALL, JMP
        0xc2 | 0xc3 | 0xca | 0xcb => true,               // RET
        0x0f => matches!(bytes.next()?, 0x80..=0x8f),    // Jcc
        0xff => matches!(bytes.next()? >> 3 & 7, 2..=5), // CALL and JMP through a register or memory
        _ => false,
    })
}
