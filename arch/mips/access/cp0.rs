//! The instructions that access coprocessor 0: MFC0 and MTC0, DMFC0 and DMTC0.
//!
//! Number and select of a register are part of the instruction. For a register that is known only at run time, branches on
//! the bits of its select find the instruction, without a jump table. R10000's MFPC, MTPC, MFPS and MTPS are these
//! instructions by other names.

use core::arch::asm;

use crate::arch::mips::Cp0;

/// An instruction that assemblers know from this architecture on. The compiler's own target may be older.
macro_rules! since {
    ($architecture:literal, $instruction:literal) => {
        concat!(".set push\n.set noat\n.set ", $architecture, "\n", $instruction, "\n.set pop")
    };
}

#[cfg(target_pointer_width = "64")]
macro_rules! instruction {
    ($instruction:literal) => {
        since!("mips64", $instruction)
    };
}

#[cfg(not(target_pointer_width = "64"))]
macro_rules! instruction {
    ($instruction:literal) => {
        since!("mips32", $instruction)
    };
}

/// Reads a register that is not the unit's.
#[inline(always)]
pub(super) fn read_system<const NUMBER: u8, const SELECT: u8>() -> u32 {
    mfc0::<NUMBER, SELECT>()
}

/// Writes Status, of which only IE may change.
#[inline(always)]
pub(super) fn write_status(value: u32) {
    mtc0::<12, 0>(value);
}

#[inline(always)]
fn mfc0<const NUMBER: u8, const SELECT: u8>() -> u32 {
    let value;
    // SAFETY: claim() promised that coprocessor 0 may be used; reading these registers has no effect. Without `nomem` the
    // compiler does not move memory accesses out of what is measured.
    unsafe {
        asm!(
            instruction!("mfc0 {value}, ${number}, {select}"),
            value = out(reg) value, number = const NUMBER, select = const SELECT, options(nostack, preserves_flags),
        );
    }
    value
}

#[inline(always)]
fn mtc0<const NUMBER: u8, const SELECT: u8>(value: u32) {
    // SAFETY: claim() promised that coprocessor 0 may be used and that the unit is ours; no register that is written
    // accesses memory, and of Status no bit but IE is changed.
    unsafe {
        asm!(
            instruction!("mtc0 {value}, ${number}, {select}"),
            value = in(reg) value, number = const NUMBER, select = const SELECT, options(nostack, preserves_flags),
        );
    }
}

#[cfg(target_pointer_width = "64")]
#[inline(always)]
fn dmfc0<const SELECT: u8>() -> u64 {
    let value;
    // SAFETY: as for MFC0; the register has 64 bits.
    unsafe {
        asm!(
            instruction!("dmfc0 {value}, $25, {select}"),
            value = out(reg) value, select = const SELECT, options(nostack, preserves_flags),
        );
    }
    value
}

#[cfg(target_pointer_width = "64")]
#[inline(always)]
fn dmtc0<const SELECT: u8>(value: u64) {
    // SAFETY: as for MTC0; the register has 64 bits.
    unsafe {
        asm!(
            instruction!("dmtc0 {value}, $25, {select}"),
            value = in(reg) value, select = const SELECT, options(nostack, preserves_flags),
        );
    }
}

/// Selects one of four by two bits of a select.
macro_rules! one_of_four {
    ($at:ident, $low:literal $high:literal, $zero:expr, $one:expr, $two:expr, $three:expr) => {{
        let select = $at.select();
        if select & $high != 0 {
            if select & $low != 0 { $three } else { $two }
        } else if select & $low != 0 {
            $one
        } else {
            $zero
        }
    }};
}

/// Reads a counter of any width. The first two of 32 bits, which are all that most processors have, take the fewest
/// branches.
#[inline(always)]
pub(super) fn read_counter(at: Cp0) -> u64 {
    if at.select() < 4 && !at.is_wide() {
        u64::from(if at.select() & 2 != 0 { mfc0::<25, 3>() } else { mfc0::<25, 1>() })
    } else {
        read_other_counter(at)
    }
}

#[inline(always)]
fn read_other_counter(at: Cp0) -> u64 {
    if at.is_wide() { read_wide(at) } else { read_narrow_counter(at).into() }
}

#[inline(always)]
fn read_narrow_counter(at: Cp0) -> u32 {
    one_of_four!(at, 2 4, mfc0::<25, 1>(), mfc0::<25, 3>(), mfc0::<25, 5>(), mfc0::<25, 7>())
}

/// Reads a register of 32 bits: a control, a counter, PRId or Config1.
#[inline(always)]
pub(super) fn read_narrow(at: Cp0) -> u32 {
    match at.number() {
        15 => mfc0::<15, 0>(),
        16 => mfc0::<16, 1>(),
        _ if at.select() & 1 != 0 => read_narrow_counter(at),
        _ => one_of_four!(at, 2 4, mfc0::<25, 0>(), mfc0::<25, 2>(), mfc0::<25, 4>(), mfc0::<25, 6>()),
    }
}

/// Writes a control, or a counter of 32 bits. PRId and Config1 cannot be written.
#[inline(always)]
pub(super) fn write_narrow(at: Cp0, value: u32) {
    if at.number() != Cp0::PERFORMANCE {
    } else if at.select() & 1 != 0 {
        one_of_four!(at, 2 4, mtc0::<25, 1>(value), mtc0::<25, 3>(value), mtc0::<25, 5>(value), mtc0::<25, 7>(value));
    } else {
        one_of_four!(at, 2 4, mtc0::<25, 0>(value), mtc0::<25, 2>(value), mtc0::<25, 4>(value), mtc0::<25, 6>(value));
    }
}

/// Reads a counter of 64 bits.
#[cfg(target_pointer_width = "64")]
#[inline(always)]
fn read_wide(at: Cp0) -> u64 {
    one_of_four!(at, 2 4, dmfc0::<1>(), dmfc0::<3>(), dmfc0::<5>(), dmfc0::<7>())
}

/// Writes a counter of 64 bits.
#[cfg(target_pointer_width = "64")]
#[inline(always)]
pub(super) fn write_wide(at: Cp0, value: u64) {
    one_of_four!(at, 2 4, dmtc0::<1>(value), dmtc0::<3>(value), dmtc0::<5>(value), dmtc0::<7>(value));
}

/// A processor of 32 bits has no such counter.
#[cfg(not(target_pointer_width = "64"))]
#[inline(always)]
fn read_wide(at: Cp0) -> u64 {
    read_narrow_counter(at).into()
}

/// A processor of 32 bits has no such counter.
#[cfg(not(target_pointer_width = "64"))]
#[inline(always)]
pub(super) fn write_wide(at: Cp0, value: u64) {
    write_narrow(at, value as u32);
}
