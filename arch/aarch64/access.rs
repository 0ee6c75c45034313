//! How the unit's real registers are reached: the instructions themselves.
//!
//! A system register's number is part of the instruction that reaches it. A register that has a name
//! of its own costs that one instruction. For the numbered ones, the counters and what they count,
//! there is a table with a function for each number, of one instruction: to find its place takes one where
//! the table's address is known, and to call it four. The places are landing pads (BTI C), so that a
//! kernel may guard the table's pages (FEAT_BTI).
//!
//! The registers that are not the unit's are those of `aarch64-cpu`, which has none of the unit's.
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

/// This CPU's unit, by MRS and MSR.
///
/// It has no size if the kernel's value `K` has none: a driver over it costs what the instructions cost.
#[derive(Clone, Copy, Debug)]
pub struct Hardware<K = OneCpu>(K);

impl<K: Kernel> Hardware<K> {
    /// Takes this CPU's unit for `kernel`. This is the last `unsafe` that a kernel writes.
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
    pub const unsafe fn claim(kernel: K) -> Self {
        Self(kernel)
    }
}

/// Waits until what was written to system registers has its effect, and what is read from them
/// afterwards is read afterwards (ISB).
#[inline(always)]
pub fn synchronize() {
    barrier::isb(barrier::SY);
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

/// Two places of [`Place::SIZE`] for each of the numbers 0 to 31.
macro_rules! places {
    ($both:ident) => {
        places!($both: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31)
    };
    ($both:ident: $($number:tt)*) => {
        concat!($($both!($number),)*)
    };
}

/// One of them, to which a branch through a register may lead.
macro_rules! place {
    ($($instruction:tt),+) => {
        concat!("hint #34\n", $($instruction),+, "\nret\nnop\n")
    };
}

/// Where a register is read to X0, and where it is written from X0.
macro_rules! both {
    ($($name:tt),+) => {
        concat!(place!("mrs x0, ", $($name),+), place!("msr ", $($name),+, ", x0"))
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

/// The places of the counters 0 to 31, and of the instruction counter for every number beyond: a counter's is no
/// more than 63.
#[unsafe(naked)]
unsafe extern "C" fn counters() {
    naked_asm!(places!(both_of_counter), ".rept 32", both!("s3_3_c9_c4_0"), ".endr")
}

/// The places of what the counters 0 to 31 count.
#[unsafe(naked)]
unsafe extern "C" fn selects() {
    naked_asm!(places!(both_of_select))
}

/// Where a register is read and written by its number: an address in [`counters`] or [`selects`].
#[derive(Clone, Copy)]
struct Place(u64);

impl Place {
    /// Four instructions, in bytes.
    const SIZE: u64 = 16;

    #[inline(always)]
    fn of_counter(index: Index) -> Self {
        Self::of(counters, index.number())
    }

    /// One of the event counters 0 to 30.
    #[inline(always)]
    fn of_event_counter(number: u8) -> Self {
        Self::of(counters, number & 31)
    }

    #[inline(always)]
    fn of_select(number: u8) -> Self {
        Self::of(selects, number & 31)
    }

    /// A number has two places, 32 bytes. One instruction finds them, of which the compiler would make two.
    #[inline(always)]
    fn of(table: unsafe extern "C" fn(), number: u8) -> Self {
        let place;
        // SAFETY: it adds, and changes nothing else.
        unsafe {
            asm!("add {}, {}, {}, lsl #5", out(reg) place, in(reg) table as *const () as u64, in(reg) u64::from(number),
                options(pure, nomem, nostack, preserves_flags));
        }
        Self(place)
    }

    #[inline(always)]
    fn read(self) -> u64 {
        let value: u64;
        // SAFETY: there is an instruction that reads a register to X0, and one that returns. The call changes
        // X30; no stack is used, and claim() promised that the register may be read.
        unsafe {
            asm!("blr {}", in(reg) self.0, out("x0") value, out("x30") _, options(nostack, preserves_flags));
        }
        value
    }

    #[inline(always)]
    fn write(self, value: u64) {
        // SAFETY: as for `read`: one that writes what is in X0 to a register, and one that returns.
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
            synchronize();
            return Place::of_event_counter(number).read();
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
            (Some(number), _) => return Place::of_event_counter(number).write(value),
            (_, Some(number)) => return Place::of_select(number).write(value),
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
        Place::of_counter(index).read()
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        mrs!("cntvct_el0")
    }

    /// Masks IRQ alone: FIQ may be an NMI.
    #[inline(always)]
    fn mask(&self) -> Masked {
        let before = DAIF.get();
        // SAFETY: claim() promised a level that may mask interrupts. This is the instruction of the immediate, which
        // sets no other bit; without `nomem` the compiler moves no access to memory across.
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

/// What is read when a unit is found, taken over or given back.
#[cold]
#[inline(never)]
fn read_rarely(at: SystemRegister) -> u64 {
    if let Some(number) = at.as_select() {
        return Place::of_select(number).read();
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
        SystemRegister::HYPERVISOR_CONTROL => MDCR_EL2.get(),
        SystemRegister::PROCESSOR => MIDR_EL1.get(),
        SystemRegister::PROCESSOR_FEATURES => ID_AA64PFR0_EL1.get(),
        SystemRegister::DEBUG_FEATURES_0 => ID_AA64DFR0_EL1.get(),
        SystemRegister::DEBUG_FEATURES_1 => ID_AA64DFR1_EL1.get(),
        SystemRegister::LEVEL => CurrentEL.get(),
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
        SystemRegister::HYPERVISOR_CONTROL => effective(|| MDCR_EL2.set(value)),
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
        Place::of_counter(index).read()
    }

    /// The system counter, in ticks of its own.
    #[inline(always)]
    #[must_use]
    pub fn ticks(&self) -> u64 {
        mrs!("cntvct_el0")
    }
}
