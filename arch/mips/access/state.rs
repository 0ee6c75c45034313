//! Masks ordinary interrupts: Status\[IE\], by MFC0 and MTC0, which every one of these processors has.

use core::arch::asm;

use super::cp0;
use crate::contract::Masked;

/// Status\[IE\] ("MIPS32 Architecture For Programmers, volume III", "Status Register").
const ENABLED: u32 = 1 << 0;

#[inline(always)]
fn read() -> u32 {
    cp0::read_system::<12, 0>()
}

#[inline(always)]
fn write(value: u32) {
    cp0::write_status(value);
    barrier();
}

#[inline(always)]
pub(super) fn mask() -> Masked {
    let before = read();
    write(before & !ENABLED);
    Masked::from_bits(before.into())
}

/// Uses no other bit of `before`, because safe code can create any value.
#[inline(always)]
pub(super) fn unmask(before: Masked) {
    write(read() | before.bits() as u32 & ENABLED);
}

/// Keeps the compiler from moving memory accesses. For the compiler's own fence LLVM emits SYNC, which waits until other
/// CPUs have seen every store. A thread and the interrupt on its own CPU do not need that. An empty assembly block that may
/// access memory is enough.
#[inline(always)]
pub(super) fn fence() {
    // SAFETY: there is no instruction.
    unsafe { asm!("", options(nostack, preserves_flags)) };
}

/// Waits until a write to coprocessor 0 has taken effect.
///
/// From release 2 of the architecture on that is EHB ("MIPS32 Architecture For Programmers, volume II", "EHB"). To earlier
/// processors that is a NOP, and as many SSNOP must be there as the pipeline has stages for it: three, of those that this
/// family has (torvalds/linux arch/mips/include/asm/hazards.h). R10000 waits by itself.
#[inline(always)]
pub(super) fn barrier() {
    // SAFETY: these change no register.
    unsafe {
        asm!("sll $0, $0, 1", "sll $0, $0, 1", "sll $0, $0, 1", "sll $0, $0, 3", options(nostack, preserves_flags))
    };
}
