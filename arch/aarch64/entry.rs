//! An entry for the overflow interrupt, for kernels that have none: from the vector table to a plain
//! function and back.
//!
//! The stub saves the registers that a call may change, hands over where the processor was, and
//! returns by ERET. It is what the vector of an IRQ (or of an FIQ) branches to; a table has 32
//! instructions of room for each vector, and a branch is one.
//!
//! What the kernel sees to:
//! - The function asks the interrupt controller which interrupt it is, and tells it when that was
//!   handled.
//! - The stack is the level's own (SP_EL1 or SP_EL2), aligned to 16 bytes, with 160 bytes of room
//!   and the function's.
//! - The function takes no exception of its own and does not let interrupts through: ELR and SPSR
//!   are left where they are.
//! - The kernel is compiled soft-float, as kernels' targets are, or the function uses no vector
//!   register: none is saved.

use core::arch::naked_asm;

use crate::event::Mode;
use crate::sample::Interrupted;

/// What the interrupt does. Made by [`crate::irq_entry`].
pub trait Handler {
    /// Called at each interrupt. MUST NOT allocate, lock, panic or use a vector register.
    fn handle(at: Interrupted);
}

/// The address that a vector of EL1 branches to.
#[must_use]
pub fn address<H: Handler>() -> u64 {
    stub::<H> as *const () as u64
}

/// The address that a vector of EL2 branches to.
#[must_use]
pub fn address_at_el2<H: Handler>() -> u64 {
    stub_at_el2::<H> as *const () as u64
}

/// A stub that reads where the processor was from these registers.
///
/// X0 to X18 and X30 are a call's to change ("Procedure Call Standard for the Arm 64-bit
/// Architecture", section 6.1.1, "General-purpose Registers").
macro_rules! stub {
    ($link:literal, $status:literal, $handler:ty) => {
        naked_asm!(
            "sub sp, sp, #160",
            "stp x0, x1, [sp]",
            "stp x2, x3, [sp, #16]",
            "stp x4, x5, [sp, #32]",
            "stp x6, x7, [sp, #48]",
            "stp x8, x9, [sp, #64]",
            "stp x10, x11, [sp, #80]",
            "stp x12, x13, [sp, #96]",
            "stp x14, x15, [sp, #112]",
            "stp x16, x17, [sp, #128]",
            "stp x18, x30, [sp, #144]",
            concat!("mrs x0, ", $link),
            concat!("mrs x1, ", $status),
            "bl {enter}",
            "ldp x18, x30, [sp, #144]",
            "ldp x16, x17, [sp, #128]",
            "ldp x14, x15, [sp, #112]",
            "ldp x12, x13, [sp, #96]",
            "ldp x10, x11, [sp, #80]",
            "ldp x8, x9, [sp, #64]",
            "ldp x6, x7, [sp, #48]",
            "ldp x4, x5, [sp, #32]",
            "ldp x2, x3, [sp, #16]",
            "ldp x0, x1, [sp]",
            "add sp, sp, #160",
            "eret",
            enter = sym enter::<$handler>,
        )
    };
}

#[unsafe(naked)]
unsafe extern "C" fn stub<H: Handler>() {
    stub!("elr_el1", "spsr_el1", H)
}

#[unsafe(naked)]
unsafe extern "C" fn stub_at_el2<H: Handler>() {
    stub!("elr_el2", "spsr_el2", H)
}

/// SPSR's M field has the level in bits 2 and 3; AArch32's user mode has 0 there. EL3 is never
/// interrupted by what is below it.
extern "C" fn enter<H: Handler>(address: u64, status: u64) {
    let mode = match status >> 2 & 0b11 {
        0 => Mode::User,
        1 => Mode::Kernel,
        _ => Mode::Hypervisor,
    };
    H::handle(Interrupted::new(address, mode));
}

/// Makes `$name::address()`, an entry for the vector table that calls `$handler` with an
/// [`Interrupted`](crate::Interrupted).
///
/// ```
/// # use pmu::Interrupted;
/// fn on_interrupt(at: Interrupted) {
///     let _ = at.address; // which interrupt? if INTERRUPT, UNIT.on_overflow(at); end of interrupt
/// }
///
/// pmu::irq_entry!(Irq, on_interrupt);
///
/// let target: u64 = Irq::address(); // where the vector branches to
/// # assert_ne!(target, 0);
/// ```
#[macro_export]
macro_rules! irq_entry {
    ($(#[$attribute:meta])* $vis:vis $name:ident, $handler:expr) => {
        $(#[$attribute])*
        /// The interrupt's entry.
        #[derive(Debug)]
        $vis struct $name;

        impl $crate::arch::aarch64::entry::Handler for $name {
            #[inline(always)]
            fn handle(at: $crate::Interrupted) {
                $handler(at);
            }
        }

        #[allow(dead_code, reason = "a kernel runs at one level")]
        impl $name {
            /// Where a vector of EL1 branches to.
            $vis fn address() -> u64 {
                $crate::arch::aarch64::entry::address::<Self>()
            }

            /// Where a vector of EL2 branches to.
            $vis fn address_at_el2() -> u64 {
                $crate::arch::aarch64::entry::address_at_el2::<Self>()
            }
        }
    };
}
