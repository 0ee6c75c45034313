//! Code whose branches are known. A conditional branch leads to a local label: of a global one the assembler makes two branches.

use core::arch::{asm, naked_asm};

use pmu::branches::{Branch, BranchKind};

unsafe extern "C" {
    static path_jump: u8;
    static path_loop: u8;
    static path_branch: u8;
    static path_call: u8;
    static path_indirect: u8;
    static path_swap: u8;
    static path_leaf: u8;
    static path_onward: u8;
    static path_return: u8;
    static row_top: u8;
    static row_jump: u8;
    static row_after: u8;
    static row_branch: u8;
}

/// The address of a label.
macro_rules! at {
    ($label:ident) => {
        &raw const $label as u64
    };
}

/// Takes a branch of each kind but traps.
#[unsafe(naked)]
pub extern "C" fn path() {
    naked_asm!(
        ".option push",
        ".option norvc",
        "mv t2, ra",
        ".global path_jump",
        "path_jump:",
        "j 1f",
        "nop",
        "1:",
        "li a0, 2",
        ".global path_loop",
        "path_loop:",
        "2:",
        "addi a0, a0, -1",
        ".global path_branch",
        "path_branch:",
        "bnez a0, 2b",
        ".global path_call",
        "path_call:",
        "jal ra, path_leaf",
        "lla t1, path_leaf",
        "lla t0, path_leaf",
        ".global path_indirect",
        "path_indirect:",
        "jalr ra, 0(t1)",
        ".global path_swap",
        "path_swap:",
        "jalr ra, 0(t0)",
        "lla t1, path_end",
        ".global path_onward",
        "path_onward:",
        "jr t1",
        ".global path_leaf",
        "path_leaf:",
        "ret",
        "path_end:",
        "mv ra, t2",
        ".global path_return",
        "path_return:",
        "ret",
        ".option pop",
    )
}

/// Calls [`path`].
#[inline(always)]
pub fn call_path() {
    // SAFETY: it keeps to the calling convention.
    unsafe { asm!("call {path}", path = sym path, clobber_abi("C")) };
}

/// The branches of [`path`], the oldest first, with the one that is not taken. Where it returns to is left 0.
pub fn branches_of_path() -> [Branch; 11] {
    let leaf = at!(path_leaf);
    [
        (at!(path_jump), at!(path_jump) + 8, BranchKind::Jump),
        (at!(path_branch), at!(path_loop), BranchKind::Conditional),
        (at!(path_branch), at!(path_call), BranchKind::NotTaken),
        (at!(path_call), leaf, BranchKind::Call),
        (leaf, at!(path_call) + 4, BranchKind::Return),
        (at!(path_indirect), leaf, BranchKind::IndirectCall),
        (leaf, at!(path_swap), BranchKind::Return),
        (at!(path_swap), leaf, BranchKind::CoroutineSwap),
        (leaf, at!(path_swap) + 4, BranchKind::Return),
        (at!(path_onward), leaf + 4, BranchKind::IndirectJump),
        (at!(path_return), 0, BranchKind::Return),
    ]
    .map(|(from, to, kind)| Branch::new(from, to).of_kind(kind))
}

/// Jumps forwards and back, so many times, at least once. Each round is ten instructions.
#[unsafe(naked)]
pub extern "C" fn row(rounds: usize) {
    naked_asm!(
        ".option push",
        ".option norvc",
        ".global row_top",
        "row_top:",
        "1:",
        "addi a0, a0, -1",
        "nop",
        "nop",
        "nop",
        ".global row_jump",
        "row_jump:",
        "j row_after",
        "nop",
        ".global row_after",
        "row_after:",
        "nop",
        "nop",
        "nop",
        "nop",
        ".global row_branch",
        "row_branch:",
        "bnez a0, 1b",
        "ret",
        ".option pop",
    )
}

/// The two branches of each round of [`row`], in their order.
pub fn branches_of_row() -> [Branch; 2] {
    let jump = Branch::new(at!(row_jump), at!(row_after)).of_kind(BranchKind::Jump);
    [jump, Branch::new(at!(row_branch), at!(row_top)).of_kind(BranchKind::Conditional)]
}

/// The place of [`row`].
pub fn is_in_row(address: u64) -> bool {
    (at!(row_top)..=at!(row_branch)).contains(&address)
}

/// Two programs for user mode, each a loop of its own.
#[unsafe(naked)]
pub extern "C" fn first_program() {
    naked_asm!(
        ".option push",
        ".option norvc",
        "li a0, 20",
        "1:",
        "addi a0, a0, -1",
        "bnez a0, 1b",
        "ret",
        ".option pop"
    )
}

/// See [`first_program`].
#[unsafe(naked)]
pub extern "C" fn second_program() {
    naked_asm!(
        ".option push",
        ".option norvc",
        "li a0, 3",
        "1:",
        "addi a0, a0, -1",
        "bnez a0, 1b",
        "ret",
        ".option pop"
    )
}

/// Is this an address in a program? Each has four instructions.
pub fn is_in(program: extern "C" fn(), address: u64) -> bool {
    (program as usize as u64..program as usize as u64 + 16).contains(&address)
}
