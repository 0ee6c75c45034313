//! An NMI entry for kernels that have none: from the interrupt descriptor table to a plain
//! function and back.
//!
//! The stub saves the registers that a call may change, passes on where the processor was, and
//! returns by IRET: 24 instructions around the handler with registers of 64 bits, 29 with 32.
//!
//! The kernel makes sure of this:
//! - The gate in the interrupt descriptor table is an interrupt gate for vector 2. With 64 bits it has a stack of
//!   its own (IST): without one, an NMI between SYSCALL and the switch of stacks would run on the
//!   user's stack. With 32 bits the NMI runs on the stack that it finds in ring 0, or that the task state segment
//!   names for interrupts of ring 3. So SYSENTER's stack (IA32_SYSENTER_ESP) has room for an NMI too: 4 KiB, or 16 KiB
//!   in a kernel that is compiled without optimisation.
//! - The stub does not use GS, so that no SWAPGS is needed. The handler MUST NOT use it either, because
//!   GS may be the user's. With 32 bits that is true of FS too; DS and ES become what SS is, which is the kernel's
//!   segment for data, and get their values back.
//! - The kernel is compiled for soft float, as kernel targets are, or the handler uses no vector
//!   registers: none is saved.
//! - IRET unblocks NMIs, so the handler MUST NOT cause exceptions.
//! - If user programs have page tables of their own, the stub and its stack are mapped in both.

#[cfg(target_pointer_width = "32")]
mod narrow;
#[cfg(target_pointer_width = "64")]
mod wide;

#[cfg(target_pointer_width = "32")]
use narrow::stub;
#[cfg(target_pointer_width = "64")]
use wide::stub;

use crate::event::Mode;
use crate::sample::Interrupted;

/// The handler of an NMI. [`crate::nmi_entry`] implements it.
pub trait Handler {
    /// Called for each NMI, with the frame pointer of the interrupted code, where
    /// [`Frames`](crate::samples::chain::Frames) begins. MUST NOT allocate, lock, panic or use a vector register.
    fn handle(at: Interrupted, frame_pointer: u64);

    /// Returns the address for the gate in the interrupt descriptor table.
    #[must_use]
    fn address() -> u64
    where
        Self: Sized,
    {
        stub::<Self> as *const () as u64
    }
}

/// The low two bits of CS are the ring.
#[inline(always)]
const fn interrupted(address: u64, segment: u64) -> Interrupted {
    Interrupted::new(address, if segment & 3 == 0 { Mode::Kernel } else { Mode::User })
}

/// Defines `$name::address()`, an NMI entry that calls `$handler` with an
/// [`Interrupted`](crate::Interrupted).
///
/// ```
/// # use pmu::Interrupted;
/// fn on_nmi(at: Interrupted) {
///     let _ = at.address; // UNIT.on_overflow(at), and then whoever else NMIs are for
/// }
///
/// pmu::nmi_entry!(Nmi, on_nmi);
///
/// let gate: u64 = Nmi::address(); // for vector 2 of the interrupt descriptor table
/// # assert_ne!(gate, 0);
/// ```
///
/// The table may be in another module: a visibility before the name, and attributes, apply to
/// `$name` and its address.
///
/// ```
/// mod interrupts {
///     pmu::nmi_entry! {
///         /// Samples the kernel.
///         #[derive(Clone, Copy)]
///         pub(crate) Nmi, |_at| ()
///     }
/// }
///
/// let gate: u64 = interrupts::Nmi::address();
/// # assert_ne!(gate, 0);
/// ```
///
/// After `framed:` stands a handler that also gets the frame pointer of the interrupted code, where a walk to its callers
/// begins:
///
/// ```
/// use pmu::Interrupted;
/// use pmu::samples::chain::Frames;
///
/// fn on_nmi(at: Interrupted, frame_pointer: u64) {
///     let frames = Frames::anywhere(frame_pointer); // or within the stack that the kernel knows
///     let _ = (at, frames); // UNIT.on_overflow_chained(at, &CHAINS, |callers| frames.walk(callers, read))
/// }
///
/// pmu::nmi_entry!(Nmi, framed: on_nmi);
///
/// let gate: u64 = Nmi::address(); // for vector 2 of the interrupt descriptor table
/// # assert_ne!(gate, 0);
/// ```
#[macro_export]
macro_rules! nmi_entry {
    ($(#[$attribute:meta])* $vis:vis $name:ident, framed: $handler:expr) => {
        $(#[$attribute])*
        /// The NMI entry.
        #[derive(Debug)]
        $vis struct $name;

        impl $crate::arch::x86::entry::Handler for $name {
            #[inline(always)]
            fn handle(at: $crate::Interrupted, frame_pointer: u64) {
                $handler(at, frame_pointer);
            }
        }

        impl $name {
            /// Returns the address for the gate in the interrupt descriptor table.
            $vis fn address() -> u64 {
                <Self as $crate::arch::x86::entry::Handler>::address()
            }
        }
    };
    ($(#[$attribute:meta])* $vis:vis $name:ident, $handler:expr) => {
        $crate::nmi_entry! {
            $(#[$attribute])* $vis $name, framed: |at: $crate::Interrupted, _: u64| $handler(at)
        }
    };
}
