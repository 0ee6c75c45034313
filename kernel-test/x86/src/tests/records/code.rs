//! Code whose branches are known.

use core::arch::{asm, naked_asm};

use pmu::branches::{Branch, BranchKind};

use crate::width::whole;

unsafe extern "C" {
    static path_jump: u8;
    static path_loop: u8;
    static path_branch: u8;
    static path_call: u8;
    static path_called: u8;
    static path_indirect: u8;
    static path_leaf: u8;
    static path_onward: u8;
    static path_end: u8;
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

/// Takes a branch of each kind that stays in its ring.
#[unsafe(naked)]
pub extern "C" fn path() {
    naked_asm!(
        ".global path_jump",
        "path_jump:",
        "jmp 2f",
        "nop",
        "2:",
        "mov ecx, 2",
        ".global path_loop",
        "path_loop:",
        "3:",
        "dec ecx",
        ".global path_branch",
        "path_branch:",
        "jnz 3b",
        ".global path_call",
        "path_call:",
        "call path_leaf",
        ".global path_called",
        "path_called:",
        "lea eax, [path_leaf]",
        ".global path_indirect",
        "path_indirect:",
        whole!("call ", ax),
        "lea eax, [path_end]",
        ".global path_onward",
        "path_onward:",
        whole!("jmp ", ax),
        ".global path_leaf",
        "path_leaf:",
        "ret",
        ".global path_end",
        "path_end:",
        "nop",
        ".global path_return",
        "path_return:",
        "ret",
    )
}

/// Calls [`path`].
#[inline(always)]
pub fn call_path() {
    // SAFETY: it keeps to the calling convention.
    unsafe { asm!("call {path}", path = sym path, clobber_abi("C")) };
}

/// The branches of [`path`] that are taken, the oldest first. Where it returns to is left 0.
pub fn branches_of_path() -> [Branch; 8] {
    let (leaf, after) = (at!(path_leaf), at!(path_indirect) + 2);
    [
        (at!(path_jump), at!(path_jump) + 3, BranchKind::Jump),
        (at!(path_branch), at!(path_loop), BranchKind::Conditional),
        (at!(path_call), leaf, BranchKind::Call),
        (leaf, at!(path_called), BranchKind::Return),
        (at!(path_indirect), leaf, BranchKind::IndirectCall),
        (leaf, after, BranchKind::Return),
        (at!(path_onward), at!(path_end), BranchKind::IndirectJump),
        (at!(path_return), 0, BranchKind::Return),
    ]
    .map(|(from, to, kind)| Branch::new(from, to).of_kind(kind))
}

/// Jumps forwards and back, as often as EDI says, at least once. Each round is ten instructions.
#[unsafe(naked)]
extern "C" fn row() {
    naked_asm!(
        ".global row_top",
        "row_top:",
        "3:",
        "dec edi",
        "nop",
        "nop",
        "nop",
        ".global row_jump",
        "row_jump:",
        "jmp 2f",
        "nop",
        "2:",
        ".global row_after",
        "row_after:",
        "nop",
        "nop",
        "nop",
        "nop",
        ".global row_branch",
        "row_branch:",
        "jnz 3b",
        "ret",
    )
}

/// Calls [`row`].
#[inline(always)]
pub fn call_row(rounds: usize) {
    // SAFETY: it changes EDI and flags alone.
    unsafe { asm!("call {row}", row = sym row, inout("edi") rounds => _, clobber_abi("C")) };
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

/// A program for ring 3: a loop of so many rounds.
macro_rules! program {
    ($name:ident, $rounds:literal) => {
        /// A program for ring 3, which is a loop.
        #[unsafe(naked)]
        pub extern "C" fn $name() {
            naked_asm!(concat!("mov eax, ", $rounds), "2:", "dec eax", "jnz 2b", "ret")
        }
    };
}

program!(first_program, 40);
program!(second_program, 3);

/// Is this the address of a branch in a program?
pub fn is_in(program: extern "C" fn(), address: u64) -> bool {
    (program as usize as u64..program as usize as u64 + 10).contains(&address)
}

/// Where a branch came from, and where it went to.
pub fn addresses(branch: Branch) -> (u64, u64) {
    (branch.from, branch.to)
}
