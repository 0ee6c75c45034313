//! Code of known length: loops, a row, a program whose functions call each other. Each is one block of assembly: the compiler
//! can put nothing in between.

use core::arch::{asm, naked_asm};

use pmu::output::profile::Symbol;
use pmu::samples::{chain::Broken, chain::Callers, chain::Frames};

use crate::csr::is_machine;
use harness::by_width;

/// The fewest instructions that [`exactly`] can be asked for.
pub const FEWEST: u64 = 4;

/// Retires exactly `count` instructions, at least [`FEWEST`].
#[inline(always)]
pub fn exactly(count: u64) {
    assert!(count >= FEWEST, "a loop of {count} instructions cannot be made");
    // SAFETY: this touches registers of its own.
    unsafe {
        asm!(
            "andi {odd}, {rest}, 1",
            "beqz {odd}, 2f", // of an odd number, the next one is not in the loop
            "nop",
            "2:",
            "addi {rounds}, {rounds}, -1",
            "bnez {rounds}, 2b",
            odd = out(reg) _,
            rest = in(reg) count as usize,
            rounds = inout(reg) (count as usize - 2) >> 1 => _,
            options(nomem, nostack)
        );
    }
}

/// A loop of `$count` instructions with interrupts off by these two instructions.
macro_rules! with_interrupts_masked {
    ($off:literal, $on:literal, $count:expr) => {
        // SAFETY: this touches one register, and interrupts are on before and after.
        unsafe {
            asm!(
                $off,
                "2:",
                "addi {rounds}, {rounds}, -1",
                "bnez {rounds}, 2b",
                $on,
                rounds = inout(reg) ($count / 2) as usize => _,
                options(nomem, nostack)
            );
        }
    };
}

/// Retires so many with interrupts off, and turns them on again.
pub fn with_interrupts_masked(count: u64) {
    if is_machine() {
        with_interrupts_masked!("csrci mstatus, 8", "csrsi mstatus, 8", count);
    } else {
        with_interrupts_masked!("csrci sstatus, 2", "csrsi sstatus, 2", count);
    }
}

/// Is this the instruction before which the first interrupt comes when [`with_interrupts_masked`] turns them on?
pub fn is_where_interrupts_come(address: u64) -> bool {
    let lets_in = if is_machine() { 0x3004_6073 } else { 0x1001_6073 };
    // SAFETY: it is a sample's, so code lies there and before it; instructions are at even addresses.
    let before = unsafe { [4, 2].map(|back| ((address as usize - back) as *const u16).read() as u32) };
    before[0] | before[1] << 16 == lets_in
}

/// The row's length: `nop`s, then a jump back to the first unless it is the last time.
pub const ROW: u64 = 4096;

unsafe extern "C" {
    static row_first: u8;
}

/// Which instruction of the row is at this address, from 0; `None` if it is none of them.
pub fn place_in_row(address: u64) -> Option<u64> {
    let offset = address.checked_sub(&raw const row_first as u64)? / 4;
    (offset < ROW).then_some(offset)
}

/// Retires the row so many times, at least once.
#[unsafe(naked)]
pub extern "C" fn row(rounds: usize) {
    naked_asm!(
        ".option push",
        ".option norvc",
        ".global row_first",
        "row_first:",
        ".rept {nops}",
        "nop",
        ".endr",
        "addi a0, a0, -1",
        "beqz a0, 2f",
        "j row_first",
        "2:",
        "ret",
        ".option pop",
        nops = const ROW - 3,
    )
}

/// Rounds of a loop of two instructions that are a hundredth of the program.
pub const SHARE: u64 = 4_000;

/// The program's functions, in the order of their addresses. `left` and `right` call `spin`, the one three times as long as
/// the other, and `left` has work of its own besides. Of all that happens, 80 of 100 instructions are in `spin`, 60 of them
/// for `left`.
pub fn symbols() -> [Symbol<'static>; 4] {
    harness::symbols([("outermost", outermost), ("left", left), ("right", right), ("spin", spin)])
}

/// Runs the program.
pub fn call() {
    // SAFETY: it keeps to the calling convention.
    unsafe { asm!("call {outermost}", outermost = sym outermost, clobber_abi("C")) };
}

/// Who called the code that was interrupted with this frame pointer.
///
/// # Errors
/// The stack makes no sense.
pub fn walk(frame_pointer: u64, callers: &mut Callers<'_>) -> Result<(), Broken> {
    /// The machine's memory.
    const MEMORY: core::ops::Range<u64> = 0x8000_0000..0x8400_0000;
    let frames = by_width!(Frames::new(frame_pointer, MEMORY), Frames::of_32_bits(frame_pointer, MEMORY));
    frames.below_pointers().walk(callers, |address| {
        // SAFETY: it is a word of memory; what it holds is a number.
        Some(unsafe { (address as *const usize).read_volatile() } as u64)
    })
}

/// A function with a frame record: what is between.
macro_rules! framed {
    ($frame_pointer:literal, $($body:tt)*) => {
        naked_asm!(
            by_width!("addi sp, sp, -16; sd ra, 8(sp); sd s0, 0(sp)", "addi sp, sp, -16; sw ra, 12(sp); sw s0, 8(sp)"),
            $frame_pointer,
            $($body)*
        )
    };
}

/// The end of such a function.
macro_rules! unframed {
    () => {
        by_width!(
            "ld ra, 8(sp); ld s0, 0(sp); addi sp, sp, 16; ret",
            "lw ra, 12(sp); lw s0, 8(sp); addi sp, sp, 16; ret"
        )
    };
}

/// As a thread's first function: there is no record behind its own.
#[unsafe(naked)]
extern "C" fn outermost() {
    framed!("li s0, 0", "call {left}", "call {right}", unframed!(), left = sym left, right = sym right)
}

#[unsafe(naked)]
extern "C" fn left() {
    framed!(
        "addi s0, sp, 16",
        "li a0, {own}",
        "2:",
        "addi a0, a0, -1",
        "bnez a0, 2b",
        "li a0, {rounds}",
        "call {spin}",
        unframed!(),
        own = const 20 * SHARE,
        rounds = const 60 * SHARE,
        spin = sym spin,
    )
}

#[unsafe(naked)]
extern "C" fn right() {
    framed!("addi s0, sp, 16", "li a0, {rounds}", "call {spin}", unframed!(), rounds = const 20 * SHARE, spin = sym spin)
}

#[unsafe(naked)]
extern "C" fn spin() {
    framed!("addi s0, sp, 16", "2:", "addi a0, a0, -1", "bnez a0, 2b", unframed!())
}
