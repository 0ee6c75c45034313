//! The instructions: CSRRD, CSRWR and CSRXCHG, CPUCFG, and RDTIME.D.
//!
//! The number of a control and status register is part of the instruction. For a register that is known only at run time,
//! branches on the bits of its number find the instruction, without a jump table.

use core::arch::asm;

use crate::arch::loongarch::Register;
use crate::contract::Masked;

/// CRMD\[IE\] ("LoongArch Reference Manual, volume 1", "Current Mode Information").
const ENABLED: u64 = 1 << 2;

#[inline(always)]
fn csrrd<const NUMBER: u16>() -> u64 {
    let value;
    // SAFETY: claim() promised that the level allows it; reading a register of the unit has no effect. Without `nomem` the
    // compiler does not move memory accesses out of what is measured.
    unsafe { asm!("csrrd {}, {}", out(reg) value, const NUMBER, options(nostack, preserves_flags)) };
    value
}

/// The instruction leaves the register's old value in its operand.
#[inline(always)]
fn csrwr<const NUMBER: u16>(value: u64) {
    // SAFETY: claim() promised that the level allows it and that the unit is ours; none of its registers accesses memory.
    unsafe { asm!("csrwr {}, {}", inout(reg) value => _, const NUMBER, options(nostack, preserves_flags)) };
}

/// Selects one of four by two bits of a register's number.
macro_rules! one_of_four {
    ($at:ident, $zero:expr, $one:expr, $two:expr, $three:expr) => {
        match ($at.number() & 4 != 0, $at.number() & 2 != 0) {
            (false, false) => $zero,
            (false, true) => $one,
            (true, false) => $two,
            (true, true) => $three,
        }
    };
}

/// Reads a counter.
#[inline(always)]
pub(super) fn read_counter(at: Register) -> u64 {
    one_of_four!(at, csrrd::<0x201>(), csrrd::<0x203>(), csrrd::<0x205>(), csrrd::<0x207>())
}

/// Reads a counter or its configuration.
#[inline(always)]
pub(super) fn read(at: Register) -> u64 {
    if at.number() & 1 != 0 {
        read_counter(at)
    } else {
        one_of_four!(at, csrrd::<0x200>(), csrrd::<0x202>(), csrrd::<0x204>(), csrrd::<0x206>())
    }
}

/// Writes a counter or its configuration.
#[inline(always)]
pub(super) fn write(at: Register, value: u64) {
    if at.number() & 1 != 0 {
        one_of_four!(at, csrwr::<0x201>(value), csrwr::<0x203>(value), csrwr::<0x205>(value), csrwr::<0x207>(value));
    } else {
        one_of_four!(at, csrwr::<0x200>(value), csrwr::<0x202>(value), csrwr::<0x204>(value), csrwr::<0x206>(value));
    }
}

/// Reads a word that describes the processor.
#[inline(always)]
pub(super) fn word(number: u16) -> u64 {
    let value;
    // SAFETY: CPUCFG only reads, at every level.
    unsafe {
        asm!("cpucfg {}, {}", out(reg) value, in(reg) u64::from(number), options(nomem, nostack, preserves_flags))
    };
    value
}

/// Reads the stable counter.
#[inline(always)]
pub(super) fn time() -> u64 {
    let value;
    // SAFETY: RDTIME.D only reads. Without `nomem` the compiler does not move memory accesses out of what is measured.
    unsafe { asm!("rdtime.d {value}, $zero", value = out(reg) value, options(nostack, preserves_flags)) };
    value
}

#[inline(always)]
pub(super) fn mask() -> Masked {
    Masked::from_bits(exchange_enabled(0))
}

/// Uses no other bit of `before`, because safe code can create any value.
#[inline(always)]
pub(super) fn unmask(before: Masked) {
    exchange_enabled(before.bits());
}

/// Writes CRMD\[IE\] alone, and returns what CRMD was. CSRXCHG's mask must not be in register 0 or 1, whose numbers make it
/// CSRRD and CSRWR, so that it is in one of the others by name.
#[inline(always)]
fn exchange_enabled(value: u64) -> u64 {
    let before;
    // SAFETY: claim() promised that the level allows it; of CRMD no bit but IE is changed.
    unsafe {
        asm!("csrxchg {}, $t0, 0", inout(reg) value => before, in("$t0") ENABLED, options(nostack, preserves_flags))
    };
    before
}
