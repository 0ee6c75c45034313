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
/// What interrupts EL1 is below it, or is it: bit 2 of SPSR's field M is 1 of EL1, and 0 of EL0 in
/// either state (DDI 0487, "SPSR_EL1").
///
/// X0 to X18 and X30 are a call's to change ("Procedure Call Standard for the Arm 64-bit
/// Architecture", section 6.1.1, "General-purpose Registers").
macro_rules! stub {
    ($link:literal, $status:literal, $enter:path) => {
        stub!($link, $status, "", $enter)
    };
    ($link:literal, $status:literal, $level:literal, $enter:path) => {
        naked_asm!(
            "stp x0, x1, [sp, #-160]!",
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
            $level,
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
            "ldp x0, x1, [sp], #160",
            "eret",
            enter = sym $enter,
        )
    };
}

#[unsafe(naked)]
unsafe extern "C" fn stub<H: Handler>() {
    stub!("elr_el1", "spsr_el1", "ubfx x1, x1, #2, #1", enter::<H>)
}

#[unsafe(naked)]
unsafe extern "C" fn stub_at_el2<H: Handler>() {
    stub!("elr_el2", "spsr_el2", enter_at_el2::<H>)
}

/// By itself, so that the handler is in it: both levels' stubs lead here.
///
/// # Safety
/// `level` is 0, 1 or 2.
#[inline(never)]
unsafe extern "C" fn enter<H: Handler>(address: u64, level: u64) {
    let mode = match level {
        0 => Mode::User,
        1 => Mode::Kernel,
        2 => Mode::Hypervisor,
        // SAFETY: the caller promised that it is none of these.
        _ => unsafe { core::hint::unreachable_unchecked() },
    };
    H::handle(Interrupted::new(address, mode));
}

/// In AArch32 state, M\[4\], SPSR's field M is a mode, of which 10H is the user's and all others are
/// EL1's; in AArch64 state it has the level in bits 2 and 3 (DDI 0487, "SPSR_EL2").
extern "C" fn enter_at_el2<H: Handler>(address: u64, status: u64) {
    let level = match status & 0b1_1111 {
        0b1_0000 => 0,
        0b1_0001.. => 1,
        mode => (mode >> 2).min(2),
    };
    // SAFETY: it is one of these.
    unsafe { enter::<H>(address, level) }
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
