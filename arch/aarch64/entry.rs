//! An entry for the overflow interrupt, for kernels that have none: from the vector table to a plain
//! function and back.
//!
//! The stub saves the registers that a call may change, passes on where the processor was, and
//! returns by ERET. The vector of an IRQ or an FIQ branches to it. (A vector has room for 32 instructions, and a
//! branch is one.)
//!
//! The kernel makes sure of this:
//! - The function asks the interrupt controller which interrupt it is, and tells it when the interrupt has been
//!   handled.
//! - The stack is the level's own (SP_EL1 or SP_EL2), aligned to 16 bytes, with 160 bytes of room
//!   beside what the function needs.
//! - The function causes no exceptions and does not unmask interrupts: ELR and SPSR are not saved.
//! - The kernel is compiled for soft float, as kernel targets are, or the function uses no vector
//!   registers: none is saved.

use core::arch::naked_asm;

use crate::event::Mode;
use crate::sample::Interrupted;

/// The stub. It reads where the processor was from ELR and SPSR of `$level`, and executes `$more` before it
/// calls `$enter` with the frame pointer.
///
/// A call may change X0 to X18 and X30 ("Procedure Call Standard for the Arm 64-bit
/// Architecture", section 6.1.1, "General-purpose Registers"). X29, the frame pointer, still has its old value.
macro_rules! stub {
    ($level:literal, $enter:path $(, $more:literal)*) => {
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
            concat!("mrs x0, elr_", $level),
            concat!("mrs x1, spsr_", $level),
            $($more,)*
            "mov x2, x29",
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

/// The handler of the interrupt. [`crate::irq_entry`] implements it.
pub trait Handler {
    /// Called for each interrupt, with the frame pointer of the interrupted code, where
    /// [`Frames`](crate::samples::chain::Frames) begins. MUST NOT allocate, lock, panic or use a vector register.
    fn handle(at: Interrupted, frame_pointer: u64);

    /// The target of a vector of EL1, for a table of vectors that is written in assembly: `b {entry}`, with
    /// `entry = sym <Name as Handler>::stub`.
    ///
    /// # Safety
    /// It MUST NOT be called: it returns from an exception.
    #[unsafe(naked)]
    unsafe extern "C" fn stub()
    where
        Self: Sized,
    {
        // The interrupted code was at EL1 or EL0. Bit 2 of SPSR's field M is 1 for EL1, and 0 for EL0 in
        // both states (DDI 0487, "SPSR_EL1").
        stub!("el1", enter::<Self>, "ubfx x1, x1, #2, #1")
    }

    /// Like [`stub`](Self::stub), for a vector of EL2 of a hypervisor.
    ///
    /// # Safety
    /// It MUST NOT be called: it returns from an exception.
    #[unsafe(naked)]
    unsafe extern "C" fn stub_at_el2()
    where
        Self: Sized,
    {
        stub!("el2", enter_at_el2::<Self>)
    }

    /// Like [`stub`](Self::stub), for a vector of EL2 of a kernel that runs there (FEAT_VHE).
    ///
    /// # Safety
    /// It MUST NOT be called: it returns from an exception.
    #[unsafe(naked)]
    unsafe extern "C" fn stub_of_host()
    where
        Self: Sized,
    {
        // All code that is not at EL0 is the kernel's. M[3:0] is 0 for EL0 in both states (DDI 0487, "SPSR_EL2").
        stub!("el2", enter::<Self>, "tst x1, #0xf", "cset x1, ne")
    }
}

/// Calls the handler. It is a function of its own, because the stubs of all levels call it.
///
/// # Safety
/// `level` is 0, 1 or 2.
#[inline(never)]
unsafe extern "C" fn enter<H: Handler>(address: u64, level: u64, frame_pointer: u64) {
    let mode = match level {
        0 => Mode::User,
        1 => Mode::Kernel,
        2 => Mode::Hypervisor,
        // SAFETY: the caller promised that there are no other values.
        _ => unsafe { core::hint::unreachable_unchecked() },
    };
    H::handle(Interrupted::new(address, mode), frame_pointer);
}

/// In AArch32 state, M\[4\], SPSR's field M is a mode: 10H is the user's and all others are EL1's. In AArch64 state
/// bits 2 and 3 are the level (DDI 0487, "SPSR_EL2").
extern "C" fn enter_at_el2<H: Handler>(address: u64, status: u64, frame_pointer: u64) {
    let level = match status & 0b1_1111 {
        0b1_0000 => 0,
        0b1_0001.. => 1,
        mode => (mode >> 2).min(2),
    };
    // SAFETY: it is one of these.
    unsafe { enter::<H>(address, level, frame_pointer) }
}

/// Defines `$name::address()`, an entry for the vector table that calls `$handler` with an
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
///
/// In a table of vectors that is written in assembly:
///
/// ```
/// # pmu::irq_entry!(Irq, |_at| ());
/// use pmu::arch::aarch64::entry::Handler;
///
/// core::arch::global_asm!(
///     ".balign 128",
///     "b {entry}",
///     entry = sym Irq::stub,
/// );
/// ```
///
/// After `framed:` stands a handler that also gets the frame pointer of the interrupted code, where a walk to its callers
/// begins:
///
/// ```
/// use pmu::Interrupted;
/// use pmu::samples::chain::Frames;
///
/// fn on_interrupt(at: Interrupted, frame_pointer: u64) {
///     let frames = Frames::anywhere(frame_pointer); // or within the stack that the kernel knows
///     let _ = (at, frames); // UNIT.on_overflow_chained(at, &CHAINS, |callers| frames.walk(callers, read))
/// }
///
/// pmu::irq_entry!(Irq, framed: on_interrupt);
/// ```
///
/// That is for a kernel at EL1. `$name::address_at_el2()` is for a hypervisor: the interrupted code may be at EL2,
/// which is [`Mode::Hypervisor`](crate::Mode), EL1 or EL0. `$name::address_of_host()` is for a kernel that
/// runs at EL2 with its user programs at EL0 (FEAT_VHE; HCR_EL2.E2H and TGE): its own code is
/// [`Mode::Kernel`](crate::Mode). There the names of EL1's registers access those of EL2, with EL2's contents, so
/// that `$name::address()` would take the kernel for a user program.
#[macro_export]
macro_rules! irq_entry {
    ($(#[$attribute:meta])* $vis:vis $name:ident, framed: $handler:expr) => {
        $(#[$attribute])*
        /// The interrupt's entry.
        #[derive(Debug)]
        $vis struct $name;

        impl $crate::arch::aarch64::entry::Handler for $name {
            #[inline(always)]
            fn handle(at: $crate::Interrupted, frame_pointer: u64) {
                $handler(at, frame_pointer);
            }
        }

        #[allow(dead_code, reason = "a kernel runs at one level")]
        impl $name {
            /// Returns the address that a vector of EL1 branches to.
            $vis fn address() -> u64 {
                <Self as $crate::arch::aarch64::entry::Handler>::stub as *const () as u64
            }

            /// Returns the address that a vector of EL2 branches to, for a hypervisor.
            $vis fn address_at_el2() -> u64 {
                <Self as $crate::arch::aarch64::entry::Handler>::stub_at_el2 as *const () as u64
            }

            /// Returns the address that a vector of EL2 branches to, for a kernel that runs there (FEAT_VHE).
            $vis fn address_of_host() -> u64 {
                <Self as $crate::arch::aarch64::entry::Handler>::stub_of_host as *const () as u64
            }
        }
    };
    ($(#[$attribute:meta])* $vis:vis $name:ident, $handler:expr) => {
        $crate::irq_entry! {
            $(#[$attribute])* $vis $name, framed: |at: $crate::Interrupted, _: u64| $handler(at)
        }
    };
}
