//! How the unit's real registers are reached: the instructions themselves.
//!
//! A system register's number is part of the instruction that reaches it. A register that is known
//! where the code is compiled costs that one instruction. One of the numbered ones that is not takes
//! a call of a function with an instruction for each number, of which the number chooses one by a
//! computed branch: seven instructions, whichever counter it is. The places that it branches to are
//! landing pads (BTI J), so that a kernel may guard the function's page (FEAT_BTI).
//!
//! # Order
//!
//! What is written to a control register has its effect at the next context synchronisation
//! (DDI 0487 M.a, section D24.1.2, "Synchronization requirements for AArch64 System registers";
//! D13.2.2 for what is then read of a counter that was stopped). Where the driver relies on it, an
//! ISB is part of the access:
//! - behind a write that starts or stops counters: PMCNTENSET_EL0, PMCNTENCLR_EL0, PMCR_EL0,
//!   MDCR_EL2. With it everything that was written before has its effect, too;
//! - before a read of a counter by [`Registers::read`].
//!
//! [`Registers::read_counter`] has none: the counter may be read before instructions that come
//! first, or after some that come later. Who wants it exact puts [`synchronize`] around it.

use core::arch::{asm, naked_asm};

use super::{Index, SystemRegister};
use crate::registers::Registers;

/// This CPU's unit, by MRS and MSR.
///
/// It has no size: a driver over it costs what the instructions cost.
#[derive(Clone, Copy, Debug)]
pub struct Hardware(());

impl Hardware {
    /// The last `unsafe` that a kernel writes.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - the processor is at EL1 or EL2, in AArch64 state, and what is above lets it use the unit's
    ///   registers, or answers for them (MDCR_EL3.TPM; MDCR_EL2.TPM and HPMN; FEAT_FGT's traps);
    /// - nobody else programs this CPU's unit, nor, at EL2, the unit's bits of MDCR_EL2;
    /// - the interrupt of the unit's overflows, if the interrupt controller lets it through, has a
    ///   handler that may come between any two instructions that count, and returns to what it
    ///   interrupted with every register as it was.
    #[must_use]
    pub const unsafe fn claim() -> Self {
        Self(())
    }
}

/// Waits until what was written to system registers has its effect, and what is read from them
/// afterwards is read afterwards (ISB).
#[inline(always)]
pub fn synchronize() {
    // SAFETY: ISB changes nothing but the order. Without `nomem` the compiler keeps it too.
    unsafe { asm!("isb", options(nostack, preserves_flags)) };
}

/// Reads a system register by its name.
macro_rules! mrs {
    ($($name:expr),+) => {{
        let value: u64;
        // SAFETY: claim() promised a level that may read the register; reading it has no effect.
        // `nomem` is left out so that the compiler keeps what is measured between two readings.
        unsafe { asm!(concat!("mrs {}, ", $($name),+), out(reg) value, options(nostack, preserves_flags)) };
        value
    }};
}

/// Writes a system register by its name.
macro_rules! msr {
    ($value:expr; $($name:expr),+) => {{
        let value: u64 = $value;
        // SAFETY: claim() promised a level that may write the register and that the unit is ours;
        // none of these registers holds an address, so that memory is out of reach.
        unsafe { asm!(concat!("msr ", $($name),+, ", {}"), in(reg) value, options(nostack, preserves_flags)) };
    }};
}

/// The numbers 0 to 31, halved and halved again, as branches of the language: those that are known
/// are not there.
///
/// The lowest bit is asked first: of a number whose upper bits are known the compiler would make
/// comparisons, which take two instructions where a bit takes one.
macro_rules! numbers {
    ($context:tt) => {
        branches!($context, (0 1 2 3 4),
            (((((0 16)(8 24))((4 20)(12 28)))(((2 18)(10 26))((6 22)(14 30))))
            ((((1 17)(9 25))((5 21)(13 29)))(((3 19)(11 27))((7 23)(15 31))))))
    };
}

macro_rules! branches {
    (($number:tt $leaf:ident), (), $only:tt) => { $leaf!($only) };
    (($number:tt $leaf:ident), ($bit:literal $($bits:literal)*), ($low:tt $high:tt)) => {
        if $number & 1 << $bit == 0 {
            branches!(($number $leaf), ($($bits)*), $low)
        } else {
            branches!(($number $leaf), ($($bits)*), $high)
        }
    };
}

/// The numbers 0 to 31 as a function of instructions, sixteen bytes each: the number is in X0, and
/// what is written in X1; what is read is in X0 then. X16 is changed too.
macro_rules! chosen_by_x0 {
    ($leaf:ident) => {
        chosen_by_x0!($leaf: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31)
    };
    ($leaf:ident: $($number:tt)*) => {
        concat!(
            "adr x16, 2f\nadd x16, x16, x0, lsl #4\nbr x16\n2:\n",
            $("hint #36\n", $leaf!($number), "\nret\nnop\n",)*
        )
    };
}

macro_rules! counter {
    (31) => {
        mrs!("pmccntr_el0")
    };
    ($number:tt) => {
        mrs!("pmevcntr", $number, "_el0")
    };
}

macro_rules! counter_to_x0 {
    (31) => {
        "mrs x0, pmccntr_el0"
    };
    ($number:tt) => {
        concat!("mrs x0, pmevcntr", $number, "_el0")
    };
}

macro_rules! counter_from_x1 {
    (31) => {
        "msr pmccntr_el0, x1"
    };
    ($number:tt) => {
        concat!("msr pmevcntr", $number, "_el0, x1")
    };
}

macro_rules! select_to_x0 {
    (31) => {
        "mrs x0, pmccfiltr_el0"
    };
    ($number:tt) => {
        concat!("mrs x0, pmevtyper", $number, "_el0")
    };
}

macro_rules! select_from_x1 {
    (31) => {
        "msr pmccfiltr_el0, x1"
    };
    ($number:tt) => {
        concat!("msr pmevtyper", $number, "_el0, x1")
    };
}

/// One of the counters 0 to 31, or the instruction counter for every number beyond: a counter's is no more
/// than 63, for which there are as many places.
#[unsafe(naked)]
unsafe extern "C" fn read_any() {
    naked_asm!(chosen_by_x0!(counter_to_x0), ".rept 32", "hint #36", "mrs x0, s3_3_c9_c4_0", "ret", "nop", ".endr")
}

/// One of the counters 0 to 31.
#[unsafe(naked)]
unsafe extern "C" fn write_counter_31() {
    naked_asm!(chosen_by_x0!(counter_from_x1))
}

/// What one of the counters 0 to 31 counts.
#[unsafe(naked)]
unsafe extern "C" fn read_select_31() {
    naked_asm!(chosen_by_x0!(select_to_x0))
}

/// What one of the counters 0 to 31 counts.
#[unsafe(naked)]
unsafe extern "C" fn write_select_31() {
    naked_asm!(chosen_by_x0!(select_from_x1))
}

/// Reads a register by its number, 0 to 31 or what the function says, by a function that changes
/// nothing else.
macro_rules! read_by_number {
    ($function:path, $number:expr) => {{
        let value: u64;
        // SAFETY: the function takes a number in X0 and leaves a register's value there. The call
        // changes X30, the function X16, the way to one far off X16 and X17, and nothing changes any
        // other; no stack is used, and claim() promised that the register may be read.
        unsafe {
            asm!("bl {}", sym $function, inout("x0") u64::from($number) => value, out("x16") _, out("x17") _, out("x30") _,
                options(nostack, preserves_flags));
        }
        value
    }};
}

/// Writes a register by its number, by a function that changes nothing else.
macro_rules! write_by_number {
    ($function:path, $number:expr, $value:expr) => {{
        // SAFETY: the function takes a number in X0 and a value in X1. The call changes X30, the
        // function X16, the way to one far off X16 and X17, and nothing changes any other; no stack is
        // used, and claim() promised that the register may be written.
        unsafe {
            asm!("bl {}", sym $function, in("x0") u64::from($number), in("x1") $value, out("x16") _, out("x17") _, out("x30") _,
                options(nostack, preserves_flags));
        }
    }};
}

impl Registers for Hardware {
    type Address = SystemRegister;
    type Index = Index;

    #[inline(always)]
    fn read(&self, at: SystemRegister) -> u64 {
        if let Some(number) = at.as_counter() {
            synchronize();
            return read_by_number!(read_any, number);
        }
        match at {
            SystemRegister::CONTROL => mrs!("pmcr_el0"),
            SystemRegister::ENABLE_SET => mrs!("pmcntenset_el0"),
            SystemRegister::OVERFLOW_SET => mrs!("pmovsset_el0"),
            SystemRegister::INTERRUPT_SET => mrs!("pmintenset_el1"),
            SystemRegister::CYCLES => ordered(|| mrs!("pmccntr_el0")),
            SystemRegister::INSTRUCTIONS => ordered(|| mrs!("s3_3_c9_c4_0")),
            _ => read_rarely(at),
        }
    }

    #[inline(always)]
    fn write(&self, at: SystemRegister, value: u64) {
        match (at.as_counter(), at.as_select()) {
            (Some(number), _) => return write_by_number!(write_counter_31, number, value),
            (_, Some(number)) => return write_by_number!(write_select_31, number, value),
            (None, None) => {}
        }
        match at {
            SystemRegister::ENABLE_SET => effective(|| msr!(value; "pmcntenset_el0")),
            SystemRegister::ENABLE_CLEAR => effective(|| msr!(value; "pmcntenclr_el0")),
            SystemRegister::OVERFLOW_CLEAR => msr!(value; "pmovsclr_el0"),
            SystemRegister::INTERRUPT_SET => msr!(value; "pmintenset_el1"),
            SystemRegister::INTERRUPT_CLEAR => msr!(value; "pmintenclr_el1"),
            SystemRegister::CYCLES => msr!(value; "pmccntr_el0"),
            SystemRegister::CYCLE_FILTER => msr!(value; "pmccfiltr_el0"),
            SystemRegister::INSTRUCTIONS => msr!(value; "s3_3_c9_c4_0"),
            SystemRegister::INSTRUCTION_FILTER => msr!(value; "s3_3_c9_c6_0"),
            _ => write_rarely(at, value),
        }
    }

    #[inline(always)]
    fn read_counter(&self, index: Index) -> u64 {
        read_known_counter(index)
    }

    /// By a call, whose place in the caller is small.
    #[inline(always)]
    fn read_any_counter(&self, index: Index) -> u64 {
        read_by_number!(read_any, index.number())
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        mrs!("cntvct_el0")
    }
}

/// Behind what was written before.
#[inline(always)]
fn ordered<T>(read: impl FnOnce() -> T) -> T {
    synchronize();
    read()
}

/// In effect when it returns.
#[inline(always)]
fn effective(write: impl FnOnce()) {
    write();
    synchronize();
}

/// Of an index that is known where the code is compiled, one instruction is left.
#[inline(always)]
fn read_known_counter(index: Index) -> u64 {
    match index.number() {
        number if number & 32 != 0 => mrs!("s3_3_c9_c4_0"),
        number => numbers!((number counter)),
    }
}

/// What is read when a unit is found, taken over or given back.
#[cold]
#[inline(never)]
fn read_rarely(at: SystemRegister) -> u64 {
    if let Some(number) = at.as_select() {
        return read_by_number!(read_select_31, number);
    }
    match at {
        SystemRegister::CYCLE_FILTER => mrs!("pmccfiltr_el0"),
        SystemRegister::INSTRUCTION_FILTER => mrs!("s3_3_c9_c6_0"),
        SystemRegister::ENABLE_CLEAR => mrs!("pmcntenclr_el0"),
        SystemRegister::OVERFLOW_CLEAR => mrs!("pmovsclr_el0"),
        SystemRegister::INTERRUPT_CLEAR => mrs!("pmintenclr_el1"),
        SystemRegister::SELECTOR => mrs!("pmselr_el0"),
        SystemRegister::SELECTED_SELECT => mrs!("pmxevtyper_el0"),
        SystemRegister::SELECTED_COUNTER => mrs!("pmxevcntr_el0"),
        SystemRegister::USER_ENABLE => mrs!("pmuserenr_el0"),
        SystemRegister::USER_ACCESS => mrs!("s3_0_c9_c14_4"),
        _ => read_identity(at),
    }
}

/// What says which unit it is. A register that is only written reads as 0.
fn read_identity(at: SystemRegister) -> u64 {
    match at {
        SystemRegister::EVENTS_0 => mrs!("pmceid0_el0"),
        SystemRegister::EVENTS_1 => mrs!("pmceid1_el0"),
        SystemRegister::MACHINE => mrs!("s3_0_c9_c14_6"),
        SystemRegister::HYPERVISOR_CONTROL => mrs!("mdcr_el2"),
        SystemRegister::PROCESSOR => mrs!("midr_el1"),
        SystemRegister::PROCESSOR_FEATURES => mrs!("id_aa64pfr0_el1"),
        SystemRegister::DEBUG_FEATURES_0 => mrs!("id_aa64dfr0_el1"),
        SystemRegister::DEBUG_FEATURES_1 => mrs!("id_aa64dfr1_el1"),
        SystemRegister::LEVEL => mrs!("currentel"),
        _ => 0,
    }
}

/// What is written when a unit is taken over or given back, or lent to user programs. A register
/// that is only read takes nothing.
#[cold]
#[inline(never)]
fn write_rarely(at: SystemRegister, value: u64) {
    match at {
        SystemRegister::CONTROL => effective(|| msr!(value; "pmcr_el0")),
        SystemRegister::HYPERVISOR_CONTROL => effective(|| msr!(value; "mdcr_el2")),
        SystemRegister::OVERFLOW_SET => msr!(value; "pmovsset_el0"),
        SystemRegister::SOFTWARE_INCREMENT => msr!(value; "pmswinc_el0"),
        SystemRegister::SELECTOR => msr!(value; "pmselr_el0"),
        SystemRegister::SELECTED_SELECT => msr!(value; "pmxevtyper_el0"),
        SystemRegister::SELECTED_COUNTER => msr!(value; "pmxevcntr_el0"),
        SystemRegister::ZERO => msr!(value; "s3_3_c9_c13_4"),
        SystemRegister::USER_ENABLE => msr!(value; "pmuserenr_el0"),
        SystemRegister::USER_ACCESS => msr!(value; "s3_0_c9_c14_4"),
        _ => {}
    }
}

/// Counters as a user program reads them, without the kernel.
#[derive(Clone, Copy, Debug)]
pub struct User(());

impl User {
    /// # Safety
    /// Wherever the value, or a copy of it, is used, the kernel has opened the counters that are
    /// read to EL0 ([`super::pmuv3::Pmuv3::open_user_reads`]), and they are there; and for
    /// [`User::ticks`], the system counter (CNTKCTL_EL1.EL0VCTEN).
    #[must_use]
    pub const unsafe fn claim() -> Self {
        Self(())
    }

    /// Reads a counter.
    #[inline(always)]
    #[must_use]
    pub fn read(&self, index: Index) -> u64 {
        read_by_number!(read_any, index.number())
    }

    /// The system counter, in ticks of its own.
    #[inline(always)]
    #[must_use]
    pub fn ticks(&self) -> u64 {
        mrs!("cntvct_el0")
    }
}
