//! Access to the unit's real registers, and what a kernel promises for it.
//!
//! The number of a control and status register is part of the instruction. So there is a table with two functions of one
//! instruction each for every numbered register: the counters, and their selections. The others are accessed in place.
//!
//! # Indirect registers
//!
//! A supervisor's access to a delegated counter writes siselect, accesses sireg or another of its kind, and puts back what
//! was in siselect. So an interrupt may come between any two of these instructions and do the same, and a kernel that uses
//! siselect for its interrupt controller finds its number again.
//!
//! # The interrupt
//!
//! There is no entry for it, as there is for the firmware's software event ([`entry`](super::entry)). All traps of a hart
//! arrive at one place, which is the kernel's. So the kernel's own handler calls
//! [`Unit::on_overflow`](crate::Unit::on_overflow) for the local interrupt [LCOFI](super::hpm::Capabilities::INTERRUPT), with
//! mepc or sepc as the address. It clears the pending bit, unless it answers [`Handled::NotMine`](crate::Handled::NotMine)
//! because the unit is not claimed: then the kernel clears it, or the interrupt comes again.
//!
//! # The clock
//!
//! [`Registers::ticks`] is the register time. Where it does not exist, as in machine mode on some processors, a kernel
//! overrides [`Kernel::clock`].

mod csr;
pub(in crate::arch) mod door;
mod firmware;
mod records;

pub use firmware::Firmware;
pub use records::Records;

use core::arch::asm;

use super::Csr;
use super::csr::Form;
use super::hpm::Privilege;
use crate::contract::{Kernel, Masked, OneCpu, Registers};

/// This hart's unit, accessed by CSRR, CSRW, CSRS and CSRC.
#[derive(Clone, Copy, Debug)]
pub struct Hardware<K = OneCpu> {
    privilege: Privilege,
    kernel: K,
}

impl<K: Kernel> Hardware<K> {
    /// Claims this hart's unit for `kernel`, which runs in this mode.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - the hart is in machine mode, or for [`Privilege::Supervisor`] in supervisor mode, where the firmware has delegated
    ///   counters and lets the kernel use siselect;
    /// - every register that is used exists: the extensions and counters that are passed to detection are the hart's;
    /// - nobody else programs this hart's unit;
    /// - the interrupt has a handler that may run between any two instructions while it is unmasked, and that
    ///   returns with every register as it was.
    #[must_use]
    pub const unsafe fn claim(privilege: Privilege, kernel: K) -> Self {
        Self { privilege, kernel }
    }
}

/// Reads counters in a user program, without a system call.
#[cfg(target_pointer_width = "64")]
#[derive(Clone, Copy, Debug)]
pub struct User(());

#[cfg(target_pointer_width = "64")]
impl User {
    /// Claims the counters for reading.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used, the counters that are read exist and the kernel has lent them to the
    /// program ([`Pmu::lend`](crate::Pmu::lend)).
    #[must_use]
    pub const unsafe fn claim() -> Self {
        Self(())
    }

    /// Reads the counter with this number: cycle, instret or hpmcounter. Returns 0 if there is no such register.
    #[inline(always)]
    #[must_use]
    pub fn read(&self, number: u32) -> u64 {
        let at = u8::try_from(number).ok().and_then(Csr::user_counter);
        at.map_or(0, |at| csr::read_counter(at.number()) as u64)
    }
}

/// The bit of the interrupt enable: MIE in mstatus, SIE in sstatus.
const MIE: usize = 1 << 3;
const SIE: usize = 1 << 1;

impl<K: Kernel> Registers for Hardware<K> {
    type Address = Csr;
    type Index = Csr;
    type Kernel = K;

    #[inline(always)]
    fn kernel(&self) -> K {
        self.kernel
    }

    /// A register is read as a whole, however it is written.
    #[inline(always)]
    fn read(&self, at: Csr) -> u64 {
        match at.form() {
            Form::Indirect(register) => csr::read_indirect(register, at.number()) as u64,
            _ => csr::read(at.number()) as u64,
        }
    }

    #[inline(always)]
    fn write(&self, at: Csr, value: u64) {
        let value = value as usize;
        match at.form() {
            Form::Whole => csr::write(at.number(), value),
            Form::Setting => csr::set(at.number(), value),
            Form::Clearing => csr::clear(at.number(), value),
            Form::Indirect(register) => csr::write_indirect(register, at.number(), value),
        }
    }

    #[inline(always)]
    fn read_counter(&self, index: Csr) -> u64 {
        csr::read_counter(index.number()) as u64
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        csr::time()
    }

    #[inline(always)]
    fn mask(&self) -> Masked {
        let before = match self.privilege {
            Privilege::Machine => csr::clear_and_read::<0x300>(MIE) & MIE,
            Privilege::Supervisor => csr::clear_and_read::<0x100>(SIE) & SIE,
        };
        Masked::from_bits(before as u64)
    }

    /// Uses no other bit of `before`, because safe code can create any value.
    #[inline(always)]
    fn unmask(&self, before: Masked) {
        let before = before.bits() as usize;
        match self.privilege {
            Privilege::Machine => csr::set_bits::<0x300>(before & MIE),
            Privilege::Supervisor => csr::set_bits::<0x100>(before & SIE),
        }
    }

    /// An empty block that may access memory: the compiler moves no access across it.
    #[inline(always)]
    fn fence(&self) {
        // SAFETY: there is no instruction.
        unsafe { asm!("", options(nostack, preserves_flags)) };
    }
}
