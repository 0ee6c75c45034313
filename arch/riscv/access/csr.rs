//! The instructions, each with a register's number in it.

use core::arch::{asm, naked_asm};

use crate::arch::riscv::Csr;

/// Reads a register.
#[inline(always)]
pub(super) fn csrr<const NUMBER: u16>() -> usize {
    let value;
    // SAFETY: claim() promised that the register exists and may be read; reading it has no effect. Without `nomem` the
    // compiler does not move memory accesses out of what is measured.
    unsafe { asm!("csrr {}, {}", out(reg) value, const NUMBER, options(nostack, preserves_flags)) };
    value
}

/// Writes a register.
#[inline(always)]
pub(super) fn csrw<const NUMBER: u16>(value: usize) {
    // SAFETY: claim() promised that the register may be written and that the unit is ours; none of them holds an address.
    unsafe { asm!("csrw {}, {}", const NUMBER, in(reg) value, options(nostack, preserves_flags)) };
}

/// Sets bits of a register.
#[inline(always)]
pub(super) fn set_bits<const NUMBER: u16>(bits: usize) {
    // SAFETY: as for CSRW; of a register that is not the unit's only the interrupt enable and the unit's own bits change.
    unsafe { asm!("csrs {}, {}", const NUMBER, in(reg) bits, options(nostack, preserves_flags)) };
}

/// Clears bits of a register, and returns its contents before.
#[inline(always)]
pub(super) fn clear_and_read<const NUMBER: u16>(bits: usize) -> usize {
    let before;
    // SAFETY: as for `set_bits`.
    unsafe {
        asm!("csrrc {}, {}, {}", out(reg) before, const NUMBER, in(reg) bits, options(nostack, preserves_flags));
    }
    before
}

/// Replaces a register, and returns its contents before.
#[inline(always)]
fn csrrw<const NUMBER: u16>(value: usize) -> usize {
    let before;
    // SAFETY: as for CSRW.
    unsafe {
        asm!("csrrw {}, {}, {}", out(reg) before, const NUMBER, in(reg) value, options(nostack, preserves_flags));
    }
    before
}

/// Two functions for each number of these ranges of 32: one reads the register to A0, the other writes it from A0. Each
/// instruction has four bytes.
macro_rules! functions {
    ($name:ident: $($first:literal)*) => {
        #[unsafe(naked)]
        unsafe extern "C" fn $name() {
            naked_asm!(
                ".option push",
                ".option norvc",
                $(
                    concat!(".set pmu_number, ", $first),
                    ".rept 32",
                    "csrr a0, pmu_number",
                    "ret",
                    "csrw pmu_number, a0",
                    "ret",
                    ".set pmu_number, pmu_number + 1",
                    ".endr",
                )*
                ".option pop",
            )
        }
    };
}

// Where registers have 64 bits nobody accesses the upper halves. An access without a register is an exception.
functions!(counters: 0xC00 0xC80 0xB00 0xB80);
functions!(selects: 0x320 0x720);

/// The bytes of the two functions of a number.
const SIZE: usize = 16;

/// Returns the functions of a counter; whatever the number is, of one.
#[inline(always)]
fn functions_of_counter(number: u16) -> usize {
    let range = number >> 7 & 3;
    counters as *const () as usize + usize::from(range << 5 | number & 31) * SIZE
}

/// Returns the functions of this register, if it is in a table.
#[inline(always)]
fn functions_of(number: u16) -> Option<usize> {
    match number & 0xF60 {
        0xB00 | 0xC00 => Some(functions_of_counter(number)),
        0x320 | 0x720 => {
            let range = number >> 10 & 1;
            Some(selects as *const () as usize + usize::from(range << 5 | number & 31) * SIZE)
        }
        _ => None,
    }
}

#[inline(always)]
fn read_of(functions: usize) -> usize {
    let value;
    // SAFETY: the function reads a register to A0 and returns. The call changes RA and uses no stack, and claim() promised
    // that the register may be read.
    unsafe {
        asm!("jalr {}", in(reg) functions, out("a0") value, out("ra") _, options(nostack, preserves_flags));
    }
    value
}

#[inline(always)]
fn write_of(functions: usize, value: usize) {
    // SAFETY: as for `read_of`: the function writes A0 to a register and returns.
    unsafe {
        asm!("jalr {}", in(reg) functions + SIZE / 2, in("a0") value, out("ra") _, options(nostack, preserves_flags));
    }
}

/// Reads a counter.
#[inline(always)]
pub(super) fn read_counter(number: u16) -> usize {
    read_of(functions_of_counter(number))
}

/// Evaluates an expression for the register with this number, of those that are not in a table.
macro_rules! of_number {
    ($number:expr, $function:ident $arguments:tt, $otherwise:expr; $($known:literal)*) => {
        of_number!(@ $number, $function, $otherwise, $([$known $arguments])*)
    };
    (@ $number:expr, $function:ident, $otherwise:expr, $([$known:literal ($($argument:expr)?)])*) => {
        match $number {
            $($known => $function::<$known>($($argument)?),)*
            _ => $otherwise,
        }
    };
}

/// Reads a register. The closed type [`Csr`] has no other numbers.
#[inline(always)]
pub(super) fn read(number: u16) -> usize {
    match functions_of(number) {
        Some(functions) => read_of(functions),
        None => of_number!(number, csrr(), 0;
            0x104 0x106 0x120 0x144 0x150 0x304 0x306 0x344 0x7CA 0x7CB 0x7CF 0x7D1 0x7D2 0x7D3 0x7D4 0x9C4
            0xDA0 0xF11 0xF12 0xF13),
    }
}

/// Writes a register. The inhibits come first: a start and a stop write these.
#[inline(always)]
pub(super) fn write(number: u16, value: usize) {
    match number {
        0x120 => csrw::<0x120>(value),
        0x320 => csrw::<0x320>(value),
        _ => write_other(number, value),
    }
}

#[inline(always)]
fn write_other(number: u16, value: usize) {
    match functions_of(number) {
        Some(functions) => write_of(functions, value),
        None => of_number!(number, csrw(value), ();
            0x106 0x150 0x306 0x7CA 0x7CB 0x7CF 0x7D1 0x7D2 0x7D3 0x7D4),
    }
}

/// Sets bits of a register.
#[inline(always)]
pub(super) fn set(number: u16, bits: usize) {
    of_number!(number, set_bits(bits), (); 0x104 0x106 0x144 0x304 0x306 0x344 0x7D1 0x7D2 0x7D3 0x9C4);
}

/// Clears bits of a register.
#[inline(always)]
pub(super) fn clear(number: u16, bits: usize) {
    of_number!(number, clear_and_read(bits), 0;
        0x104 0x106 0x144 0x304 0x306 0x344 0x7CB 0x7D1 0x7D2 0x7D3 0x7D4 0x9C4 0x9C5);
}

const SISELECT: u16 = Csr::SISELECT.number();

/// Reads sireg or another of its kind.
#[inline(always)]
pub(super) fn read_indirect(register: u8, select: u16) -> usize {
    let before = csrrw::<SISELECT>(select.into());
    let value = match register {
        1 => csrr::<0x151>(),
        2 => csrr::<0x152>(),
        4 => csrr::<0x155>(),
        _ => csrr::<0x156>(),
    };
    csrw::<SISELECT>(before);
    value
}

/// Writes sireg or another of its kind.
#[inline(always)]
pub(super) fn write_indirect(register: u8, select: u16, value: usize) {
    let before = csrrw::<SISELECT>(select.into());
    match register {
        1 => csrw::<0x151>(value),
        2 => csrw::<0x152>(value),
        4 => csrw::<0x155>(value),
        _ => csrw::<0x156>(value),
    }
    csrw::<SISELECT>(before);
}

/// Reads the clock.
#[cfg(target_pointer_width = "64")]
#[inline(always)]
pub(super) fn time() -> u64 {
    csrr::<0xC01>() as u64
}

/// Reads the clock, whose upper half is read again if it has changed.
#[cfg(not(target_pointer_width = "64"))]
#[inline(always)]
pub(super) fn time() -> u64 {
    let (before, low, high) = (csrr::<0xC81>(), csrr::<0xC01>(), csrr::<0xC81>());
    let low = if before == high { low } else { csrr::<0xC01>() };
    (high as u64) << 32 | low as u64
}
