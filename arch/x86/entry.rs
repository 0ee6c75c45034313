//! An NMI entry for kernels that have none: from the interrupt descriptor table to a plain
//! function and back.
//!
//! The stub saves the registers that a call may change, hands over where the processor was, and
//! returns by IRETQ: 23 instructions around the handler.
//!
//! What the kernel sees to:
//! - The gate in the interrupt descriptor table is an interrupt gate for vector 2 with a stack of
//!   its own (IST), or an NMI that comes between SYSCALL and the switch of stacks runs on the
//!   user's.
//! - Nothing here is relative to GS, so that no SWAPGS is needed; the handler keeps to that, as
//!   GS may be the user's.
//! - The kernel is compiled soft-float, as kernels' targets are, or the handler uses no vector
//!   register: none is saved.
//! - IRETQ lets the next NMI through: the handler takes no exception of its own.
//! - With separate page tables for user programs, the stub and its stack are mapped in both.

use core::arch::naked_asm;

use crate::event::Mode;
use crate::sample::Interrupted;

/// What an NMI does. Made by [`crate::nmi_entry`].
pub trait Handler {
    /// Called at each NMI. MUST NOT allocate, lock, panic or use a vector register.
    fn handle(at: Interrupted);
}

/// The same, of a handler that wants to know who called. Made by [`crate::nmi_entry_framed`].
pub trait FramedHandler {
    /// Called at each NMI, with the frame pointer of the code that was interrupted: what is walked by
    /// [`Frames`](crate::chain::Frames). MUST NOT allocate, lock, panic or use a vector register.
    fn handle(at: Interrupted, frame_pointer: u64);
}

/// The address for the interrupt descriptor table's gate.
#[must_use]
pub fn address<H: Handler>() -> u64 {
    stub::<H> as *const () as u64
}

/// The same, of a handler that wants to know who called.
#[must_use]
pub fn framed_address<H: FramedHandler>() -> u64 {
    framed_stub::<H> as *const () as u64
}

/// A stub that calls `$enter` with RIP and CS, and with whatever `$more` puts into RDX.
///
/// SDM vol. 3, "Interrupt and Exception Handling", section "64-Bit Mode Stack Frame": RIP, CS,
/// RFLAGS, RSP and SS are on a stack that was aligned to 16 bytes before they were pushed. Nine
/// registers later it is again.
macro_rules! stub {
    ($enter:path $(, $more:literal)?) => {
        naked_asm!(
            "push rax",
            "push rcx",
            "push rdx",
            "push rsi",
            "push rdi",
            "push r8",
            "push r9",
            "push r10",
            "push r11",
            "cld",
            "mov rdi, [rsp + 72]",
            "mov rsi, [rsp + 80]",
            $($more,)?
            "call {enter}",
            "pop r11",
            "pop r10",
            "pop r9",
            "pop r8",
            "pop rdi",
            "pop rsi",
            "pop rdx",
            "pop rcx",
            "pop rax",
            "iretq",
            enter = sym $enter,
        )
    };
}

#[unsafe(naked)]
unsafe extern "C" fn stub<H: Handler>() {
    stub!(enter::<H>)
}

/// RBP is what it was: a call keeps it, and the stub does not use it.
#[unsafe(naked)]
unsafe extern "C" fn framed_stub<H: FramedHandler>() {
    stub!(enter_framed::<H>, "mov rdx, rbp")
}

/// The low two bits of CS are the ring.
#[inline(always)]
const fn interrupted(address: u64, segment: u64) -> Interrupted {
    Interrupted::new(address, if segment & 3 == 0 { Mode::Kernel } else { Mode::User })
}

extern "sysv64" fn enter<H: Handler>(address: u64, segment: u64) {
    H::handle(interrupted(address, segment));
}

extern "sysv64" fn enter_framed<H: FramedHandler>(address: u64, segment: u64, frame_pointer: u64) {
    H::handle(interrupted(address, segment), frame_pointer);
}

/// Makes `$name::address()`, an NMI entry that calls `$handler` with an
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
/// The table may be in another module: a visibility before the name, and attributes, go to
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
#[macro_export]
macro_rules! nmi_entry {
    ($(#[$attribute:meta])* $vis:vis $name:ident, $handler:expr) => {
        $(#[$attribute])*
        /// The NMI entry.
        #[derive(Debug)]
        $vis struct $name;

        impl $crate::arch::x86::entry::Handler for $name {
            #[inline(always)]
            fn handle(at: $crate::Interrupted) {
                $handler(at);
            }
        }

        impl $name {
            /// The address for the interrupt descriptor table's gate.
            $vis fn address() -> u64 {
                $crate::arch::x86::entry::address::<Self>()
            }
        }
    };
}

/// Makes an NMI entry as [`nmi_entry`](crate::nmi_entry) does, of a handler that also gets the frame
/// pointer of the code that was interrupted: where a walk to its callers begins.
///
/// ```
/// use pmu::Interrupted;
/// use pmu::chain::Frames;
///
/// fn on_nmi(at: Interrupted, frame_pointer: u64) {
///     let frames = Frames::anywhere(frame_pointer); // or within the stack that the kernel knows
///     let _ = (at, frames); // UNIT.on_overflow_chained(at, &CHAINS, |callers| frames.walk(callers, read))
/// }
///
/// pmu::nmi_entry_framed!(Nmi, on_nmi);
///
/// let gate: u64 = Nmi::address(); // for vector 2 of the interrupt descriptor table
/// # assert_ne!(gate, 0);
/// ```
#[macro_export]
macro_rules! nmi_entry_framed {
    ($(#[$attribute:meta])* $vis:vis $name:ident, $handler:expr) => {
        $(#[$attribute])*
        /// The NMI entry.
        #[derive(Debug)]
        $vis struct $name;

        impl $crate::arch::x86::entry::FramedHandler for $name {
            #[inline(always)]
            fn handle(at: $crate::Interrupted, frame_pointer: u64) {
                $handler(at, frame_pointer);
            }
        }

        impl $name {
            /// The address for the interrupt descriptor table's gate.
            $vis fn address() -> u64 {
                $crate::arch::x86::entry::framed_address::<Self>()
            }
        }
    };
}
