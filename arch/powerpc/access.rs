//! How the unit's real registers are reached: the instructions themselves.
//!
//! The number of a register is part of the instruction. Where a control register is named by a constant,
//! an access is that one instruction; a counter, whose number is known only as the program runs, is
//! found by two or three branches on bits of its number, and by no table of jumps.

use core::arch::asm;

use super::{Pmr, Pvr, Spr};
use crate::registers::Registers;

/// This CPU's unit, by MFSPR and MTSPR: Book3S 64, and 604 to 7450.
///
/// It has no size: a driver over it costs what the instructions cost.
#[derive(Clone, Copy, Debug)]
pub struct Hardware(());

impl Hardware {
    /// The last `unsafe` that a kernel writes.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - the processor is in supervisor or hypervisor state;
    /// - nobody else programs this CPU's unit, and what is above the kernel lets it (HFSCR\[PM\]);
    /// - the exception vector F00H has a handler that may come between any two instructions while
    ///   MSR\[EE\] is set, and that returns to what it interrupted with every register as it was.
    #[must_use]
    pub const unsafe fn claim() -> Self {
        Self(())
    }

    /// Which processor this is.
    #[must_use]
    pub fn version(&self) -> Pvr {
        version()
    }

    /// The machine state register; its bit 60 says whether the kernel is its own hypervisor.
    #[must_use]
    pub fn machine_state(&self) -> u64 {
        let value: usize;
        // SAFETY: claim() promised supervisor state, where reading MSR has no effect.
        unsafe { asm!("mfmsr {}", out(reg) value, options(nomem, nostack, preserves_flags)) };
        value as u64
    }
}

fn version() -> Pvr {
    let value: usize;
    // SAFETY: both claims promised supervisor state, where reading PVR has no effect.
    unsafe { asm!("mfspr {}, 287", out(reg) value, options(nomem, nostack, preserves_flags)) };
    Pvr::from_bits(value as u32)
}

impl Registers for Hardware {
    type Address = Spr;
    type Index = Spr;

    #[inline(always)]
    fn read(&self, at: Spr) -> u64 {
        read_spr(at) as u64
    }

    /// What controls the unit is in force before the next instruction: ISYNC follows (Power ISA Book
    /// III, "Synchronization Requirements for Context Alterations").
    #[inline(always)]
    fn write(&self, at: Spr, value: u64) {
        write_spr(at, value as usize);
        if !is_counter(at) {
            synchronize();
        }
    }

    #[inline(always)]
    fn read_counter(&self, index: Spr) -> u64 {
        read_counter(index) as u64
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        time_base()
    }

    #[inline(always)]
    fn fence(&self) {
        fence();
    }
}

/// This CPU's unit, by MFPMR and MTPMR: e300 and e500.
#[derive(Clone, Copy, Debug)]
pub struct Embedded(());

impl Embedded {
    /// The last `unsafe` that a kernel writes.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - the processor is in supervisor state;
    /// - nobody else programs this CPU's unit;
    /// - the performance monitor's exception (IVOR35; F00H on e300) has a handler that may come
    ///   between any two instructions while MSR\[EE\] is set, and that returns to what it
    ///   interrupted with every register as it was.
    #[must_use]
    pub const unsafe fn claim() -> Self {
        Self(())
    }

    /// Which processor this is.
    #[must_use]
    pub fn version(&self) -> Pvr {
        version()
    }
}

impl Registers for Embedded {
    type Address = Pmr;
    type Index = Pmr;

    #[inline(always)]
    fn read(&self, at: Pmr) -> u64 {
        read_pmr(at) as u64
    }

    /// What controls the unit is in force before the next instruction ("PowerPC e500 Core Family
    /// Reference Manual", section 7.2.2: an ISYNC must follow a write).
    #[inline(always)]
    fn write(&self, at: Pmr, value: u64) {
        write_pmr(at, value as usize);
        synchronize();
    }

    #[inline(always)]
    fn read_counter(&self, index: Pmr) -> u64 {
        read_pmr(index) as u64
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        time_base()
    }

    #[inline(always)]
    fn fence(&self) {
        fence();
    }
}

#[inline(always)]
fn mfspr<const NUMBER: u16>() -> usize {
    let value;
    // SAFETY: claim() promised supervisor state; an `Spr` is a register of the unit, and reading
    // those has no effect. `nomem` is left out so that the compiler keeps what is measured between
    // two readings.
    unsafe {
        asm!("mfspr {}, {number}", out(reg) value, number = const NUMBER, options(nostack, preserves_flags));
    }
    value
}

#[inline(always)]
fn mtspr<const NUMBER: u16>(value: usize) {
    // SAFETY: claim() promised supervisor state and that the unit is ours; no `Spr` reaches memory.
    unsafe {
        asm!("mtspr {number}, {}", in(reg) value, number = const NUMBER, options(nostack, preserves_flags));
    }
}

/// MFPMR, which not every assembler's default processor knows: opcode 31, RT, the register's number in two
/// halves, 334 (Power ISA 2.07 Book III-E, "Move From Performance Monitor Register").
#[inline(always)]
fn mfpmr<const NUMBER: u32>() -> usize {
    let value;
    // SAFETY: claim() promised supervisor state; a `Pmr` is a register of the unit, and reading
    // those has no effect. `nomem` is left out as for MFSPR.
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
    // SAFETY: claim() promised supervisor state and that the unit is ours; no `Pmr` reaches memory.
    unsafe {
        asm!(
            ".long 0x7C60039C | ({number} & 31) << 16 | ({number} >> 5) << 11",
            number = const NUMBER, in("r3") value, options(nostack, preserves_flags),
        );
    }
}

#[inline(always)]
fn synchronize() {
    // SAFETY: waits for what came before, and does nothing else.
    unsafe { asm!("isync", options(nostack, preserves_flags)) };
}

/// The compiler's fence makes LLVM write HWSYNC here, which waits until other CPUs have seen every store:
/// nothing that a thread and the interrupt on its own CPU need. Assembly that may touch memory, and does
/// not, keeps the compiler as well.
#[inline(always)]
fn fence() {
    // SAFETY: there is no instruction.
    unsafe { asm!("", options(nostack, preserves_flags)) };
}

/// On a processor of 32 bits the upper half may change between two readings: it is then read with
/// the lower half that came after it.
#[inline(always)]
fn time_base() -> u64 {
    let (upper, lower, again) = (time_base_upper(), time_base_lower(), time_base_upper());
    if size_of::<usize>() == 8 {
        lower as u64
    } else if upper == again {
        (upper as u64) << 32 | lower as u64
    } else {
        (again as u64) << 32 | time_base_lower() as u64
    }
}

#[inline(always)]
fn time_base_lower() -> usize {
    let value;
    // SAFETY: reads a clock; on a processor of 64 bits all of it.
    unsafe { asm!("mftb {}", out(reg) value, options(nostack, preserves_flags)) };
    value
}

#[inline(always)]
fn time_base_upper() -> usize {
    if size_of::<usize>() == 8 {
        return 0;
    }
    let value;
    // SAFETY: reads a clock.
    unsafe { asm!("mftbu {}", out(reg) value, options(nostack, preserves_flags)) };
    value
}

/// The first of two if this bit of the number is set, else the second.
macro_rules! by {
    ($number:ident & $bit:literal, $set:expr, $clear:expr) => {
        if $number & $bit != 0 { $set } else { $clear }
    };
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

/// What reaches one of a unit's counters, which takes the register's number as it stands: its lowest four
/// bits tell the counters apart. They are put into condition field 7, whose bits are 28 to 31, and each
/// branch asks for one of them. PMC5, which counts instructions, is reached with the fewest.
#[cfg(target_pointer_width = "64")]
macro_rules! reach_counter {
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

/// The same of a processor with registers of 32 bits.
#[cfg(target_pointer_width = "32")]
macro_rules! reach_counter {
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

/// Is it a counter that a program of this width of register has?
#[inline(always)]
const fn is_counter(at: Spr) -> bool {
    if size_of::<usize>() == 8 {
        matches!(at.number(), 787..=794)
    } else {
        matches!(at.number(), 945 | 946 | 953 | 954 | 957 | 958)
    }
}

#[inline(always)]
fn read_counter(at: Spr) -> usize {
    let value;
    // SAFETY: claim() promised supervisor state, and whichever register is reached is one of the unit's
    // counters; reading those has no effect. `nomem` is left out as for MFSPR.
    unsafe {
        asm!(
            reach_counter!(from),
            number = in(reg) usize::from(at.number()), value = lateout(reg) value, out("cr7") _, options(nostack),
        );
    }
    value
}

#[inline(always)]
fn write_counter(at: Spr, value: usize) {
    // SAFETY: claim() promised supervisor state and that the unit is ours; whichever register is
    // reached is one of its counters.
    unsafe {
        asm!(
            reach_counter!(to),
            number = in(reg) usize::from(at.number()), value = in(reg) value, out("cr7") _, options(nostack),
        );
    }
}

/// Counters as a user program reads them, without the kernel: by their copies.
#[derive(Clone, Copy, Debug)]
pub struct User(());

impl User {
    /// # Safety
    /// Wherever the value, or a copy of it, is used, the kernel has opened the counters to problem state
    /// ([`Pmu::lend`](crate::Pmu::lend)), and those that are read are there.
    #[must_use]
    pub const unsafe fn claim() -> Self {
        Self(())
    }

    /// Reads a counter, by its own register or by the copy: their numbers are alike in what is looked at.
    #[inline(always)]
    #[must_use]
    pub fn read(&self, at: Spr) -> u64 {
        let value: usize;
        // SAFETY: claim() promised that problem state may read the counters; reading one has no effect.
        // `nomem` is left out as for MFSPR.
        unsafe {
            asm!(
                reach_counter!(from_copy),
                number = in(reg) usize::from(at.number()), value = lateout(reg) value, out("cr7") _, options(nostack),
            );
        }
        value as u64
    }

    /// The time base, in ticks of its own.
    #[inline(always)]
    #[must_use]
    pub fn ticks(&self) -> u64 {
        time_base()
    }
}

/// The registers that are no counters, each by its own number. There is no other `Spr`.
macro_rules! others {
    ($at:ident, $do:ident $values:tt, $else:expr; $($number:literal)*) => {
        match $at.number() {
            $($number => $do::<$number> $values,)*
            _ => $else,
        }
    };
}

#[inline(always)]
fn read_spr(at: Spr) -> usize {
    if is_counter(at) {
        return read_counter(at);
    }
    if size_of::<usize>() == 8 {
        others!(at, mfspr(), 0; 736 737 738 752 753 754 768 769 770 771 772 773 774 775 776 777 778 779 780 781 782
            784 785 786 795 796 797 798)
    } else {
        others!(at, mfspr(), 0; 928 929 930 936 937 938 939 940 941 942 943 944 952 955 956 959)
    }
}

#[inline(always)]
fn write_spr(at: Spr, value: usize) {
    if is_counter(at) {
        write_counter(at, value);
    } else if size_of::<usize>() == 8 {
        others!(at, mtspr(value), (); 736 737 738 752 753 754 768 769 770 771 772 773 774 775 776 777 778 779 780 781
            782 784 785 786 795 796 797 798);
    } else {
        others!(at, mtspr(value), (); 928 929 930 936 937 938 939 940 941 942 943 944 952 955 956 959);
    }
}

/// One of four registers, by the low bits of its number.
macro_rules! one_of_four {
    ($number:ident, $do:ident $values:tt, $zero:literal $one:literal $two:literal $three:literal) => {
        by!($number & 2, by!($number & 1, $do::<$three> $values, $do::<$two> $values),
            by!($number & 1, $do::<$one> $values, $do::<$zero> $values))
    };
}

/// A performance monitor register, by the bits of its number.
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
fn read_pmr(at: Pmr) -> usize {
    monitor!(at, mfpmr())
}

#[inline(always)]
fn write_pmr(at: Pmr, value: usize) {
    monitor!(at, mtpmr(value));
}
