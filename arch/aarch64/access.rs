//! Accesses the unit's real registers, by MRS and MSR.
//!
//! A system register's number is part of the instruction. Most registers are accessed by one
//! instruction. For the numbered ones, the counters and their selections, there is a table with a
//! function of one instruction for each number and direction. Finding the function takes one instruction where
//! the table's address is known, and calling it four. The functions begin with BTI C, so that a
//! kernel may guard the table's pages (FEAT_BTI).
//!
//! Registers that are not the unit's are accessed by `aarch64-cpu`, which has none of the unit's.
//!
//! # Order
//!
//! A write to a control register takes effect at the next context synchronisation
//! (DDI 0487 M.a, section D24.1.2, "Synchronization requirements for AArch64 System registers";
//! D13.2.2 for the value of a counter that was stopped). Where the driver relies on it, the
//! access includes an ISB:
//! - after a write that starts or stops counters (PMCNTENSET_EL0, PMCNTENCLR_EL0, PMCR_EL0,
//!   MDCR_EL2), so that all earlier writes have taken effect too;
//! - before a write that starts counters (PMCNTENSET_EL0), so that what they count and hold has taken effect;
//! - before a read of a counter by [`Registers::read`].
//!
//! [`Registers::read_counter`] has none: the processor may read the counter before earlier
//! instructions, or after later ones. For an exact value, call [`Hardware::synchronize`] before and after it.

pub(in crate::arch) mod door;

use core::arch::{asm, naked_asm};

// A dependency on AArch64 alone. Other targets' documentation on docs.rs has this module too, without it: rustdoc does
// not look into functions.
#[cfg(not(docsrs))]
use aarch64_cpu::asm::barrier;
#[cfg(not(docsrs))]
use aarch64_cpu::registers::{
    CurrentEL, DAIF, ID_AA64DFR0_EL1, ID_AA64DFR1_EL1, ID_AA64PFR0_EL1, MDCR_EL2, MIDR_EL1, Readable, Writeable,
};

use super::{Index, SystemRegister};
use crate::contract::{Kernel, Masked, OneCpu, Registers};

/// This CPU's unit, accessed by MRS and MSR.
///
/// Its size is that of the kernel's value `K`, usually 0.
#[derive(Clone, Copy, Debug)]
pub struct Hardware<K = OneCpu>(K);

impl<K: Kernel> Hardware<K> {
    /// Claims the unit's registers for `kernel`. They access the unit of the CPU that uses them.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - the processor is at EL1 or EL2, in AArch64 state, and the higher levels let it use the unit's
    ///   registers, or emulate them (MDCR_EL3.TPM; MDCR_EL2.TPM and HPMN; FEAT_FGT's traps);
    /// - nobody else programs this CPU's unit, nor, at EL2, the unit's bits of MDCR_EL2;
    /// - the unit's overflow interrupt, if the interrupt controller enables it, has a
    ///   handler that may interrupt any instruction, and restores every register when it returns.
    #[must_use]
    pub const unsafe fn claim(kernel: K) -> Self {
        Self(kernel)
    }
}

impl Hardware {
    /// Waits until earlier writes to system registers have taken effect, and orders later reads of them
    /// after it (ISB).
    #[inline(always)]
    pub fn synchronize() {
        barrier::isb(barrier::SY);
    }
}

/// Reads a system register by its name.
macro_rules! mrs {
    ($($name:expr),+) => {{
        let value: u64;
        // SAFETY: claim() promised a level that may read the register; reading it has no effect.
        // Without `nomem` the compiler does not move memory accesses out of what is measured.
        unsafe { asm!(concat!("mrs {}, ", $($name),+), out(reg) value, options(nostack, preserves_flags)) };
        value
    }};
}

/// Writes a system register by its name.
macro_rules! msr {
    ($value:expr; $($name:expr),+) => {{
        let value: u64 = $value;
        // SAFETY: claim() promised a level that may write the register and that the unit is ours;
        // none of these registers holds an address, so the write does not access memory.
        unsafe { asm!(concat!("msr ", $($name),+, ", {}"), in(reg) value, options(nostack, preserves_flags)) };
    }};
}

/// Two functions of [`Function::SIZE`] bytes for each of the numbers 0 to 31.
macro_rules! functions {
    ($both:ident) => {
        functions!($both: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31)
    };
    ($both:ident: $($number:tt)*) => {
        concat!($($both!($number),)*)
    };
}

/// A function of one instruction, which may be called through a register.
macro_rules! function {
    ($($instruction:tt),+) => {
        concat!("hint #34\n", $($instruction),+, "\nret\nnop\n")
    };
}

/// The functions that read a register to X0 and write it from X0.
macro_rules! both {
    ($($name:tt),+) => {
        concat!(function!("mrs x0, ", $($name),+), function!("msr ", $($name),+, ", x0"))
    };
}

macro_rules! both_of_counter {
    (31) => {
        both!("pmccntr_el0")
    };
    ($number:tt) => {
        both!("pmevcntr", $number, "_el0")
    };
}

macro_rules! both_of_select {
    (31) => {
        both!("pmccfiltr_el0")
    };
    ($number:tt) => {
        both!("pmevtyper", $number, "_el0")
    };
}

/// The functions of the counters 0 to 31, and of the instruction counter for the numbers 32 to 63, the highest of
/// a counter.
#[unsafe(naked)]
unsafe extern "C" fn counters() {
    naked_asm!(functions!(both_of_counter), ".rept 32", both!("s3_3_c9_c4_0"), ".endr")
}

/// The functions of the selections of the counters 0 to 31.
#[unsafe(naked)]
unsafe extern "C" fn selects() {
    naked_asm!(functions!(both_of_select))
}

/// The address of the function in [`counters`] or [`selects`] that reads a register. The one that writes it follows.
#[derive(Clone, Copy)]
struct Function(u64);

impl Function {
    /// Four instructions, in bytes.
    const SIZE: u64 = 16;

    #[inline(always)]
    fn of_counter(index: Index) -> Self {
        Self::of(counters, index.number())
    }

    /// Returns the function of one of the event counters 0 to 30.
    #[inline(always)]
    fn of_event_counter(number: u8) -> Self {
        Self::of(counters, number & 31)
    }

    #[inline(always)]
    fn of_select(number: u8) -> Self {
        Self::of(selects, number & 31)
    }

    /// Computes the address in one instruction, where the compiler would use two. Both functions of a number have 32
    /// bytes.
    #[inline(always)]
    fn of(table: unsafe extern "C" fn(), number: u8) -> Self {
        let address;
        // SAFETY: it adds, and changes nothing else.
        unsafe {
            asm!("add {}, {}, {}, lsl #5", out(reg) address, in(reg) table as *const () as u64, in(reg) u64::from(number),
                options(pure, nomem, nostack, preserves_flags));
        }
        Self(address)
    }

    #[inline(always)]
    fn read(self) -> u64 {
        let value: u64;
        // SAFETY: the function reads a register to X0 and returns. The call changes X30 and uses no stack, and
        // claim() promised that the register may be read.
        unsafe {
            asm!("blr {}", in(reg) self.0, out("x0") value, out("x30") _, options(nostack, preserves_flags));
        }
        value
    }

    #[inline(always)]
    fn write(self, value: u64) {
        // SAFETY: as for `read`: the function writes X0 to a register and returns.
        unsafe {
            asm!("blr {}", in(reg) self.0 + Self::SIZE, in("x0") value, out("x30") _, options(nostack, preserves_flags));
        }
    }
}

impl<K: Kernel> Registers for Hardware<K> {
    type Address = SystemRegister;
    type Index = Index;
    type Kernel = K;

    #[inline(always)]
    fn kernel(&self) -> K {
        self.0
    }

    #[inline(always)]
    fn read(&self, at: SystemRegister) -> u64 {
        if let Some(number) = at.as_counter() {
            Hardware::synchronize();
            return Function::of_event_counter(number).read();
        }
        match at {
            SystemRegister::CONTROL => mrs!("pmcr_el0"),
            SystemRegister::ENABLE_SET => mrs!("pmcntenset_el0"),
            SystemRegister::OVERFLOW_SET => mrs!("pmovsset_el0"),
            SystemRegister::INTERRUPT_SET => mrs!("pmintenset_el1"),
            SystemRegister::CYCLES => read_synchronized(|| mrs!("pmccntr_el0")),
            SystemRegister::INSTRUCTIONS => read_synchronized(|| mrs!("s3_3_c9_c4_0")),
            _ => read_rarely(at),
        }
    }

    #[inline(always)]
    fn write(&self, at: SystemRegister, value: u64) {
        match (at.as_counter(), at.as_select()) {
            (Some(number), _) => return Function::of_event_counter(number).write(value),
            (_, Some(number)) => return Function::of_select(number).write(value),
            (None, None) => {}
        }
        match at {
            SystemRegister::ENABLE_SET => {
                Hardware::synchronize();
                write_synchronized(|| msr!(value; "pmcntenset_el0"));
            }
            SystemRegister::ENABLE_CLEAR => write_synchronized(|| msr!(value; "pmcntenclr_el0")),
            SystemRegister::OVERFLOW_CLEAR => msr!(value; "pmovsclr_el0"),
            SystemRegister::INTERRUPT_SET => msr!(value; "pmintenset_el1"),
            SystemRegister::INTERRUPT_CLEAR => msr!(value; "pmintenclr_el1"),
            SystemRegister::CYCLES => msr!(value; "pmccntr_el0"),
            SystemRegister::CYCLE_FILTER => msr!(value; "pmccfiltr_el0"),
            SystemRegister::INSTRUCTIONS => msr!(value; "s3_3_c9_c4_0"),
            SystemRegister::INSTRUCTION_FILTER => msr!(value; "s3_3_c9_c6_0"),
            SystemRegister::SOFTWARE_INCREMENT => msr!(value; "pmswinc_el0"),
            _ => write_rarely(at, value),
        }
    }

    #[inline(always)]
    fn read_counter(&self, index: Index) -> u64 {
        Function::of_counter(index).read()
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        mrs!("cntvct_el0")
    }

    /// Masks IRQ, and not FIQ, which may be an NMI.
    #[inline(always)]
    fn mask(&self) -> Masked {
        let before = DAIF.get();
        // SAFETY: claim() promised a level that may mask interrupts. The immediate form sets no other bit. Without
        // `nomem` the compiler moves no memory access across.
        unsafe { asm!("msr daifset, #2", options(nostack, preserves_flags)) };
        Masked::from_bits(before)
    }

    #[inline(always)]
    fn unmask(&self, before: Masked) {
        if !DAIF::I.is_set(before.bits()) {
            // SAFETY: claim() promised a level that may unmask interrupts, and that they have their handlers.
            unsafe { asm!("msr daifclr, #2", options(nostack, preserves_flags)) };
        }
    }
}

/// Reads after all earlier writes have taken effect.
#[inline(always)]
fn read_synchronized<T>(read: impl FnOnce() -> T) -> T {
    Hardware::synchronize();
    read()
}

/// Writes, and returns when the write has taken effect.
#[inline(always)]
fn write_synchronized(write: impl FnOnce()) {
    write();
    Hardware::synchronize();
}

/// Reads a register that is used when a unit is detected, claimed or released.
#[cold]
#[inline(never)]
fn read_rarely(at: SystemRegister) -> u64 {
    if let Some(number) = at.as_select() {
        return Function::of_select(number).read();
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

/// Reads a register that identifies the unit. A write-only register reads as 0.
fn read_identity(at: SystemRegister) -> u64 {
    match at {
        SystemRegister::EVENTS_0 => mrs!("pmceid0_el0"),
        SystemRegister::EVENTS_1 => mrs!("pmceid1_el0"),
        SystemRegister::MACHINE => mrs!("s3_0_c9_c14_6"),
        SystemRegister::HYPERVISOR_CONTROL => MDCR_EL2.get(),
        SystemRegister::PROCESSOR => MIDR_EL1.get(),
        SystemRegister::PROCESSOR_FEATURES => ID_AA64PFR0_EL1.get(),
        SystemRegister::DEBUG_FEATURES_0 => ID_AA64DFR0_EL1.get(),
        SystemRegister::DEBUG_FEATURES_1 => ID_AA64DFR1_EL1.get(),
        SystemRegister::LEVEL => CurrentEL.get(),
        _ => 0,
    }
}

/// Writes a register that is used when a unit is claimed or released, or lent to user programs. Ignores
/// writes to read-only registers.
#[cold]
#[inline(never)]
fn write_rarely(at: SystemRegister, value: u64) {
    match at {
        SystemRegister::CONTROL => write_synchronized(|| msr!(value; "pmcr_el0")),
        SystemRegister::HYPERVISOR_CONTROL => write_synchronized(|| MDCR_EL2.set(value)),
        SystemRegister::OVERFLOW_SET => msr!(value; "pmovsset_el0"),
        SystemRegister::SELECTOR => msr!(value; "pmselr_el0"),
        SystemRegister::SELECTED_SELECT => msr!(value; "pmxevtyper_el0"),
        SystemRegister::SELECTED_COUNTER => msr!(value; "pmxevcntr_el0"),
        SystemRegister::ZERO => msr!(value; "s3_3_c9_c13_4"),
        SystemRegister::USER_ENABLE => msr!(value; "pmuserenr_el0"),
        SystemRegister::USER_ACCESS => msr!(value; "s3_0_c9_c14_4"),
        _ => {}
    }
}

/// Reads counters in a user program, without a system call.
#[derive(Clone, Copy, Debug)]
pub struct User(());

impl User {
    /// Claims the counters for reading.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used, the counters that are read exist and the kernel has
    /// opened them to EL0 ([`super::pmuv3::Pmuv3::open_user_reads`]); and for
    /// [`User::ticks`], the system counter (CNTKCTL_EL1.EL0VCTEN).
    #[must_use]
    pub const unsafe fn claim() -> Self {
        Self(())
    }

    /// Reads a counter.
    #[inline(always)]
    #[must_use]
    pub fn read(&self, index: Index) -> u64 {
        Function::of_counter(index).read()
    }

    /// Returns the system counter (CNTVCT_EL0).
    #[inline(always)]
    #[must_use]
    pub fn ticks(&self) -> u64 {
        mrs!("cntvct_el0")
    }
}
