//! The instructions that access special-purpose registers: MFSPR and MTSPR.
//!
//! The number of a register is part of the instruction. A control register that is named by a constant is accessed by
//! that one instruction. For a counter, two or three branches on bits of its number select the instruction, without a
//! jump table.

use core::arch::asm;

use crate::arch::powerpc::Spr;

#[inline(always)]
fn mfspr<const NUMBER: u16>() -> usize {
    let value;
    // SAFETY: claim() promised supervisor state; an `Spr` is a register of the unit, and reading
    // those has no effect. Without `nomem` the compiler does not move memory
    // accesses out of what is measured.
    unsafe {
        asm!("mfspr {}, {number}", out(reg) value, number = const NUMBER, options(nostack, preserves_flags));
    }
    value
}

#[inline(always)]
fn mtspr<const NUMBER: u16>(value: usize) {
    // SAFETY: claim() promised supervisor state and that the unit is ours; no `Spr` accesses memory.
    unsafe {
        asm!("mtspr {number}, {}", in(reg) value, number = const NUMBER, options(nostack, preserves_flags));
    }
}

/// MFSPR from the register with this number.
macro_rules! from {
    ($number:literal) => {
        concat!("mfspr {value}, ", $number)
    };
}

/// MFSPR from the copy for problem state of the register with this number: 16 below, in every family
/// (Power ISA 3.1 Book III, table of special-purpose registers; "MPC7450 RISC Microprocessor Family
/// Reference Manual", section 2.1.5, "Performance Monitor Registers").
macro_rules! from_copy {
    ($number:literal) => {
        concat!("mfspr {value}, ", $number, " - 16")
    };
}

/// MTSPR to the register with this number.
macro_rules! to {
    ($number:literal) => {
        concat!("mtspr ", $number, ", {value}")
    };
}

/// Selects the instruction for a counter by the lowest four bits of the register's number. They are copied to
/// condition field 7, whose bits are 28 to 31, and each branch tests one of them. PMC5, which counts instructions,
/// takes the fewest branches.
#[cfg(target_pointer_width = "64")]
macro_rules! select_counter {
    ($counter:ident) => {
        concat!(
            "mtocrf 1, {number}\n bc 12, 30, 2f\n bc 12, 31, 3f\n bc 12, 28, 4f\n",
            $counter!(788),
            "\n b 9f\n 4: ",
            $counter!(792),
            "\n b 9f\n 3: bc 12, 28, 5f\n",
            $counter!(789),
            "\n b 9f\n 5: ",
            $counter!(793),
            "\n b 9f\n 6: bc 12, 28, 7f\n",
            $counter!(790),
            "\n b 9f\n 7: ",
            $counter!(794),
            "\n b 9f\n 8: ",
            $counter!(787),
            "\n b 9f\n 2: bc 4, 31, 6b\n bc 4, 29, 8b\n",
            $counter!(791),
            "\n 9:",
        )
    };
}

/// The same for a processor with registers of 32 bits.
#[cfg(target_pointer_width = "32")]
macro_rules! select_counter {
    ($counter:ident) => {
        concat!(
            "mtcrf 1, {number}\n bc 4, 28, 2f\n bc 12, 29, 3f\n bc 12, 30, 4f\n",
            $counter!(953),
            "\n b 9f\n 4: ",
            $counter!(954),
            "\n b 9f\n 2: bc 12, 30, 5f\n",
            $counter!(945),
            "\n b 9f\n 5: ",
            $counter!(946),
            "\n b 9f\n 3: bc 12, 30, 6f\n",
            $counter!(957),
            "\n b 9f\n 6: ",
            $counter!(958),
            "\n 9:",
        )
    };
}

/// Returns true for a counter of a processor with this width of registers.
#[inline(always)]
pub(super) const fn is_counter(at: Spr) -> bool {
    if size_of::<usize>() == 8 {
        matches!(at.number(), 787..=794)
    } else {
        matches!(at.number(), 945 | 946 | 953 | 954 | 957 | 958)
    }
}

/// Reads a counter.
#[inline(always)]
pub(super) fn read_counter(at: Spr) -> usize {
    let value;
    // SAFETY: claim() promised supervisor state, and the register is one of the unit's
    // counters; reading those has no effect. there is no `nomem`, as for MFSPR.
    unsafe {
        asm!(
            select_counter!(from),
            number = in(reg) usize::from(at.number()), value = lateout(reg) value, out("cr7") _, options(nostack),
        );
    }
    value
}

/// Reads the copy of a counter for problem state.
#[inline(always)]
pub(super) fn read_copy(at: Spr) -> usize {
    let value;
    // SAFETY: claim() promised that problem state may read the counters; reading one has no effect.
    // there is no `nomem`, as for MFSPR.
    unsafe {
        asm!(
            select_counter!(from_copy),
            number = in(reg) usize::from(at.number()), value = lateout(reg) value, out("cr7") _, options(nostack),
        );
    }
    value
}

#[inline(always)]
fn write_counter(at: Spr, value: usize) {
    // SAFETY: claim() promised supervisor state and that the unit is ours; the register is
    // one of its counters.
    unsafe {
        asm!(
            select_counter!(to),
            number = in(reg) usize::from(at.number()), value = in(reg) value, out("cr7") _, options(nostack),
        );
    }
}

/// Accesses the registers with these numbers, each by its own instruction.
macro_rules! by_number {
    ($at:ident, $do:ident $values:tt, $else:expr; $($number:literal)*) => {
        match $at.number() {
            $($number => $do::<$number> $values,)*
            _ => $else,
        }
    };
}

/// Reads a register.
#[inline(always)]
pub(super) fn read(at: Spr) -> usize {
    if is_counter(at) {
        return read_counter(at);
    }
    if size_of::<usize>() == 8 {
        by_number!(at, mfspr(), 0; 736 737 738 752 753 754 768 769 770 771 772 773 774 775 776 777 778 779 780 781 782
            784 785 786 795 796 797 798)
    } else {
        by_number!(at, mfspr(), 0; 928 929 930 936 937 938 939 940 941 942 943 944 952 955 956 959)
    }
}

/// Writes a register.
#[inline(always)]
pub(super) fn write(at: Spr, value: usize) {
    if is_counter(at) {
        write_counter(at, value);
    } else if size_of::<usize>() == 8 {
        by_number!(at, mtspr(value), (); 736 737 738 752 753 754 768 769 770 771 772 773 774 775 776 777 778 779 780 781
            782 784 785 786 795 796 797 798);
    } else {
        by_number!(at, mtspr(value), (); 928 929 930 936 937 938 939 940 941 942 943 944 952 955 956 959);
    }
}
