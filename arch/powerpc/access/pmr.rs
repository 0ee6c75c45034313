//! The instructions that access performance monitor registers: MFPMR and MTPMR.
//!
//! The number of a register is part of the instruction. For a number that is known only at run time, branches on its
//! bits select the instruction.

use core::arch::asm;

use crate::arch::powerpc::Pmr;

/// MFPMR, which assemblers do not know for every processor: opcode 31, RT, the register's number in two
/// halves, 334 (Power ISA 2.07 Book III-E, "Move From Performance Monitor Register").
#[inline(always)]
fn mfpmr<const NUMBER: u32>() -> usize {
    let value;
    // SAFETY: claim() promised supervisor state; a `Pmr` is a register of the unit, and reading
    // those has no effect. there is no `nomem`, as for MFSPR.
    unsafe {
        asm!(
            ".long 0x7C60029C | ({number} & 31) << 16 | ({number} >> 5) << 11",
            number = const NUMBER, out("r3") value, options(nostack, preserves_flags),
        );
    }
    value
}

/// MTPMR: opcode 31, RS, the register's number in two halves, 462.
#[inline(always)]
fn mtpmr<const NUMBER: u32>(value: usize) {
    // SAFETY: claim() promised supervisor state and that the unit is ours; no `Pmr` accesses memory.
    unsafe {
        asm!(
            ".long 0x7C60039C | ({number} & 31) << 16 | ({number} >> 5) << 11",
            number = const NUMBER, in("r3") value, options(nostack, preserves_flags),
        );
    }
}

/// Selects the first of two if this bit of the number is set, else the second.
macro_rules! by {
    ($number:ident & $bit:literal, $set:expr, $clear:expr) => {
        if $number & $bit != 0 { $set } else { $clear }
    };
}

/// Selects one of four registers by the low bits of its number.
macro_rules! one_of_four {
    ($number:ident, $do:ident $values:tt, $zero:literal $one:literal $two:literal $three:literal) => {
        by!($number & 2, by!($number & 1, $do::<$three> $values, $do::<$two> $values),
            by!($number & 1, $do::<$one> $values, $do::<$zero> $values))
    };
}

/// Selects a performance monitor register by the bits of its number.
macro_rules! monitor {
    ($at:ident, $do:ident $values:tt) => {{
        let number = $at.number();
        by!(number & 16,
            by!(number & 256,
                by!(number & 128, $do::<400> $values, one_of_four!(number, $do $values, 272 273 274 275)),
                by!(number & 128, one_of_four!(number, $do $values, 144 145 146 147),
                    one_of_four!(number, $do $values, 16 17 18 19))),
            by!(number & 256,
                by!(number & 128, $do::<384> $values, one_of_four!(number, $do $values, 256 257 258 259)),
                by!(number & 128, one_of_four!(number, $do $values, 128 129 130 131),
                    one_of_four!(number, $do $values, 0 1 2 3))))
    }};
}

#[inline(always)]
pub(super) fn read(at: Pmr) -> usize {
    monitor!(at, mfpmr())
}

#[inline(always)]
pub(super) fn write(at: Pmr, value: usize) {
    monitor!(at, mtpmr(value));
}
