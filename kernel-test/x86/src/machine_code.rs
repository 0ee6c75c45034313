//! The processor's instructions, as all of this kernel may use them: in ring 0, with a handler for every interrupt.

#[cfg(target_pointer_width = "32")]
pub use core::arch::x86::__cpuid;
#[cfg(target_pointer_width = "64")]
pub use core::arch::x86_64::__cpuid;

/// `sti`
#[inline(always)]
pub fn enable_interrupts() {
    // SAFETY: every interrupt has its handler.
    unsafe { x86::irq::enable() };
}

/// `cli`
#[inline(always)]
pub fn disable_interrupts() {
    // SAFETY: whoever waits for an interrupt enables it.
    unsafe { x86::irq::disable() };
}

/// `hlt`
pub fn halt() {
    // SAFETY: the processor waits for an interrupt.
    unsafe { x86::halt() };
}
