//! Masks ordinary interrupts: MSR\[EE\], by MFMSR and MTMSR.

use core::arch::asm;

use crate::contract::Masked;

/// MSR\[EE\] (Power ISA Book III, "Machine State Register"), the same on every one of these processors.
const EXTERNAL: usize = 1 << 15;

/// The machine state register.
#[inline(always)]
pub(super) fn read() -> usize {
    let value;
    // SAFETY: both claims promised supervisor state, where reading MSR has no effect. `nomem` is left out so that the
    // compiler keeps what comes before and after where it is.
    unsafe { asm!("mfmsr {}", out(reg) value, options(nostack, preserves_flags)) };
    value
}

/// Where registers have 64 bits, MTMSR with L = 1 changes only EE and RI. Elsewhere it writes the whole register.
#[inline(always)]
fn write(value: usize) {
    // SAFETY: both claims promised supervisor state, and callers change no bit but EE.
    unsafe {
        asm!("mtmsr {}, {few}", in(reg) value, few = const (usize::BITS == 64) as usize, options(nostack, preserves_flags));
    }
}

#[inline(always)]
pub(super) fn mask() -> Masked {
    let before = read();
    write(before & !EXTERNAL);
    Masked::from_bits(before as u64)
}

/// Uses no other bit of `before`, because safe code can create any value.
#[inline(always)]
pub(super) fn unmask(before: Masked) {
    write(read() | before.bits() as usize & EXTERNAL);
}
