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

/// The address for the interrupt descriptor table's gate.
#[must_use]
pub fn address<H: Handler>() -> u64 {
    stub::<H> as *const () as u64
}

/// SDM vol. 3, "Interrupt and Exception Handling", section "64-Bit Mode Stack Frame": RIP, CS,
/// RFLAGS, RSP and SS are on a stack that was aligned to 16 bytes before they were pushed. Nine
/// registers later it is again.
#[unsafe(naked)]
unsafe extern "C" fn stub<H: Handler>() {
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
        enter = sym enter::<H>,
    )
}

/// The low two bits of CS are the ring.
extern "sysv64" fn enter<H: Handler>(address: u64, segment: u64) {
    let mode = if segment & 3 == 0 { Mode::Kernel } else { Mode::User };
    H::handle(Interrupted::new(address, mode));
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
