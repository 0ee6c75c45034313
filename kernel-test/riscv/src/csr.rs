//! The control and status registers that are no unit's, by the names that the assembler knows: those of machine mode and of
//! supervisor mode in pairs, of which the kernel uses that of its own mode.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use pmu::arch::riscv::hpm::Privilege;

static IS_SUPERVISOR: AtomicBool = AtomicBool::new(false);

/// The kernel runs in this mode from now on.
pub fn run_in(privilege: Privilege) {
    IS_SUPERVISOR.store(privilege == Privilege::Supervisor, Relaxed);
}

/// Does the kernel run in machine mode?
#[inline(always)]
pub fn is_machine() -> bool {
    !IS_SUPERVISOR.load(Relaxed)
}

/// The mode that the kernel runs in.
#[inline(always)]
pub fn privilege() -> Privilege {
    if is_machine() { Privilege::Machine } else { Privilege::Supervisor }
}

/// One instruction with a register's value behind it: `csrw`, `csrs` or `csrc`.
macro_rules! put {
    ($instruction:literal, $register:literal, $value:expr) => {{
        let value: usize = $value;
        // SAFETY: whoever writes this here knows that the kernel goes on with it.
        unsafe { core::arch::asm!(concat!($instruction, " ", $register, ", {}"), in(reg) value, options(nostack)) };
    }};
    ($instruction:literal, $machine:literal or $supervisor:literal, $value:expr) => {
        if $crate::csr::is_machine() {
            $crate::csr::put!($instruction, $machine, $value)
        } else {
            $crate::csr::put!($instruction, $supervisor, $value)
        }
    };
}

/// Reads a register.
macro_rules! get {
    ($register:literal) => {{
        let value: usize;
        // SAFETY: reading it changes nothing.
        unsafe { core::arch::asm!(concat!("csrr {}, ", $register), out(reg) value, options(nostack)) };
        value
    }};
    ($machine:literal or $supervisor:literal) => {
        if $crate::csr::is_machine() { $crate::csr::get!($machine) } else { $crate::csr::get!($supervisor) }
    };
}

pub(crate) use {get, put};

/// Interrupts are let through: mstatus\[MIE\] and sstatus\[SIE\].
pub const fn interrupts(is_machine: bool) -> usize {
    if is_machine { 1 << 3 } else { 1 << 1 }
}

/// Lets interrupts through.
pub fn let_in() {
    put!("csrs", "mstatus" or "sstatus", interrupts(is_machine()));
}

/// Keeps interrupts out.
pub fn keep_out() {
    put!("csrc", "mstatus" or "sstatus", interrupts(is_machine()));
}

/// Which mode was interrupted, and whether interrupts are let through again: mstatus\[MPP\], sstatus\[SPP\], MPIE, SPIE.
pub const fn previous(is_machine: bool) -> usize {
    if is_machine { 3 << 11 } else { 1 << 8 }
}

/// See [`previous`].
pub const fn lets_in_again(is_machine: bool) -> usize {
    if is_machine { 1 << 7 } else { 1 << 5 }
}

/// The number of the timer's interrupt.
pub fn timer() -> usize {
    if is_machine() { 7 } else { 5 }
}

/// The clock (time).
pub fn time() -> u64 {
    #[cfg(target_pointer_width = "64")]
    return get!("time") as u64;
    #[cfg(target_pointer_width = "32")]
    loop {
        let (high, low) = (get!("timeh"), get!("time"));
        if get!("timeh") == high {
            return (high as u64) << 32 | low as u64;
        }
    }
}
