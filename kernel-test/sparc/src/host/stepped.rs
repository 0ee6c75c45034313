//! What one instruction of the guest's does that its clock does not tell: loads and stores, what these do in the caches, and
//! branches.
//!
//! The host steps the guest while a counter wants one of them, and decodes what was stepped: "The SPARC Architecture Manual,
//! Version 9", appendix E, "Opcode Maps", the tables of op2\[2:0\] and of op3\[5:0\] for op = 3. Atomic instructions and
//! prefetches are neither loads nor stores, as on T2, which counts them apart. CALL and JMPL are no branches (section
//! 6.3.4, "Control-Transfer Instructions").

use pmu::virt::{Kind, Kinds};

use super::{cache, registers};
use crate::frame::Frame;

/// The kinds of work for which the guest must be stepped.
pub const KINDS: Kinds =
    Kinds::NONE.with(Kind::Branches).with(Kind::TakenBranches).with(Kind::Loads).with(Kind::Stores);

/// Returns what an instruction did that was executed from here to there.
pub fn kinds(instruction: u32, from: &Frame, to: &Frame) -> Kinds {
    let kinds = kinds_of(instruction);
    let is_taken = kinds.contains(Kind::Branches) && is_taken(instruction, from, to);
    let is_load = kinds.contains(Kind::Loads);
    match kinds {
        _ if is_taken => kinds.with(Kind::TakenBranches),
        _ if is_load || kinds.contains(Kind::Stores) => kinds.or(cache::refer(address(instruction, from), is_load)),
        _ => kinds,
    }
}

/// Returns the address that a load or a store refers to: r\[rs1\] + r\[rs2\], or r\[rs1\] + simm13 (section 6.3.1).
fn address(instruction: u32, frame: &Frame) -> u64 {
    let register = |at: u32| registers::of(frame, (instruction >> at & 0x1f) as usize);
    let is_immediate = instruction >> 13 & 1 == 1;
    let immediate = i64::from(instruction.cast_signed() << 19 >> 19).cast_unsigned();
    register(14).wrapping_add(if is_immediate { immediate } else { register(0) })
}

/// A conditional branch is taken if it goes elsewhere behind its delay slot; the others say so.
const fn is_taken(instruction: u32, from: &Frame, to: &Frame) -> bool {
    const ALWAYS: u32 = 8;
    instruction >> 25 & 0xf == ALWAYS || to.address == from.next && to.next != from.next + 4
}

const fn kinds_of(instruction: u32) -> Kinds {
    let (op2, op3) = (instruction >> 22 & 7, instruction >> 19 & 0x3f);
    match (instruction >> 30, op2, op3) {
        // BPcc, Bicc, BPr, FBPfcc, FBfcc
        (0, 1 | 2 | 3 | 5 | 6, _) => Kinds::NONE.with(Kind::Branches),
        // Of words, bytes, halfwords and doublewords; with an alternate space from 10H on, and of floating point from 20H on.
        (3, _, 0x00..=0x03 | 0x08..=0x0b | 0x10..=0x13 | 0x18..=0x1b | 0x20..=0x23 | 0x30 | 0x32 | 0x33) => {
            Kinds::NONE.with(Kind::Loads)
        }
        (3, _, 0x04..=0x07 | 0x0e | 0x14..=0x17 | 0x1e | 0x24..=0x27 | 0x34 | 0x36 | 0x37) => {
            Kinds::NONE.with(Kind::Stores)
        }
        _ => Kinds::NONE,
    }
}
