//! The unit of a hart by calls to the firmware, and the registers that the supervisor has itself.

use core::arch::asm;

use super::csr;
use crate::arch::riscv::Csr;
use crate::arch::riscv::csr::Form;
use crate::arch::riscv::sbi::{Address, Call, SbiError};
use crate::contract::{Kernel, Masked, OneCpu, Registers};

/// This hart's unit as its firmware has it: ECALL, and CSRR of the counters.
#[derive(Clone, Copy, Debug)]
pub struct Firmware<K = OneCpu> {
    kernel: K,
}

/// The interrupt enable in sstatus.
const SIE: usize = 1 << 1;
const NARROW: bool = cfg!(target_pointer_width = "32");

impl<K: Kernel> Firmware<K> {
    /// Claims this hart's unit for `kernel`, which runs in supervisor mode.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - the hart is in supervisor mode, under a firmware that answers calls of the SBI and lets the supervisor read the
    ///   counters that it describes;
    /// - nobody else programs this hart's unit;
    /// - the interrupt has a handler that may run between any two instructions while it is unmasked, and that returns with
    ///   every register as it was;
    /// - for [`Line::Software`](crate::arch::riscv::hpm::sbi::Line) the software event has such a handler registered, which
    ///   may run between any two instructions.
    #[must_use]
    pub const unsafe fn claim(kernel: K) -> Self {
        Self { kernel }
    }
}

impl Firmware {
    /// Registers the handler of the software event 0x10000, which a claim with
    /// [`Line::Software`](crate::arch::riscv::hpm::sbi::Line) enables. It is a matter of the hart that this runs on.
    ///
    /// The firmware goes to `entry` whatever the supervisor is doing, with interrupts off, `argument` in A7, and the address that
    /// was interrupted in sepc. Every other register is the interrupted code's. The handler calls
    /// [`Unit::on_overflow`](crate::Unit::on_overflow), and ends by the call `sse_complete` (extension 0x535345, function 6), which
    /// goes on where the event came. [`event_entry`](crate::event_entry) makes such a handler.
    ///
    /// # Errors
    /// [`SbiError::NotSupported`] where the firmware has no software events; what else the firmware answers.
    ///
    /// # Safety
    /// - The hart is in supervisor mode under a firmware that answers calls of the SBI.
    /// - `entry` is such a handler: it has a stack of its own, and keeps every register but A6 and A7.
    pub unsafe fn register_event(entry: usize, argument: usize) -> Result<(), SbiError> {
        const REGISTER: usize = 2;
        let error: isize;
        // SAFETY: the caller promised a firmware, and a handler.
        unsafe {
            asm!(
                "ecall",
                inlateout("a0") 0x1_0000_usize => error,
                inlateout("a1") entry => _,
                in("a2") argument,
                in("a6") REGISTER,
                in("a7") 0x53_5345_usize,
                options(nostack),
            );
        }
        if error == 0 { Ok(()) } else { Err(SbiError::of(i8::try_from(error).unwrap_or(-1))) }
    }
}

/// Makes a call. The firmware keeps all registers but A0 and A1 (SBI specification, "Binary Encoding").
#[inline(always)]
fn call(call: Call) -> u64 {
    let frame = call.frame(NARROW);
    let [a0, a1, a2, a3, a4, a5] = frame.arguments;
    let (error, value): (isize, usize);
    // SAFETY: claim() promised a firmware that answers calls. None of these calls changes memory of the supervisor, and the
    // unit is ours.
    unsafe {
        asm!(
            "ecall",
            inlateout("a0") a0 as usize => error,
            inlateout("a1") a1 as usize => value,
            in("a2") a2 as usize,
            in("a3") a3 as usize,
            in("a4") a4 as usize,
            in("a5") a5 as usize,
            in("a6") frame.function as usize,
            in("a7") frame.extension as usize,
            options(nostack),
        );
    }
    match error {
        0 => value as u64,
        error => SbiError::pack(Err(SbiError::of(i8::try_from(error).unwrap_or(-1)))),
    }
}

impl<K: Kernel> Registers for Firmware<K> {
    type Address = Address;
    type Index = Csr;
    type Kernel = K;

    #[inline(always)]
    fn kernel(&self) -> K {
        self.kernel
    }

    #[inline(always)]
    fn read(&self, at: Address) -> u64 {
        match at {
            Address::Call(made) => call(made),
            Address::Csr(at) => csr::read(at.number()) as u64,
        }
    }

    /// A call is no register, and is not written.
    #[inline(always)]
    fn write(&self, at: Address, value: u64) {
        let Address::Csr(at) = at else { return };
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
        Masked::from_bits((csr::clear_and_read::<0x100>(SIE) & SIE) as u64)
    }

    /// Uses no other bit of `before`, because safe code can create any value.
    #[inline(always)]
    fn unmask(&self, before: Masked) {
        csr::set_bits::<0x100>(before.bits() as usize & SIE);
    }

    /// An empty block that may access memory: the compiler moves no access across it.
    #[inline(always)]
    fn fence(&self) {
        // SAFETY: there is no instruction.
        unsafe { asm!("", options(nostack, preserves_flags)) };
    }
}
