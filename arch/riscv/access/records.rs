//! The records of this hart's branches, over the instructions.

use core::arch::asm;
use core::convert::Infallible;

use super::Hardware;
use super::csr::{csrr, csrw, time};
use crate::arch::riscv::hpm::Privilege;
use crate::arch::riscv::hpm::ctr::Register;
use crate::contract::{Kernel, Masked, OneCpu, Registers};

/// This hart's control transfer records, accessed by CSRR, CSRW and SCTRCLR.
#[derive(Clone, Copy, Debug)]
pub struct Records<K = OneCpu> {
    of_hart: Hardware<K>,
}

impl<K: Kernel> Records<K> {
    /// Claims this hart's records for `kernel`, which runs in this mode.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - the hart is in machine mode and has Smctr, or for [`Privilege::Supervisor`] it is in supervisor mode and has Ssctr,
    ///   and nothing keeps its registers from the kernel (mstateen0 and hstateen0, bits 54 and 60);
    /// - nobody else programs this hart's records;
    /// - interrupts return with every register as it was, siselect among them.
    #[must_use]
    pub const unsafe fn claim(privilege: Privilege, kernel: K) -> Self {
        // SAFETY: of the hart's other registers, the interrupt enable alone is used.
        Self { of_hart: unsafe { Hardware::claim(privilege, kernel) } }
    }
}

impl<K: Kernel> Registers for Records<K> {
    type Address = Register;
    type Index = Infallible;
    type Kernel = K;

    #[inline(always)]
    fn kernel(&self) -> K {
        self.of_hart.kernel()
    }

    #[inline(always)]
    fn read(&self, at: Register) -> u64 {
        (match at {
            Register::Mctrctl => csrr::<0x34E>(),
            Register::Sctrctl => csrr::<0x14E>(),
            Register::Sctrstatus => csrr::<0x14F>(),
            Register::Sctrdepth => csrr::<0x15F>(),
            Register::Siselect => csrr::<0x150>(),
            Register::Sireg => csrr::<0x151>(),
            Register::Sireg2 => csrr::<0x152>(),
            Register::Sireg3 => csrr::<0x153>(),
            Register::Sctrclr => 0,
        }) as u64
    }

    #[inline(always)]
    fn write(&self, at: Register, value: u64) {
        let value = value as usize;
        match at {
            Register::Mctrctl => csrw::<0x34E>(value),
            Register::Sctrctl => csrw::<0x14E>(value),
            Register::Sctrstatus => csrw::<0x14F>(value),
            Register::Sctrdepth => csrw::<0x15F>(value),
            Register::Siselect => csrw::<0x150>(value),
            Register::Sireg => csrw::<0x151>(value),
            Register::Sireg2 => csrw::<0x152>(value),
            Register::Sireg3 => csrw::<0x153>(value),
            Register::Sctrclr => clear(),
        }
    }

    #[inline(always)]
    fn read_counter(&self, index: Infallible) -> u64 {
        match index {}
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        time()
    }

    #[inline(always)]
    fn mask(&self) -> Masked {
        self.of_hart.mask()
    }

    #[inline(always)]
    fn unmask(&self, before: Masked) {
        self.of_hart.unmask(before);
    }

    #[inline(always)]
    fn fence(&self) {
        self.of_hart.fence();
    }
}

/// SCTRCLR, which assemblers may not know.
#[inline(always)]
fn clear() {
    // SAFETY: claim() promised that the instruction exists, and that the records are ours.
    unsafe { asm!(".4byte 0x10400073", options(nostack, preserves_flags)) };
}
